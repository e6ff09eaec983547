import { describe, expect, it } from 'vitest';
import { planQuantiles, quantiles } from '../../src/index.js';
import { zcdpEpsilon } from '../../src/privacy/zcdp.js';
import type { QuantilesOptions } from '../../src/quantiles/options.js';
import { bestSigma, laplaceFor, logNormalFor } from '../../src/quantiles/smooth-noise.js';
import { tunedSmoothness } from '../../src/quantiles/smooth-reference.js';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';

const n = 1000;
const evenly = (m: number) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
const uniform = (entropy: Entropy) => (entropy.word() + 0.5) / 2 ** 32;
const normal = (entropy: Entropy) =>
  Math.sqrt(-2 * Math.log(uniform(entropy))) * Math.cos(2 * Math.PI * uniform(entropy));
const base = { bounds: [-100, 100], relation: 'swap', delta: 1e-6 } as const;

/** As the paper compares them: csmooth at rho = 1/2, which is more than (1, 1e-6)-DP gives. */
const epsilons = { smooth: 1, csmooth: zcdpEpsilon(0.5, 1e-6) };

/** For each quantile the mean over data sets and releases of a rank error, and the mean of missed points over all. */
async function simulate(options: QuantilesOptions, deviation: number, sets: number) {
  const m = (options.quantiles as number[]).length;
  const entropy = unsafeSeededEntropy(m);
  const errors = evenly(m).map(() => 0);
  let missed = 0;
  for (let set = 0; set < sets; set++) {
    const data = Float64Array.from({ length: n }, () => deviation * normal(entropy)).sort();
    const { values } = await quantiles(data, { ...options, unsafeSeed: set });
    for (const [j, q] of evenly(m).entries()) {
      const rank = data.filter((x) => x < values[j]).length;
      errors[j] += Math.abs(rank - q * n) / sets;
      missed += Math.abs(rank - Math.floor((n - 1) * q)) / m / sets;
    }
  }
  return { errors, missed };
}

describe('missed points of N(0, 5) at n = 1000, epsilon 1', () => {
  it.each([
    ['smooth', 1, 32, 0.45, 200],
    ['smooth', 6, 314, 0.25, 40],
    ['smooth', 15, 281, 0.25, 30],
    ['csmooth', 1, 9.6, 0.45, 200],
    ['csmooth', 6, 42, 0.25, 80],
    ['csmooth', 15, 56, 0.25, 40],
  ] as const)('by %s for m = %d are %d, as measured elsewhere', async (method, m, published, tolerance, sets) => {
    const options = { ...base, quantiles: evenly(m), epsilon: epsilons[method], method };
    expect(Math.abs((await simulate(options, 5, sets)).missed / published - 1)).toBeLessThan(tolerance);
  });
});

describe('the forecast on the reference', () => {
  it.each([
    ['smooth', 1, 300],
    ['smooth', 4, 150],
    ['csmooth', 1, 300],
    ['csmooth', 4, 200],
  ] as const)('of %s for m = %d is what seeded runs show, within 20 %%', async (method, m, sets) => {
    const options = { ...base, quantiles: evenly(m), epsilon: epsilons[method], method, aboutRows: n };
    const { expectedRankError } = planQuantiles(options).forecast;
    const { errors } = await simulate(options, 1, sets);
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / m;
    expect(Math.abs(mean(errors) / mean(expectedRankError) - 1)).toBeLessThan(0.2);
  });
});

describe('the parameters', () => {
  it.each([
    [1, 0.1, 0.309197818894132],
    [0.5, 0.3, 0.7915328761363359],
    [0.1, 0.01, 0.309197818894132],
    [1, 1, 1.1509731208493137],
  ])('sigma for epsilon %d and t %d is the root of its cubic', (epsilon, t, expected) => {
    const sigma = bestSigma(epsilon, t);
    expect(sigma).toBeCloseTo(expected, 13);
    expect(5 * (epsilon / t) * sigma ** 3 - 5 * sigma ** 2 - 1).toBeCloseTo(0, 12);
  });

  it('s pays for what t leaves', () => {
    const { admissible, sigma } = logNormalFor(1, 0.1)!;
    expect(0.1 / sigma + Math.exp(1.5 * sigma ** 2) * admissible).toBeCloseTo(1, 10);
    expect(0.1 / sigma + Math.exp(1.5 * sigma ** 2) * admissible).toBeLessThan(1);
  });

  it('t chosen on the reference is near the published table', () => {
    const at = (epsilon: number, m: number, j: number) => tunedSmoothness(j / (m + 1), epsilon / Math.sqrt(m), epsilon);
    for (const [epsilon, m, j, table] of [
      [1, 2, 1, 0.13],
      [1, 5, 3, 0.083],
      [1, 9, 5, 0.065],
      [1, 15, 1, 0.13],
      [1, 29, 15, 0.038],
      [0.1, 1, 1, 0.0196],
      [0.1, 9, 1, 0.001],
      [0.1, 9, 2, 0.032],
      [0.1, 29, 15, 0.014],
    ])
      expect(Math.abs(Math.log(at(epsilon, m, j) / table))).toBeLessThan(0.3);
  });

  it('too small an epsilon or smoothness is refused, not rounded', () => {
    expect(laplaceFor(1e-9, 1e-6)).toBeUndefined();
    expect(logNormalFor(1, 1e-10)).toBeUndefined();
    // What is left for the shift would be a double close to 0, whose rounding is no small share of it.
    expect(logNormalFor(0.5, 40)).toBeUndefined();
    for (const t of [0.1, 1, 3]) {
      const { admissible, sigma } = logNormalFor(1, t)!;
      expect(t / sigma + Math.exp(1.5 * sigma ** 2) * admissible).toBeLessThanOrEqual(1);
    }
  });
});

it('a constant column is released as it is, however tied', async () => {
  for (const method of ['smooth', 'csmooth'] as const) {
    const options = { ...base, quantiles: evenly(9), epsilon: 1, step: 1, method };
    const { values } = await quantiles(new Float64Array(100_000).fill(42), options);
    expect(values).toEqual(evenly(9).map(() => 42));
  }
});

it('an empty column gives some answer', async () => {
  for (const method of ['smooth', 'csmooth'] as const)
    expect((await quantiles([], { ...base, quantiles: 'quartiles', epsilon: 1, method })).values).toHaveLength(3);
});
