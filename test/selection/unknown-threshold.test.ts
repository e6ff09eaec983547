import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';
import { planThresholdSearch, type ThresholdSearchPlan } from '../../src/selection/threshold-search.js';
import { planUnknownThreshold, selectAboveUnknown } from '../../src/selection/unknown-threshold.js';
import { raisedScores, searchLaw } from '../support/search-law.js';
import { lossOf } from '../support/sparse-vector.js';

const options = {
  run: { epsilon: 0.1, delta: 0 },
  candidates: 10,
  grid: 10,
  searchEpsilon: 1,
  couplingSlack: 0.1,
  capSlack: 0.1,
  delta: 1e-6,
  beta: 0.05,
  maxRuns: Number.MAX_SAFE_INTEGER,
};

describe('the plan of the combined algorithm', () => {
  // epsilon1, slack, epsilon3, beta; runs of the search, chance, runs after it, total epsilon.
  it.each([
    [0.1, 0.1, 1, 0.05, 1.1e10, 1.25e-6, 4.8e7, 1.3],
    [0.05, 0.05, 1, 0.1, 1.2e8, 4.7e-4, 6.4e4, 1.2],
    [0.01, 0.05, 1, 0.1, 2.2e7, 2.5e-3, 1.2e4, 1.12],
    [0.1, 0.1, 5, 0.1, 2.4e6, 5.5e-3, 5.5e3, 5.3],
  ])('costs what it must: %d, %d, %d, %d', (epsilon, couplingSlack, searchEpsilon, beta, n, p1, t, total) => {
    const plan = planUnknownThreshold({
      ...{ ...options, couplingSlack, searchEpsilon, beta },
      run: { epsilon, delta: 0 },
    });
    const near = (found: number, printed: number) => expect(Math.abs(Math.log(found / printed))).toBeLessThan(0.04);
    near(plan.search.samples, n);
    near(plan.search.leastChance, p1);
    near(plan.cap, t);
    expect(plan.runs).toBe(plan.search.samples + plan.cap);
    expect(plan.epsilon).toBeCloseTo(total, 12);
    expect(plan.epsilon).toBeGreaterThanOrEqual(2 * epsilon + searchEpsilon + 0.1);
    expect(plan.delta).toBe(1e-6);
  });

  it('is refused with the number before anything starts', () => {
    const paper = { ...options, searchEpsilon: 0.5, couplingSlack: 0.5, capSlack: 0.5 };
    expect(() => planUnknownThreshold(paper)).toThrow(/needs about 4\.\de30 runs.*maxRuns/);
    const search = { ...paper, percentile: 1 / 20, epsilon: 0.5, slack: 0.5 };
    expect(() => planThresholdSearch(search)).toThrow(/needs about 4\.2e30 runs/);
    expect(() => planUnknownThreshold({ ...options, searchEpsilon: 5, beta: 0.1, maxRuns: 1000 })).toThrow(
      expect.objectContaining({ code: 'option_invalid', details: expect.objectContaining({ runs: 'about 2.4e6' }) }),
    );
    const { runs } = planUnknownThreshold({ ...options, searchEpsilon: 5 });
    expect(planUnknownThreshold({ ...options, searchEpsilon: 5, maxRuns: runs }).runs).toBe(runs);
    expect(() => planUnknownThreshold({ ...options, searchEpsilon: 5, maxRuns: runs - 1 })).toThrow(/maxRuns/);
    expect(() => planUnknownThreshold({ ...options, searchEpsilon: 1e-3 })).toThrow(/about \d\.\de\d{4}/);
  });

  it('has a cap that is long enough for any chance of passing', () => {
    for (const capSlack of [1, 0.5, 1e-3]) {
      const { gamma, cap } = planUnknownThreshold({ ...options, searchEpsilon: 5, capSlack });
      expect((1 - gamma) ** cap).toBeLessThanOrEqual(capSlack / 2);
      for (const p of [1 / cap, gamma, 0.1 * gamma, 2 * gamma])
        expect(p * ((1 - p) * (1 - gamma)) ** cap).toBeLessThanOrEqual(((1 - p) * gamma * capSlack) / 2);
    }
  });

  it('charges what the candidates fail by, in both steps', () => {
    const plan = planUnknownThreshold({ ...options, searchEpsilon: 5, run: { epsilon: 0.1, delta: 1e-12 } });
    const after = 1e-12 / (plan.gamma + 1e-12 * (1 - plan.gamma));
    expect(plan.delta).toBeCloseTo(1e-6 + plan.search.samples * 1e-12 + after, 15);
  });

  it.each([
    [{ candidates: 0 }, 'candidates'],
    [{ searchEpsilon: 0 }, 'searchEpsilon'],
    [{ couplingSlack: 1 }, 'couplingSlack'],
    [{ capSlack: 1.5 }, 'capSlack'],
    [{ run: { epsilon: 0.1, delta: -1 } }, 'run.delta'],
    [{ maxRuns: 0.5 }, 'maxRuns'],
  ])('refuses %j', (wrong, name) => {
    expect(() => planUnknownThreshold({ ...options, ...wrong })).toThrow(name);
  });
});

describe('the law of the combined algorithm on few samples', () => {
  const [epsilon1, epsilon3, capSlack, gamma, cap] = [0.5, 0.8, 0.2, 0.05, 60];
  const search: ThresholdSearchPlan = {
    ...planThresholdSearch({
      ...{ run: { epsilon: epsilon1, delta: 0 }, percentile: 0.4, grid: 2, epsilon: 40, delta: 1e-4 },
      ...{ slack: 0.3, beta: 0.5, maxRuns: 1e9 },
    }),
    ...{ epsilon: epsilon3, samples: 10, offset: 1, lead: 0 },
  };

  /** The chances of each score as the answer, and of none: the threshold's law, then the sums of a geometric series. */
  const lawOf = (scores: readonly number[]) => {
    const law = [...scores, 0].map(() => 0);
    searchLaw(search, scores).forEach((chance, k) => {
      const r = scores.slice(0, k).reduce((a, b) => a + b, 0) * (1 - gamma);
      const runs = (1 - r ** cap) / (1 - r);
      scores.forEach((p, score) => {
        if (score >= k) law[score] += chance * p * runs;
      });
      law[scores.length] += chance * ((r / (1 - gamma)) * gamma * runs + r ** cap);
    });
    return law;
  };

  it('keeps to the sum of its parts', () => {
    expect((1 - gamma) ** cap).toBeLessThanOrEqual(capSlack / 2);
    for (const scores of [
      [0.6, 0.3, 0.1],
      [0.9, 0.05, 0.05],
      [0.3, 0.3, 0.4],
    ]) {
      const [a, b] = [lawOf(scores), lawOf(raisedScores(scores, epsilon1))];
      expect(a.reduce((x, y) => x + y)).toBeCloseTo(1, 10);
      expect(lossOf(a, b)).toBeLessThanOrEqual(2 * epsilon1 + epsilon3 + capSlack);
      expect(lossOf(a, b)).toBeGreaterThan(epsilon1 / 2);
    }
  });
});

describe('the combined algorithm', () => {
  const cheap = {
    ...{ run: { epsilon: 0.05, delta: 0 }, candidates: 2, grid: 4, searchEpsilon: 12, couplingSlack: 0.5 },
    ...{ capSlack: 0.5, delta: 0.01, beta: 0.2, maxRuns: 2e4 },
  };

  it('gives a run as good as the best candidate, on fresh runs, but for about beta', async () => {
    const plan = planUnknownThreshold(cheap);
    const entropy = unsafeSeededEntropy(21);
    const repeats = 120;
    let [none, poor] = [0, 0];
    for (let i = 0; i < repeats; i++) {
      let runs = 0;
      const found = await selectAboveUnknown(
        plan,
        () => {
          // The better candidate of the two reaches 0.75 with chance 1/2; the other never does.
          const good = bits(entropy, 2) === 0;
          return { output: runs++, score: good ? 0.75 : 0.1 };
        },
        entropy,
      );
      expect(runs).toBeGreaterThanOrEqual(plan.search.samples + 1);
      expect(runs).toBeLessThanOrEqual(plan.runs);
      if (!found) none++;
      else {
        expect(found.output).toBe(runs - 1);
        if (found.score < 0.75 - 1 / 4) poor++;
      }
    }
    const tolerance = 4 * Math.sqrt(repeats * 0.2 * 0.8);
    expect(none).toBeLessThanOrEqual(repeats * 0.2 * 1.25 + tolerance);
    expect(poor).toBeLessThanOrEqual(repeats * 0.2 + tolerance);
    expect(none + poor).toBeLessThan(repeats / 2);
  });

  it('gives none when no run reaches the threshold, after a geometric number of runs at most the cap', async () => {
    const plan = { ...planUnknownThreshold(cheap), gamma: 0.2, cap: 5 };
    const entropy = unsafeSeededEntropy(22);
    const lengths = Array<number>(6).fill(0);
    for (let i = 0; i < 60; i++) {
      let runs = 0;
      // Good in the search, poor from then on.
      const run = () => ({ output: 'x', score: runs++ < plan.search.samples ? 1 : Number.NaN });
      expect(await selectAboveUnknown(plan, run, entropy)).toBeUndefined();
      lengths[runs - plan.search.samples]++;
    }
    expect(lengths[0]).toBe(0);
    expect(lengths[1]).toBeGreaterThan(1);
    expect(lengths[5]).toBeGreaterThan(10);
  });
});
