import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FftProgram, jointExpByFft } from '../../bench/fft/joint-exp.mjs';
import { uniformMeasure } from '../../src/lattice/measure.js';
import { forward, type Table } from '../../src/quantiles/chain.js';
import { Decay, roundRate } from '../../src/quantiles/decay.js';
import { plainRanks, type States, statesOf } from '../../src/quantiles/states.js';
import { gaps, gridQuantile, times } from '../../src/quantiles/targets.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';
import { logWeight, type Row } from '../../src/random/weights.js';
import { chiSquareZ } from '../support/chi-square.js';
import { naiveLaw } from '../support/naive-law.js';

function uniformNumbers(seed: number): () => number {
  const entropy = unsafeSeededEntropy(seed);
  return () => (bits(entropy, 52) + 0.5) * 2 ** -52;
}

/** The same law in both programs: lattice intervals, plain ranks, every rank in the window. */
function both(records: readonly number[], size: number, quantiles: readonly number[], rate: number) {
  const sorted = Float64Array.from(records).sort();
  const index = Float64Array.from(new Set(sorted));
  const count = index.map((x) => records.filter((y) => y === x).length);
  const states = statesOf([{ first: 0, end: size, rank: 0, index, count }], plainRanks, uniformMeasure(size));
  const targets = quantiles.map(gridQuantile);
  const n = records.length;
  const table = forward({
    rank: states.rank,
    width: states.width,
    lo: new Int32Array(targets.length),
    hi: new Int32Array(targets.length).fill(states.length),
    gaps: gaps(targets).map((gap) => times(gap, n)),
    n,
    decay: new Decay(rate),
  });
  return { program: jointExpByFft({ sorted, lower: -1, upper: size - 1, quantiles, rate }), table, states };
}

const logs = ({ x, e }: Row) => Array.from(x, (_, i) => logWeight(x[i], e[i]));

/** The largest difference of log weights, over those within `nats` of the largest of their row before widths count. */
function difference(program: FftProgram, table: Table, states: States, nats: number): number {
  let most = Math.abs(program.logTotal - table.logTotal);
  for (const rows of ['single', 'any'] as const)
    table[rows].forEach((row, j) => {
      const exact = logs(row);
      const weights = exact.map((log, i) => log - Math.log(states.width[i]));
      const top = Math.max(...weights);
      exact.forEach((log, i) => {
        if (weights[i] > top - nats) most = Math.max(most, Math.abs(program[rows][j][states.rank[i]] - log));
      });
    });
  return most;
}

describe('the published program by FFT', () => {
  it('has the normaliser and the law that brute force finds, under both relations', () => {
    const data = { sorted: Float64Array.of(0.1, 0.4, 0.4, 0.8), lower: 0, upper: 1, quantiles: [0.25, 0.5, 0.75] };
    expect(jointExpByFft({ ...data, rate: 2 / (2 * 2) }).logTotal).toBeCloseTo(-3.211171631242083, 12);
    expect(Math.exp(jointExpByFft({ ...data, rate: 2 / (2 * 1.5) }).logTotal)).toBeCloseTo(0.026491187625945125, 12);
  });

  it('agrees with the two-sided exponential kernel on small inputs with ties', () => {
    const inputs = fc.record({
      records: fc.array(fc.integer({ min: 0, max: 19 }), { maxLength: 30 }),
      quantiles: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 6 }),
      rate: fc.constantFrom(0.05, 0.25, 1),
    });
    fc.assert(
      fc.property(inputs, ({ records, quantiles, rate }) => {
        const list = quantiles.sort((a, b) => a - b).map((q) => q / 32);
        const { program, table, states } = both(records, 20, list, roundRate(rate));
        expect(difference(program, table, states, 12)).toBeLessThan(1e-8);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('samples that law', () => {
    const [records, size, quantiles, rate] = [[1, 1, 2, 4, 4, 4], 6, [0.3, 0.5, 0.8], 0.25] as const;
    const { program } = both(records, size, quantiles, rate);
    const law = naiveLaw({ records, size, quantiles, rate, interpolation: plainRanks });
    const seen = new Map([...law.keys()].map((key) => [key, 0]));
    const uniform = uniformNumbers(5);
    for (let draw = 0; draw < 40_000; draw++) {
      const cells = program.sample(uniform).map(Math.ceil).join();
      seen.set(cells, (seen.get(cells) ?? 0) + 1);
    }
    expect(seen.size).toBe(law.size);
    expect(chiSquareZ([...seen.values()], [...law.values()])).toBeLessThan(4);
  });

  it('loses small weights, which the kernel keeps', () => {
    const uniform = uniformNumbers(7);
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const records = Array.from({ length: 1000 }, () => Math.round((0.5 + normal() / 40) * 2 ** 40));
    const quantiles = Array.from({ length: 15 }, (_, j) => (j + 1) / 16);
    const { program, table, states } = both(records, 2 ** 40, quantiles, roundRate(0.25));
    const zeros = (weights: Iterable<number>) => [...weights].filter((log) => log === Number.NEGATIVE_INFINITY).length;
    expect(zeros(program.single[1])).toBeGreaterThan(200);
    expect(zeros(logs(table.single[1]))).toBe(1);
    expect(difference(program, table, states, 15)).toBeLessThan(1e-6);
  });
});
