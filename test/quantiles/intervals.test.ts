import { describe, expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { createLattice, latticeIndex } from '../../src/lattice/lattice.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { forecastRankError } from '../../src/quantiles/forecast.js';
import { type IntervalEnds, planIntervals } from '../../src/quantiles/intervals.js';
import { type JointExpSettings, jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { drawSize, noisySize, planByDrawn } from '../../src/quantiles/noisy-size.js';
import { planQuantiles } from '../../src/quantiles/plan.js';
import { quantiles } from '../../src/quantiles/quantiles.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';

/** The quantile functions of the populations. */
const populations = {
  uniform: (u: number) => 10 * u,
  exponential: (u: number) => -Math.log1p(-u),
  logistic: (u: number) => Math.log(u / (1 - u)),
  cauchy: (u: number) => Math.tan(Math.PI * (u - 0.5)),
  triangular: Math.sqrt,
};
const named = Object.entries(populations);

const exponential = (entropy: Entropy) => -Math.log((entropy.word() + 0.5) / 2 ** 32);

/** The ascending shares of n records of any population: sums of exponential gaps over the sum of all. */
function shares(n: number, entropy: Entropy): Float64Array {
  let sum = 0;
  const sums = Float64Array.from({ length: n }, () => (sum += exponential(entropy)));
  sum += exponential(entropy);
  return sums.map((x) => x / sum);
}

const level = 0.95;
const sets = 8100;
/**
 * A coverage of 0.95 is below this in 8100 sets with a probability of less than 1e-6 (4.8 standard deviations), one of 0.93
 * above it with a probability of 0.1 % (3.1).
 */
const least = level - 4.8 * Math.sqrt((level * (1 - level)) / sets);

/** What is released: the ends, and the epsilon that is left for them. */
interface Planned {
  readonly ends: readonly IntervalEnds[];
  readonly epsilon: number;
}

/** How often the intervals of single releases on independent sets of data cover each quantile of the population. */
async function coverage(
  quantile: (u: number) => number,
  { quantiles: list, n, relation }: { quantiles: readonly number[]; n: number; relation: Relation },
  plan: (entropy: Entropy) => Planned,
  trials = sets,
): Promise<number[]> {
  const lattice = createLattice([-50, 50]);
  const entropy = unsafeSeededEntropy(7);
  const covered = list.map(() => 0);
  const prepared = new Map<Planned, { all: number[]; settings: JointExpSettings }>();
  for (let set = 0; set < trials; set++) {
    const planned = plan(entropy);
    let release = prepared.get(planned);
    if (!release) {
      const { ends, epsilon } = planned;
      const inner = ends.flatMap(({ lower, upper }) => [lower, upper]).filter((q) => q !== undefined);
      const all = [...new Set([...list, ...inner])].sort((a, b) => a - b);
      const cost = { quantiles: all.map(gridQuantile), epsilon, relation, rowsPerUnit: 1 };
      release = { all, settings: jointExpSettings(cost, defaultInterpolation) };
      prepared.set(planned, release);
    }
    const { all, settings } = release;
    const cells = Array.from(shares(n, entropy), (u) => latticeIndex(lattice, quantile(u)));
    const values = (await jointExp(wholeProfile(cells, lattice.size), settings)).sample(entropy).map(lattice.value);
    for (const [j, { lower, upper }] of planned.ends.entries()) {
      const truth = quantile(list[j]);
      const high = lower === undefined || values[all.indexOf(lower)] <= truth;
      if (high && (upper === undefined || values[all.indexOf(upper)] >= truth)) covered[j]++;
    }
  }
  return covered.map((count) => count / trials);
}

describe('confidence intervals', () => {
  const few = { quantiles: [0.05, 0.5], epsilon: 4, relation: 'add-remove' as const, rowsPerUnit: 1, aboutRows: 100 };
  const sample = { ...few, n: few.aboutRows };

  it.each(named)('cover each quantile of a %s population at least as often as they say', async (_, quantile) => {
    const planned = { ends: planIntervals(few, level), epsilon: few.epsilon };
    for (const share of await coverage(quantile, sample, () => planned)) expect(share).toBeGreaterThan(least);
  });

  // Two suffice that differ: the count does not depend on the values.
  const some = named.filter(([name]) => name === 'uniform' || name === 'exponential');
  it.each(some)('cover them as often where a sample of a %s population is counted with noise', async (_, quantile) => {
    const size = noisySize(few.epsilon, few.relation, 1);
    const known = new Map<number, Planned>();
    const plan = (entropy: Entropy) => {
      const aboutRows = drawSize(few.aboutRows, size, entropy);
      const { epsilon } = size;
      const planned = known.get(aboutRows) ?? {
        ends: planByDrawn({ ...few, epsilon, aboutRows }, level, size),
        epsilon,
      };
      known.set(aboutRows, planned);
      return planned;
    };
    for (const share of await coverage(quantile, sample, plan)) expect(share).toBeGreaterThan(least);
  });

  describe('would be seen to cover too seldom', () => {
    // They are far off, so that fewer sets show it.
    const seen = 2000;
    const around = (widths: readonly number[], epsilon = few.epsilon) => ({
      ends: few.quantiles.map((q, j) => ({ lower: q > widths[j] ? q - widths[j] : undefined, upper: q + widths[j] })),
      epsilon,
    });
    const sampling = few.quantiles.map((q) => 1.96 * Math.sqrt((q * (1 - q)) / few.aboutRows));
    const own = forecastRankError({ ...few, quantiles: [0.02, 0.05, 0.1, 0.45, 0.5, 0.55] }).rankError95Share!;

    it('without the error of the mechanism', async () => {
      const [, median] = await coverage(populations.uniform, sample, () => around(sampling, 1), seen);
      expect(median).toBeLessThan(least);
    });

    it('without the error of sampling', async () => {
      const [, median] = await coverage(populations.uniform, sample, () => around([own[1], own[4]]), seen);
      expect(median).toBeLessThan(least);
    });

    it('without the empty stretch beside the records', async () => {
      const planned = around([sampling[0] + own[1], sampling[1] + own[4]]);
      const [tail, median] = await coverage(populations.exponential, sample, () => planned, seen);
      expect(tail).toBeLessThan(least);
      expect(median).toBeGreaterThan(least);
    });
  });

  it.each([
    { quantiles: [0.5] },
    { quantiles: [0.1, 0.5, 0.75] },
    { quantiles: [0.01, 0.99] },
    { quantiles: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] },
  ])('are at most half as wide again as sampling and the mechanism make them: $quantiles', ({ quantiles }) => {
    for (const n of [10_000, 100_000]) {
      const ends = planIntervals({ ...few, epsilon: 1, quantiles, aboutRows: n }, level);
      const options = { quantiles, bounds: [0, 1], epsilon: 1, aboutRows: n, interval: level } as const;
      const { rankError95 } = planQuantiles(options).forecast;
      for (const [j, { lower, upper }] of ends.entries()) {
        const sampling = 2 * 1.96 * Math.sqrt(n * quantiles[j] * (1 - quantiles[j]));
        expect((upper! - lower!) * n).toBeLessThan(1.5 * (sampling + rankError95[j]));
        expect((upper! - lower!) * n).toBeGreaterThan(sampling);
      }
    }
  });

  it('are no narrower for more confidence, fewer records or less epsilon', () => {
    const widths = (change: object, confidence = level) =>
      planIntervals({ ...few, ...change }, confidence).map(({ lower = 0, upper = 1 }) => upper - lower);
    for (const [j, width] of widths({}).entries()) {
      expect(widths({}, 0.99)[j]).toBeGreaterThan(width);
      expect(widths({ aboutRows: 80 })[j]).toBeGreaterThan(width);
      expect(widths({ epsilon: 3 })[j]).toBeGreaterThan(width);
    }
  });

  it('come with the release, around each value, in the order asked', async () => {
    const n = 10_000;
    const values = Float64Array.from({ length: n }, (_, i) => (i % 1000) / 10);
    const options = {
      quantiles: [0.5, 0.001, 0.5],
      bounds: [0, 100],
      step: 0.1,
      epsilon: 1,
      aboutRows: n,
      interval: 0.95,
    } as const;
    const release = await quantiles(values, options);
    expect(release.intervals).toHaveLength(3);
    expect(release.intervals![0]).toEqual(release.intervals![2]);
    for (const [j, [low, high]] of release.intervals!.entries()) {
      expect(low).toBeLessThanOrEqual(release.values[j]);
      expect(high).toBeGreaterThanOrEqual(release.values[j]);
    }
    // Ten records below it: the interval reaches the lower bound.
    expect(release.intervals![1][0]).toBe(0);
    expect(release.guarantee.epsilon).toBe(1);
  });

  it('need joint-exp', () => {
    const options = { quantiles: 'median', bounds: [0, 1], epsilon: 1, interval: 0.9 } as const;
    expect(() => planQuantiles({ ...options, method: 'ind-exp' })).toThrow(/auto or joint-exp/);
    expect(() => planQuantiles({ ...options, aboutRows: 100, method: 'ind-exp' })).toThrow(/auto or joint-exp/);
    expect(() => planQuantiles({ ...options, aboutRows: 100, interval: 95 })).toThrow(/strictly between 0 and 1/);
  });
});

describe('a plan with intervals', () => {
  const options = { quantiles: [0.9, 0.25], bounds: [0, 100], epsilon: 1, interval: 0.95 } as const;

  it('shows where they will end, the bounds among them, if the size is declared', () => {
    for (const aboutRows of [20, 10_000]) {
      const { intervalQuantiles } = planQuantiles({ ...options, aboutRows });
      const given = { quantiles: [0.25, 0.9], epsilon: 1, relation: 'add-remove', rowsPerUnit: 1, aboutRows } as const;
      const [low, high] = planIntervals(given, 0.95).map(({ lower, upper }) => [lower ?? 0, upper ?? 1]);
      expect(intervalQuantiles).toEqual([high, low]);
    }
    expect(planQuantiles({ ...options, aboutRows: 20 }).intervalQuantiles!.flat()).toContain(1);
    expect(planQuantiles(options)).not.toHaveProperty('intervalQuantiles');
  });

  it('keeps in tails what mirrored ones have', () => {
    const list = [0.001, 0.01, 0.99, 0.999];
    const ends = planIntervals(
      { quantiles: list, epsilon: 1, relation: 'swap', rowsPerUnit: 1, aboutRows: 10_000 },
      0.95,
    );
    const [first, second, third, last] = ends;
    expect(1 - last.lower!).toBeCloseTo(first.upper!, 3);
    expect([first.lower, last.upper]).toEqual([undefined, undefined]);
    expect(1 - third.lower!).toBeCloseTo(second.upper!, 3);
    expect(1 - third.upper!).toBeCloseTo(second.lower!, 3);
  });

  it('refuses what they might not cover for', () => {
    for (const prior of [
      { family: 'gaussian', location: 30, scale: 5 },
      {
        family: 'mixture',
        prior: { family: 'gaussian', location: 30, scale: 5 },
        robust: { family: 'uniform' },
        share: 0.9,
      },
    ] as const)
      expect(() => planQuantiles({ ...options, prior })).toThrow(/interval needs the uniform prior/);
    expect(planQuantiles({ ...options, prior: { family: 'uniform' } }).mechanism).toBe('joint-exp');
    const unit = (maxRows: number) => ({ unit: { column: 'u', maxRows } });
    expect(() => planQuantiles(options, unit(2))).toThrow(/interval needs rows that are independent/);
    expect(planQuantiles(options, unit(1)).mechanism).toBe('joint-exp');
  });
});
