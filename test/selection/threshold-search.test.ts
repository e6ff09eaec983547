import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entropy, secureEntropy, unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';
import { coupling } from '../../src/selection/coupling.js';
import { gridThreshold } from '../../src/selection/grid-threshold.js';
import {
  planThresholdSearch,
  searchThreshold,
  type ThresholdSearchPlan,
  thresholdFor,
} from '../../src/selection/threshold-search.js';
import { chiSquareZ } from '../support/chi-square.js';
import { raisedScores, searchLaw } from '../support/search-law.js';
import { deltaOf, lossOf } from '../support/sparse-vector.js';

const options = {
  run: { epsilon: 0.5, delta: 0 },
  percentile: 0.3,
  grid: 2,
  epsilon: 2,
  delta: 1e-3,
  slack: 0.4,
  beta: 0.1,
  maxRuns: Number.MAX_SAFE_INTEGER,
};
/** The search on as many scores as it wants. */
const search = (plan: ThresholdSearchPlan, score: () => number, entropy: Entropy = secureEntropy()) =>
  searchThreshold(plan, Float64Array.from({ length: plan.samples }, score), undefined, entropy);

/** Few samples, and any noise: only utility wants more. */
const small = (samples: number, change: Partial<ThresholdSearchPlan> = {}): ThresholdSearchPlan => ({
  ...planThresholdSearch({ ...options, grid: change.grid ?? 2 }),
  samples,
  ...change,
});

const cases = [
  [0.7, 0.1, 0.2],
  [0.4, 0.5, 0.1],
  [0.62, 0.01, 0.37],
  [0.9, 0.08, 0.02],
];

describe('the search for a threshold', () => {
  it('keeps to epsilon and delta, by its exact law on few samples', () => {
    for (const plan of [small(12), small(12, { epsilon: 0.3 }), small(12, { offset: 0.5, lead: 0 })])
      for (const scores of cases) {
        const [a, b] = [searchLaw(plan, scores), searchLaw(plan, raisedScores(scores, 0.5))];
        expect(a.reduce((x, y) => x + y)).toBeCloseTo(1, 10);
        expect(deltaOf(a, b, plan.epsilon)).toBeLessThanOrEqual(plan.delta);
        expect(lossOf(a, b)).toBeGreaterThan(0);
      }
  });

  it('is caught with noise that is too narrow, and with none', () => {
    const worst = (plan: ThresholdSearchPlan) =>
      Math.max(
        ...cases.map((scores) =>
          deltaOf(searchLaw(plan, scores), searchLaw(plan, raisedScores(scores, 0.5)), plan.epsilon),
        ),
      );
    const crowded = small(18, { epsilon: 0.3, offset: 0.5, lead: 0 });
    expect(worst(crowded)).toBeLessThanOrEqual(crowded.delta);
    expect(worst({ ...crowded, sensitivity: crowded.sensitivity / 8 })).toBeGreaterThan(10 * crowded.delta);
    expect(worst({ ...crowded, sensitivity: crowded.sensitivity / 1000 })).toBeGreaterThan(0.2);
  });

  it('pays for two events at each threshold, and for counts that are a factor e^(epsilon1 + slack) apart', () => {
    const plan = planThresholdSearch({ ...options, grid: 5 });
    expect(plan.offset).toBe(coupling(0.4, 1e-3 / 10));
    expect(plan.sensitivity).toBe(0.9);
  });

  it('finds thresholds by its law', () => {
    const plan = small(10, { grid: 3, epsilon: 3, offset: 2, lead: 0.5 });
    const scores = [0.5, 0.2, 0.2, 0.1];
    const entropy = unsafeSeededEntropy(11);
    const score = () => {
      const u = bits(entropy, 20) / 2 ** 20;
      return [0.5, 0.7, 0.9].filter((p) => u >= p).length / 3;
    };
    const seen = scores.map(() => 0);
    for (let i = 0; i < 3000; i++) seen[Math.round(3 * search(plan, score, entropy))]++;
    expect(Math.abs(chiSquareZ(seen, searchLaw(plan, scores)))).toBeLessThan(5);
  });

  it('counts a score for every threshold that it reaches, as doubles compare', () => {
    const plan = small(1, { grid: 49, epsilon: 1e9, offset: 1e-6, lead: 0.01, percentile: 0.9 });
    for (let k = 1; k <= 49; k++) {
      const below = k / 49 - 2 ** -54;
      expect(search(plan, () => k / 49)).toBe(k / 49);
      expect(search(plan, () => below)).toBe(below < k / 49 ? (k - 1) / 49 : k / 49);
    }
    for (const low of [0, -3, Number.NaN, Number.NEGATIVE_INFINITY]) expect(search(plan, () => low)).toBe(0);
    for (const high of [1, 7, Number.POSITIVE_INFINITY]) expect(search(plan, () => high)).toBe(1);
  });

  it('counts in any range of scores what thresholding with the threshold found would pass', () => {
    const one = small(1, { grid: 7, epsilon: 1e9, offset: 1e-6, lead: 0.01, percentile: 0.9 });
    const ranges = fc
      .tuple(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 }))
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));
    fc.assert(
      fc.property(ranges, fc.integer({ min: 0, max: 7 }), fc.constantFrom(-1, 0, 1), (range, k, step) => {
        const thresholds = Array.from({ length: 8 }, (_, j) => gridThreshold(j, 7, range));
        expect(thresholds).toEqual([...thresholds].sort((a, b) => a - b));
        expect([thresholds[0], thresholds[7]]).toEqual([range.min, range.max]);
        const score = Math.min(
          range.max,
          Math.max(range.min, thresholds[k] + step * Math.abs(thresholds[k]) * 2 ** -53),
        );
        const found = searchThreshold(one, [score], range);
        expect(found).toBe(Math.max(...thresholds.filter((threshold) => score >= threshold)));
      }),
    );
  });

  it('wants as many scores as planned', () => {
    expect(() => searchThreshold(small(3), [1, 1])).toThrow(/scores must be a list of 3/);
  });

  it('answers 0 without testing it, however low the counts', () => {
    const plan = small(100, { epsilon: 1e9, offset: 1e-6 });
    expect(thresholdFor(plan, [100, 0, 0], unsafeSeededEntropy(1))).toBe(0);
  });
});

describe('what a search promises', () => {
  it('holds in simulation: neither too low nor too high, but for beta', () => {
    const change = { run: { epsilon: 0.05, delta: 0 }, slack: 0.5, epsilon: 8, grid: 4, beta: 0.2, delta: 0.01 };
    const plan = planThresholdSearch({ ...options, ...change });
    expect(plan.samples).toBeLessThan(2e4);
    const entropy = unsafeSeededEntropy(12);
    // A share of 0.3, the percentile, reaches 0.75; 0.02, less than is promised for any answer, reach 1.
    const score = () => {
      const u = bits(entropy, 20) / 2 ** 20;
      return u < 0.5 ? 0.2 : u < 0.7 ? 0.5 : u < 0.999 ? 0.75 : 1;
    };
    expect(plan.leastChance).toBeGreaterThan(0.001);
    const runs = 150;
    let [late, early] = [0, 0];
    for (let i = 0; i < runs; i++) {
      const found = search(plan, score, entropy);
      if (found <= 0.75 - 1 / 4) late++;
      if (found > 0.75) early++;
    }
    const tolerance = 4 * Math.sqrt(runs * 0.2 * 0.8);
    expect(late).toBeLessThanOrEqual(runs * 0.2 + tolerance);
    expect(early).toBeLessThanOrEqual(runs * 0.2 + tolerance);
    expect(late + early).toBeLessThan(runs);
  });
});

describe('the plan of a search', () => {
  it('is refused with the number of runs, however large', () => {
    const plan = () => planThresholdSearch({ ...options, maxRuns: 1000 });
    expect(plan).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringMatching(/needs \d+ runs|about/) }),
    );
    expect(() => planThresholdSearch({ ...options, epsilon: 1e-3 })).toThrow(/about \d\.\de\d{5} runs/);
  });

  it('allows exactly the number that it needs', () => {
    const { samples } = planThresholdSearch(options);
    expect(planThresholdSearch({ ...options, maxRuns: samples }).samples).toBe(samples);
    expect(() => planThresholdSearch({ ...options, maxRuns: samples - 1 })).toThrow(/maxRuns/);
  });

  it('is there for candidates that cost nothing', () => {
    const { samples, sensitivity } = planThresholdSearch({ ...options, run: { epsilon: 0, delta: 0 } });
    expect(sensitivity).toBe(0.4);
    expect(samples).toBeLessThan(planThresholdSearch(options).samples);
  });

  it('has the number of runs of the formula, and charges candidates that fail for each', () => {
    const { samples, offset, delta, lead, leastChance } = planThresholdSearch({
      ...options,
      run: { epsilon: 0.5, delta: 1e-12 },
    });
    const exponent = (6 * 0.9) / 2;
    const formula = ((3 * offset * Math.exp(0.2)) / 0.3) * 0.1 ** (-2 * exponent) * 3 ** exponent;
    expect(samples / formula).toBeCloseTo(1, 6);
    expect(lead).toBeCloseTo(exponent * Math.log(10) + 0.2, 12);
    // Samples make the level, lowered as far as chance may lower it, three offsets.
    expect((samples * leastChance) / (Math.exp(-0.2) - 1 / 3)).toBeCloseTo(3 * offset, 3);
    expect(delta).toBeCloseTo(1e-3 + samples * 1e-12, 15);
  });

  it.each([
    [{ grid: 1 }, 'grid'],
    [{ grid: 2 ** 21 }, 'grid'],
    [{ percentile: 0 }, 'percentile'],
    [{ slack: 0 }, 'slack'],
    [{ beta: 1 }, 'beta'],
    [{ delta: 0 }, 'delta'],
    [{ epsilon: -1 }, 'epsilon'],
    [{ maxRuns: 0 }, 'maxRuns'],
  ])('refuses %j', (wrong, name) => {
    expect(() => planThresholdSearch({ ...options, ...wrong })).toThrow(name);
  });
});
