import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bernoulli } from '../../src/random/exact.js';
import { sparseVectorNoise } from '../../src/selection/above-threshold.js';
import { coupling } from '../../src/selection/coupling.js';
import { haltingLaw } from '../../src/selection/halting-law.js';
import {
  planSampledSparseVector,
  type SampledSparseVectorPlan,
  sampledSparseVector,
} from '../../src/selection/sampled-sparse-vector.js';
import { binomial, lowered, raised } from '../support/candidates.js';
import { chiSquareZ } from '../support/chi-square.js';
import { deltaOf, lossOf } from '../support/sparse-vector.js';

/** P(a*X - b*Y > z) for standard Laplace X and Y. */
function differenceTail(z: number, a: number, b: number): number {
  if (z < 0) return 1 - differenceTail(-z, a, b);
  return (a * a * Math.exp(-z / a) - b * b * Math.exp(-z / b)) / (2 * (a * a - b * b));
}

const oddsOf = ({ samples, offset }: SampledSparseVectorPlan, passing: number) =>
  Math.log((passing + offset) / (samples - passing + offset));

/** The law of one query, [above, below], as a sum over how many runs pass. */
function oneQuery(plan: SampledSparseVectorPlan, p: number): number[] {
  const { query, threshold } = sparseVectorNoise(plan.sensitivity, plan.epsilon);
  const level = oddsOf(plan, plan.samples * plan.percentile);
  const above = binomial(plan.samples, p).reduce(
    (sum, chance, k) => sum + chance * differenceTail(level - oddsOf(plan, k), query, threshold),
    0,
  );
  return [above, 1 - above];
}

/** The law of two queries: above at the first, at the second, or never. */
function twoQueries(plan: SampledSparseVectorPlan, [p, q]: readonly [number, number]): number[] {
  const noise = sparseVectorNoise(plan.sensitivity, plan.epsilon);
  const level = oddsOf(plan, plan.samples * plan.percentile);
  const law = [0, 0, 0];
  const second = binomial(plan.samples, q);
  binomial(plan.samples, p).forEach((chance, j) => {
    second.forEach((other, k) => {
      const { above, never } = haltingLaw([oddsOf(plan, j), oddsOf(plan, k)], level, noise);
      [...above, never].forEach((part, i) => {
        law[i] += chance * other * part;
      });
    });
  });
  return law;
}

const options = {
  run: { epsilon: 0.4, delta: 0 },
  percentile: 0.4,
  queries: 1,
  epsilon: 3,
  delta: 1e-3,
  slack: 0.4,
  beta: 0.2,
  maxRuns: Number.MAX_SAFE_INTEGER,
};
/** Few samples: only utility wants more. */
const small = (samples: number, change: Partial<typeof options> = {}): SampledSparseVectorPlan => ({
  ...planSampledSparseVector({ ...options, ...change }),
  samples,
});

describe('counts of neighbours, with the offset', () => {
  const [epsilon, slack, chance] = [0.5, 0.3, 1e-3];
  const factor = Math.exp(epsilon + slack);
  /** The chance that X + offset > factor*(Y + offset), for independent counts. */
  const apart = (n: number, p: number, offset: number) => {
    const [x, y] = [binomial(n, raised(p, epsilon)), binomial(n, p)];
    let sum = 0;
    for (let j = 0; j <= n; j++)
      for (let k = 0; k <= n; k++) if (j + offset > factor * (k + offset)) sum += x[j] * y[k];
    return sum;
  };

  it('are a factor apart but for the chance that is paid for; without an offset they are not', () => {
    const offset = coupling(slack, chance);
    for (const [n, p] of [
      [20, 0.1],
      [300, 0.03],
      [1000, 0.02],
    ]) {
      expect(apart(n, p, offset)).toBeLessThanOrEqual(chance);
      expect(apart(n, p, 0)).toBeGreaterThan(chance);
    }
    expect(apart(300, 0.5, offset)).toBeLessThanOrEqual(chance);
  });

  it('have an offset that is enough for the lemma and for concentration', () => {
    for (const [a, s] of [
      [0, 0.99],
      [0.1, 0.5],
      [2, 0.1],
      [0.5, 1e-6],
    ]) {
      const lemma = (2 * (Math.exp(a + s) + 1) * Math.log(2 / chance)) / (s * Math.expm1(a + s));
      expect(coupling(s, chance)).toBeGreaterThanOrEqual(lemma);
      const x = (2 * Math.log(2 / chance)) / s;
      expect(coupling(s, chance) / (x / -Math.expm1(-s / 2))).toBeCloseTo(1, 9);
    }
  });

  it('are near their means with the offset, which the lemma alone does not give', () => {
    const [close, far] = [0.1, 2];
    const strays = (offset: number) => {
      const [n, p] = [2000, 0.2];
      return binomial(n, p).reduce((sum, p0, k) => {
        const off = Math.abs(Math.log((k + offset) / (n * p + offset)));
        return off > close / 2 ? sum + p0 : sum;
      }, 0);
    };
    const lemma = (2 * (Math.exp(far + close) + 1) * Math.log(2 / chance)) / (close * Math.expm1(far + close));
    expect(strays(coupling(close, chance))).toBeLessThanOrEqual(chance);
    expect(strays(lemma)).toBeGreaterThan(chance);
  });
});

describe('the sparse vector on samples', () => {
  const chances = [0.02, 0.2, 0.4, 1 / (1 + Math.exp(0.4)), 0.7, 0.97];

  it('keeps to epsilon and delta for one query, and noise for an eighth of the sensitivity does not', () => {
    const plan = small(800);
    const losses = (used: SampledSparseVectorPlan) =>
      chances.flatMap((p) => [raised, lowered].map((move) => [oneQuery(used, p), oneQuery(used, move(p, 0.4))]));
    for (const [a, b] of losses(plan)) expect(deltaOf(a, b, plan.epsilon)).toBeLessThanOrEqual(plan.delta);
    const most = (used: SampledSparseVectorPlan) => Math.max(...losses(used).map(([a, b]) => lossOf(a, b)));
    expect(most(plan)).toBeGreaterThan(plan.epsilon / 20);
    const narrow = { ...plan, sensitivity: plan.sensitivity / 16 };
    expect(Math.max(...losses(narrow).map(([a, b]) => deltaOf(a, b, plan.epsilon)))).toBeGreaterThan(plan.delta);
  });

  it('has log odds no further apart than is paid for, where counts are a factor apart, and as far as that', () => {
    const plan = small(600, { delta: 0.5 });
    const factor = Math.exp(0.4 + 0.4);
    let most = 0;
    const counts = Array.from({ length: 601 }, (_, k) => k);
    for (const j of counts)
      for (const k of counts) {
        const ratio = (x: number, y: number) =>
          Math.max((x + plan.offset) / (y + plan.offset), (y + plan.offset) / (x + plan.offset));
        if (Math.max(ratio(j, k), ratio(600 - j, 600 - k)) <= factor)
          most = Math.max(most, Math.abs(oddsOf(plan, j) - oddsOf(plan, k)));
      }
    expect(most).toBeLessThanOrEqual(plan.sensitivity);
    expect(most).toBeGreaterThan(0.8 * plan.sensitivity);
  });

  it('pays for four events in each query', () => {
    expect(small(1, { queries: 7 }).offset).toBe(coupling(0.4, 1e-3 / 28));
  });

  it('keeps to them for two queries', () => {
    const plan = small(20, { queries: 2 });
    for (const pair of [
      [0.4, 0.6],
      [0.1, 0.5],
    ] as const) {
      const law = twoQueries(plan, pair);
      expect(law.reduce((a, b) => a + b)).toBeCloseTo(1, 10);
      const moved = twoQueries(plan, [raised(pair[0], 0.4), lowered(pair[1], 0.4)]);
      expect(deltaOf(law, moved, plan.epsilon)).toBeLessThanOrEqual(plan.delta);
    }
  });

  it('halts by its law', async () => {
    // Where the offset matters: few of the runs fail.
    const plan = { ...small(20, { queries: 2, epsilon: 14, percentile: 0.98 }), offset: 0.3 };
    const pair = [0.9, 0.98] as const;
    const entropy = unsafeSeededEntropy(5);
    const seen = [0, 0, 0];
    for (let i = 0; i < 20_000; i++) {
      const vector = sampledSparseVector(plan, entropy);
      const first = await vector.next(() => bernoulli(entropy, pair[0]));
      seen[first ? 0 : (await vector.next(async () => bernoulli(entropy, pair[1]))) ? 1 : 2]++;
    }
    expect(Math.abs(chiSquareZ(seen, twoQueries(plan, pair)))).toBeLessThan(5);
  });

  it('runs each candidate as often as planned, and stops after the last query', async () => {
    const vector = sampledSparseVector(small(37, { queries: 2, epsilon: 100 }), unsafeSeededEntropy(1));
    let runs = 0;
    const fails = () => {
      runs++;
      return false;
    };
    expect(await vector.next(fails)).toBe(false);
    expect(runs).toBe(37);
    await vector.next(fails);
    await expect(vector.next(fails)).rejects.toThrow(expect.objectContaining({ code: 'budget_exceeded' }));
    expect(runs).toBe(74);
  });

  it('stops after an answer above', async () => {
    const vector = sampledSparseVector({ ...small(5, { queries: 9, epsilon: 1e6 }), offset: 0.001 });
    expect(await vector.next(() => true)).toBe(true);
    await expect(vector.next(() => false)).rejects.toThrow(expect.objectContaining({ code: 'budget_exceeded' }));
  });
});

describe('the plan of a sparse vector on samples', () => {
  it('is refused with the number of runs when they are too many', () => {
    const large = { run: { epsilon: 0.1, delta: 0 }, slack: 0.05, epsilon: 1, queries: 10, beta: 0.05 };
    const plan = () => planSampledSparseVector({ ...large, delta: 1e-6, percentile: 0.5, maxRuns: 1e6 });
    // 2e9 for each of ten queries.
    expect(plan).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringMatching(/about 2\.0e10 .*1000000/) }),
    );
    const endless = { ...options, epsilon: 1e-3, queries: 10 };
    expect(() => planSampledSparseVector(endless)).toThrow(/about \d\.\de\d{4}/);
  });

  it('charges what the candidates fail by, once for each run', () => {
    const plan = planSampledSparseVector({ ...options, epsilon: 40, run: { epsilon: 0.4, delta: 1e-9 } });
    expect(plan.runs).toBeLessThan(1e5);
    expect(plan.delta).toBeCloseTo(1e-3 + plan.runs * 1e-9, 15);
  });

  it('finds high chances and passes low ones by, but for beta', () => {
    const plan = planSampledSparseVector({ ...options, epsilon: 40 });
    const kappa = Math.exp(-0.4) * (0.2 / 2) ** ((6 * plan.sensitivity) / 40);
    expect(oneQuery(plan, (kappa * 0.4) / 2)[0]).toBeLessThanOrEqual(0.2 + 1e-3);
    expect(oneQuery(plan, 1 - (kappa * 0.6) / 2)[1]).toBeLessThanOrEqual(0.2 + 1e-3);
  });

  it.each([
    [{ run: { epsilon: -1, delta: 0 } }, 'epsilon_invalid', 'run.epsilon'],
    [{ run: { epsilon: 1, delta: 1 } }, 'delta_invalid', 'run.delta'],
    [{ percentile: 1 }, 'option_invalid', 'percentile'],
    [{ queries: 0 }, 'option_invalid', 'queries'],
    [{ queries: 1.5 }, 'option_invalid', 'queries'],
    [{ delta: 0 }, 'delta_invalid', 'delta'],
    [{ slack: 1 }, 'option_invalid', 'slack'],
    [{ beta: 0 }, 'option_invalid', 'beta'],
    [{ maxRuns: Number.POSITIVE_INFINITY }, 'option_invalid', 'maxRuns'],
  ])('refuses %j', (wrong, code, name) => {
    expect(() => planSampledSparseVector({ ...options, ...wrong })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(name) }),
    );
  });
});
