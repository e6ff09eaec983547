import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';
import {
  type Candidate,
  lawOf,
  type StoppingRule,
  select,
  threshold,
  unknownThreshold,
  unknownThresholdRun,
} from '../../src/selection/index.js';
import {
  planThresholdSearch,
  searchThreshold,
  type ThresholdSearchPlan,
} from '../../src/selection/threshold-search.js';
import { chiSquareZ } from '../support/chi-square.js';
import { raisedScores, searchLaw } from '../support/search-law.js';
import { lossOf } from '../support/sparse-vector.js';
import { memory } from './memory-state.js';

const options = {
  run: { epsilon: 0.1, delta: 0 },
  candidates: 10,
  grid: 10,
  searchEpsilon: 1,
  couplingSlack: 0.1,
  capSlack: 0.1,
  delta: 1e-6,
  beta: 0.05,
  maxRuns: 2 ** 30,
};
const affordable = { ...options, searchEpsilon: 5, beta: 0.1 };

/** The plan behind a rule. */
const searchOf = (rule: StoppingRule) => rule.search as ThresholdSearchPlan & NonNullable<StoppingRule['search']>;

describe('the combined algorithm', () => {
  // epsilon1, slack, epsilon3, beta; runs of the search, chance, runs after it with the theorem's longer cap, total epsilon.
  it.each([
    [0.05, 0.05, 1, 0.1, 1.2e8, 4.7e-4, 6.4e4, 1.2],
    [0.01, 0.05, 1, 0.1, 2.2e7, 2.5e-3, 1.2e4, 1.12],
    [0.1, 0.1, 5, 0.1, 2.4e6, 5.5e-3, 5.5e3, 5.3],
  ])('needs and costs what it must: %d, %d, %d, %d', (epsilon, couplingSlack, searchEpsilon, beta, n, p1, t, total) => {
    const run = { epsilon, delta: 0 };
    const rule = unknownThreshold({ ...options, couplingSlack, searchEpsilon, beta, run });
    const near = (found: number, printed: number) => expect(Math.abs(Math.log(found / printed))).toBeLessThan(0.04);
    const { samples, leastChance } = searchOf(rule);
    near(samples, n);
    near(leastChance, p1);
    expect(rule.runs.most - samples).toBeLessThan(t * 1.04);
    expect(rule.runs.most - samples).toBeGreaterThan(t / 2);
    expect(rule.runs.expected).toBe(samples + rule.count.expected);
    expect(rule.runs.expected).toBeLessThan(rule.runs.most);
    const cost = rule.total(run);
    expect(cost.epsilon).toBeLessThanOrEqual(total * (1 + 1e-12));
    // The rest is what the theorem charges too much for a coin.
    expect(cost.epsilon).toBeGreaterThan(total - 0.01);
    expect(cost.epsilon).toBeGreaterThan(searchEpsilon + epsilon);
    expect(cost.delta).toBe(1e-6);
  });

  it('costs the search and thresholding, whose cost for a tau that is known it takes', () => {
    const rule = unknownThreshold(affordable);
    const gamma = 1 / unknownThreshold({ ...affordable, capSlack: 1e-9 }).count.expected;
    expect(gamma).toBeGreaterThan((affordable.beta * searchOf(rule).leastChance) / 1.05);
    const cap = rule.runs.most - searchOf(rule).samples;
    const known = (epsilon: number) => threshold({ tau: 0.5, gamma, cap }).total({ epsilon, delta: 0 }).epsilon;
    for (const epsilon of [0.1, 0.03, 0])
      expect(rule.total({ epsilon, delta: 0 }).epsilon).toBeCloseTo(5 + known(epsilon), 4);
  });

  it('is refused with the number before anything starts', () => {
    const paper = { ...options, searchEpsilon: 0.5, couplingSlack: 0.5, capSlack: 0.5 };
    expect(() => unknownThreshold(paper)).toThrow(/needs about 4\.\de30 runs.*maxRuns/);
    const search = { ...paper, percentile: 1 / 20, epsilon: 0.5, slack: 0.5 };
    expect(() => planThresholdSearch(search)).toThrow(/needs about 4\.2e30 runs/);
    expect(() => unknownThreshold(options)).toThrow(/needs about 1\.1e10 runs/);
    expect(() => unknownThreshold({ ...affordable, maxRuns: 1000 })).toThrow(
      expect.objectContaining({ code: 'option_invalid', details: expect.objectContaining({ runs: 'about 2.4e6' }) }),
    );
    const { most } = unknownThreshold(affordable).runs;
    expect(unknownThreshold({ ...affordable, maxRuns: most }).runs.most).toBe(most);
    expect(() => unknownThreshold({ ...affordable, maxRuns: most - 1 })).toThrow(/maxRuns/);
    expect(() => unknownThreshold({ ...options, searchEpsilon: 1e-3 })).toThrow(/about \d\.\de\d{4}/);
    expect(() => unknownThreshold({ ...affordable, beta: 1e-300, searchEpsilon: 1e6 })).toThrow(/about \d\.\de30\d/);
  });

  it('gives no answer with probability beta at most where runs reach the threshold as seldom as may be', () => {
    for (const capSlack of [1, 0.5, 1e-3])
      for (const beta of [0.02, 0.3, 0.9]) {
        const rule = unknownThreshold({ ...affordable, capSlack, beta });
        const p = searchOf(rule).leastChance;
        expect(rule.count.between(0, 1 - p, p)).toBeLessThanOrEqual(beta);
        expect(rule.count.between(0, 1 - p, p)).toBeGreaterThan(beta / 2);
      }
  });

  it('charges what the candidates fail by, in both steps', () => {
    const each = { epsilon: 0.1, delta: 1e-12 };
    const rule = unknownThreshold({ ...affordable, run: each });
    const once = unknownThreshold(affordable).total({ epsilon: 0.1, delta: 0 });
    const after = rule.count.between(1 - 1e-12, 1e-12, 0);
    expect(rule.total(each).delta / (1e-6 + searchOf(rule).samples * 1e-12 + after)).toBeCloseTo(1, 9);
    expect(rule.total(each).epsilon).toBeCloseTo(once.epsilon, 6);
  });

  it('is planned for runs of a cost and serves none that cost more, nor a total', () => {
    const rule = unknownThreshold(affordable);
    expect(() => rule.total({ epsilon: 0.1001, delta: 0 })).toThrow(
      expect.objectContaining({
        code: 'epsilon_invalid',
        message: expect.stringMatching(/planned for runs of epsilon 0.1;/),
      }),
    );
    expect(() => rule.total({ epsilon: 0.1, delta: 1e-20 })).toThrow(
      expect.objectContaining({ code: 'delta_invalid' }),
    );
    expect(() => rule.perRun({ epsilon: 6, delta: 1e-5 })).toThrow(
      /^The rule unknown-threshold is planned for the cost/,
    );
    expect(rule.totalRdp((order) => 0.01 * order)(2)).toBe(Number.POSITIVE_INFINITY);
    expect(() => lawOf(rule, [{ output: 0, score: 0, probability: 1 }])).toThrow('rule');
  });

  it.each([
    [{ candidates: 0 }, 'candidates'],
    [{ searchEpsilon: 0 }, 'searchEpsilon'],
    [{ couplingSlack: 1 }, 'couplingSlack'],
    [{ capSlack: 1.5 }, 'capSlack'],
    [{ beta: 0 }, 'beta'],
    [{ grid: 1 }, 'grid'],
    [{ run: { epsilon: 0.1, delta: -1 } }, 'run.delta'],
    [{ maxRuns: 0.5 }, 'maxRuns'],
    [{ maxRuns: 2 ** 31 }, 'maxRuns'],
  ])('refuses %j', (wrong, name) => {
    expect(() => unknownThreshold({ ...affordable, ...wrong })).toThrow(name);
  });
});

const [epsilon1, epsilon3, gamma, cap] = [0.5, 0.8, 0.05, 60];
const after = threshold({ tau: Number.NEGATIVE_INFINITY, gamma, cap });

/** A rule as the combined algorithm makes them, on few samples: only utility wants more. */
const small: ThresholdSearchPlan = {
  ...planThresholdSearch({
    ...{ run: { epsilon: epsilon1, delta: 0 }, percentile: 0.4, grid: 2, epsilon: 40, delta: 1e-4 },
    ...{ slack: 0.3, beta: 0.5, maxRuns: 1e9 },
  }),
  ...{ epsilon: epsilon3, samples: 10, offset: 1, lead: 0 },
};
const { tau: _, ...anyTau } = after;
const smallRule: StoppingRule = {
  ...anyTau,
  search: { samples: 10, thresholdOf: (scores, range, entropy) => searchThreshold(small, scores, range, entropy) },
};

/** The chances of each score k/2 as the answer, and of none: the threshold's law, and thresholding at each. */
function lawOfSmall(scores: readonly number[]): number[] {
  const law = [...scores, 0].map(() => 0);
  const run = scores.map((probability, score) => ({ output: score, score, probability }));
  searchLaw(small, scores).forEach((chance, k) => {
    const { outcomes, bottom } = lawOf(threshold({ tau: k, gamma, cap }), run);
    for (const { score, probability } of outcomes) law[score] += chance * probability;
    law[scores.length] += chance * bottom;
  });
  return law;
}

describe('the law of the combined algorithm on few samples', () => {
  it('keeps to the sum of its parts', () => {
    const claimed = epsilon3 + after.total({ epsilon: epsilon1, delta: 0 }).epsilon;
    for (const scores of [
      [0.6, 0.3, 0.1],
      [0.9, 0.05, 0.05],
      [0.3, 0.3, 0.4],
    ]) {
      const [a, b] = [lawOfSmall(scores), lawOfSmall(raisedScores(scores, epsilon1))];
      expect(a.reduce((x, y) => x + y)).toBeCloseTo(1, 10);
      expect(lossOf(a, b)).toBeLessThanOrEqual(claimed);
      expect(lossOf(a, b)).toBeGreaterThan(epsilon1 / 2);
    }
  });

  it.each([1, 4])('is that of select, in any range of scores, with %d runs at a time', async (concurrency) => {
    const scores = [0.6, 0.3, 0.1];
    const entropy = unsafeSeededEntropy(23);
    // Scores 0, 1/2 and 1 of the range from -3 to 5.
    const candidate: Candidate<number> = async () => {
      const u = bits(entropy, 24) / 2 ** 24;
      if (u < 0.2) await undefined;
      const output = u < 0.6 ? 0 : u < 0.9 ? 1 : 2;
      return { output, score: -3 + 4 * output };
    };
    const seen = [0, 0, 0, 0];
    for (let seed = 0; seed < 2000; seed++) {
      const found = await select({
        ...{ candidates: [candidate], score: { min: -3, max: 5 }, stopping: smallRule, concurrency, unsafeSeed: seed },
        guarantee: { relation: 'add-remove', unit: 'row', epsilon: epsilon1, delta: 0 },
      });
      seen[found.outcome === 'none' ? 3 : found.output]++;
    }
    expect(Math.abs(chiSquareZ(seen, lawOfSmall(scores)))).toBeLessThan(5);
  });
});

describe('a selection by the combined algorithm', () => {
  const run = { epsilon: 0.05, delta: 0 };
  const guarantee = { relation: 'add-remove', unit: 'row', ...run } as const;
  const cheap = {
    ...{ run, candidates: 2, grid: 4, searchEpsilon: 12, couplingSlack: 0.5, capSlack: 0.5 },
    ...{ delta: 0.01, beta: 0.2, maxRuns: 2e4 },
  };
  const score = { min: 0, max: 1 };
  const stopping = unknownThreshold(cheap);
  const { samples } = searchOf(stopping);

  it('gives a run as good as the best candidate, on fresh runs, but for about beta', async () => {
    const entropy = unsafeSeededEntropy(21);
    const repeats = 60;
    let [none, poor] = [0, 0];
    for (let seed = 0; seed < repeats; seed++) {
      let runs = 0;
      // The better candidate of the two reaches 0.75 with chance 1/2; the other never does.
      const better = () => ({ output: runs++, score: bits(entropy, 1) === 0 ? 0.75 : 0.1 });
      const other = () => ({ output: runs++, score: 0.1 });
      const found = await select({ candidates: [better, other], score, stopping, guarantee, unsafeSeed: seed });
      expect(runs).toBeGreaterThanOrEqual(samples + 1);
      expect(runs).toBeLessThanOrEqual(stopping.runs.most);
      expect(found.guarantee).toEqual({ ...guarantee, ...stopping.total(run) });
      if (found.outcome === 'none') none++;
      else {
        expect(found.output).toBe(runs - 1);
        if (found.score < 0.75 - 1 / 4) poor++;
      }
    }
    const tolerance = 4 * Math.sqrt(repeats * 0.2 * 0.8);
    expect(none).toBeLessThanOrEqual(repeats * 0.2 + tolerance);
    expect(poor).toBeLessThanOrEqual(repeats * 0.2 + tolerance);
    expect(none + poor).toBeLessThan(repeats / 2);
  });

  it('gives none when no run reaches the threshold, after the search and the runs drawn', async () => {
    for (let seed = 0; seed < 5; seed++) {
      let runs = 0;
      // Good in the search, failing from then on.
      const candidate = () => ({ output: 'x', score: runs++ < samples ? 1 : Number.NaN });
      const found = await select({ candidates: [candidate], score, stopping, guarantee, unsafeSeed: seed });
      expect(found.outcome).toBe('none');
      expect(runs).toBe(samples + stopping.drawRuns(unsafeSeededEntropy(seed)));
    }
  });

  it.each([
    ['the search', 3],
    ['the runs after it', 14],
  ])('that is broken off in %s goes on, with the threshold that was drawn', async (_, at) => {
    const drawn: number[] = [];
    const search = {
      samples: 10,
      thresholdOf: (...[scores]: Parameters<NonNullable<StoppingRule['search']>['thresholdOf']>) => {
        drawn.push(scores.filter((one) => one === 0.25).length);
        return 0.5;
      },
    };
    const rule: StoppingRule = { ...smallRule, search, drawRuns: () => 30 };
    const state = memory<number>();
    const broken = new AbortController();
    let made = 0;
    const candidate = () => {
      if (++made === at) broken.abort();
      return { output: made, score: made < 20 ? 0.25 : 0.75 };
    };
    const all = { candidates: [candidate], score, stopping: rule, guarantee, state };
    await expect(select({ ...all, signal: broken.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(drawn.length).toBe(at > 10 ? 1 : 0);
    expect(await select({ ...all, resume: true })).toMatchObject({ outcome: 'selected', output: 20, score: 0.75 });
    // The run that was under way counts as failed.
    expect(drawn).toEqual([at > 10 ? 10 : 9]);
    expect(made).toBe(20);
  });

  it('is refused for runs that cost more than was planned, before anything is run', async () => {
    const dear = { ...guarantee, epsilon: 0.06 };
    const candidate: Candidate<string> = () => expect.unreachable();
    await expect(select({ candidates: [candidate], score, stopping, guarantee: dear })).rejects.toMatchObject({
      code: 'epsilon_invalid',
    });
    await expect(select({ candidates: [candidate], score, stopping, guarantee, maxRuns: 1000 })).rejects.toThrow(
      /may need \d+ runs, more than the 1000/,
    );
  });
});

describe('a run for a total', () => {
  const options = {
    ...{ candidates: 4, grid: 4, couplingSlack: 0.5, capSlack: 0.5, delta: 1e-3, beta: 0.2 },
    searchEpsilon: 30,
    maxRuns: 1e6,
  };

  it('is the largest that keeps to it', () => {
    const total = { epsilon: 31, delta: 1e-3 };
    const run = unknownThresholdRun(options, total);
    const costOf = (epsilon: number) => {
      const each = { epsilon, delta: 0 };
      return unknownThreshold({ ...options, run: each }).total(each);
    };
    expect(costOf(run.epsilon).epsilon).toBeLessThanOrEqual(total.epsilon);
    expect(costOf(run.epsilon).delta).toBeLessThanOrEqual(total.delta);
    expect(costOf(run.epsilon * 1.000001).epsilon).toBeGreaterThan(total.epsilon);
  });

  it('needs no more runs than are allowed', () => {
    const few = { ...options, maxRuns: 20_000 };
    const run = unknownThresholdRun(few, { epsilon: 40, delta: 1e-3 });
    expect(unknownThreshold({ ...few, run }).runs.most).toBeLessThanOrEqual(20_000);
    expect(() => unknownThreshold({ ...few, run: { epsilon: run.epsilon * 1.01, delta: 0 } })).toThrow(/runs/);
  });

  it('is refused where the search alone costs more, or needs more runs, with the number', () => {
    expect(() => unknownThresholdRun(options, { epsilon: 30, delta: 1e-3 })).toThrow(/alone cost epsilon 30/);
    expect(() => unknownThresholdRun(options, { epsilon: 40, delta: 1e-4 })).toThrow(/alone cost delta/);
    expect(() => unknownThresholdRun({ ...options, maxRuns: 10 }, { epsilon: 40, delta: 1e-3 })).toThrow(
      /needs \d+ runs/,
    );
  });
});
