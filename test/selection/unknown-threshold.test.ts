import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';
import { planThresholdSearch } from '../../src/selection/threshold-search.js';
import { planUnknownThreshold, selectAboveUnknown } from '../../src/selection/unknown-threshold.js';

const options = {
  candidate: { epsilon: 0.1, delta: 0 },
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
      candidate: { epsilon, delta: 0 },
    });
    const near = (found: number, printed: number) => expect(Math.abs(Math.log(found / printed))).toBeLessThan(0.04);
    near(plan.search.samples, n);
    near(plan.search.leastChance, p1);
    near(plan.cap, t);
    expect(plan.runs).toBe(plan.search.samples + plan.cap);
    expect(plan.epsilon).toBeCloseTo(total, 12);
    expect(plan.epsilon).toBeGreaterThanOrEqual(2 * epsilon + searchEpsilon + 0.1);
    expect(plan.delta / 1e-6).toBeCloseTo(1, 12);
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
    const plan = planUnknownThreshold({ ...options, searchEpsilon: 5, candidate: { epsilon: 0.1, delta: 1e-12 } });
    const after = 1e-12 / (plan.gamma + 1e-12 * (1 - plan.gamma));
    expect(plan.delta).toBeCloseTo(1e-6 + plan.search.samples * 1e-12 + after, 15);
  });

  it.each([
    [{ candidates: 0 }, 'candidates'],
    [{ searchEpsilon: 0 }, 'searchEpsilon'],
    [{ couplingSlack: 1 }, 'couplingSlack'],
    [{ capSlack: 1.5 }, 'capSlack'],
    [{ candidate: { epsilon: 0.1, delta: -1 } }, 'candidate.delta'],
    [{ maxRuns: 0.5 }, 'maxRuns'],
  ])('refuses %j', (wrong, name) => {
    expect(() => planUnknownThreshold({ ...options, ...wrong })).toThrow(name);
  });
});

describe('the combined algorithm', () => {
  const cheap = {
    ...{ candidate: { epsilon: 0.05, delta: 0 }, candidates: 2, grid: 4, searchEpsilon: 12, couplingSlack: 0.5 },
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
