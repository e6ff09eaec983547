import { describe, expect, it } from 'vitest';
import { type RdpCurve, rdpEpsilon, rdpTable } from '../../src/privacy/rdp.js';
import { closePairs } from '../../src/selection/audit.js';
import { hardStopping, hardStoppingSlack } from '../../src/selection/hard-stopping.js';
import { lawOf } from '../../src/selection/law.js';
import { negativeBinomial } from '../../src/selection/negative-binomial.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';
import { threshold, thresholdSlack } from '../../src/selection/threshold.js';
import { capped, tight } from './rules.js';
import { scores } from './support.js';

/** D_a of finite laws, by its definition, at order 1 the relative entropy; both ways. */
function renyi(p: readonly number[], q: readonly number[], a: number): number {
  const one = (x: readonly number[], y: readonly number[]) => {
    if (a === Number.POSITIVE_INFINITY) return Math.max(...x.map((m, i) => Math.log(m / y[i])));
    if (a === 1) return x.reduce((sum, m, i) => sum + m * Math.log(m / y[i]), 0);
    const logs = x.map((m, i) => a * Math.log(m) + (1 - a) * Math.log(y[i])).filter((l) => !Number.isNaN(l));
    const top = Math.max(...logs);
    return (top + Math.log(logs.reduce((sum, l) => sum + Math.exp(l - top), 0))) / (a - 1);
  };
  return Math.max(one(p, q), one(q, p));
}

const masses = (rule: StoppingRule, probabilities: readonly number[]) => {
  const law = lawOf(rule, scores(...probabilities));
  return [...law.outcomes.map((o) => o.probability), law.bottom].filter((p) => p > 0);
};

const orders = [1.05, 1.5, 2, 3, 8, 40, 200];

/** Pairs with the exact curve of the run, which no claim may be below. */
function check(rule: StoppingRule, pairs: Iterable<readonly [readonly number[], readonly number[]]>): number {
  let nearest = 0;
  for (const [p, q] of pairs) {
    const curve: RdpCurve = (a) => renyi(p, q, a);
    const total = rule.totalRdp(curve);
    const [wholeP, wholeQ] = [masses(rule, p), masses(rule, q)];
    for (const a of orders) {
      const found = renyi(wholeP, wholeQ, a);
      expect(found).toBeLessThanOrEqual(total(a) + 1e-10);
      nearest = Math.max(nearest, found / total(a));
    }
  }
  return nearest;
}

const close = (epsilon: number) =>
  [...closePairs({ epsilon, random: 12, seed: 9 })]
    .map(({ a, b }) => [a.map((o) => o.probability), b.map((o) => o.probability)] as const)
    .filter((_, i) => i % 9 === 0 || i > 300);

/** Neighbours without a bound of their ratio: normal scores a shift apart, and rare outcomes that give a data set away. */
function unbounded(): (readonly [readonly number[], readonly number[]])[] {
  const normal = (mean: number) => {
    const weights = Array.from({ length: 25 }, (_, i) => Math.exp(-(((i - 12) / 3 - mean) ** 2) / 2));
    const total = weights.reduce((a, b) => a + b);
    return weights.map((w) => w / total);
  };
  const shifted = [0.1, 0.5, 2].flatMap((shift) => [
    [normal(0), normal(shift)] as const,
    [normal(0).toReversed(), normal(-shift).toReversed()] as const,
  ]);
  const rare = [1e-3, 1e-6].flatMap((p) =>
    [10, 1000].map(
      (ratio) =>
        [
          [1 - p - 0.3, 0.3, p],
          [1 - p / ratio - 0.3, 0.3, p / ratio],
        ] as const,
    ),
  );
  return [...shifted, ...rare, ...rare.map(([p, q]) => [p.toReversed(), q.toReversed()] as const)];
}

describe('Renyi divergences of the whole', () => {
  it.each([...tight, ...capped])('%s: exact ones of finite laws are below the bound', (_, rule) => {
    for (const epsilon of [0.2, 1.5]) check(rule, close(epsilon));
    check(rule, unbounded());
  });

  it.each([0.3, 1, 3, 10])('a poisson number of runs, mean %d, of runs that hardly differ', (mean) => {
    const rule = poisson({ mean });
    const pairs = [0, 1e-3, 0.05, 0.3, 0.49].map(
      (h) =>
        [
          [0.5 - h, 0.5 + h],
          [0.5 + h, 0.5 - h],
        ] as const,
    );
    check(rule, pairs);
    // Of runs that do not depend on the data nothing can be learnt: the bound that lacks e^-mean is negative for means below 1.
    const free = rule.totalRdp(() => 0);
    for (const a of orders) expect(free(a)).toBeGreaterThanOrEqual(0);
    if (mean < 1) expect(Math.log(mean) / (2 - 1)).toBeLessThan(0);
  });

  it('a poisson number of a mean below 1 refutes the published bound', () => {
    // Runs that differ: r + mean*d + ln(mean)/(a-1) is below the exact divergence.
    const [p, q] = [
      [0.5, 0.5],
      [0.55, 0.45],
    ];
    const a = 1.5;
    const epsilon = Math.log1p(1 / (a - 1));
    const d = Math.max(0, ...p.map((x, i) => x - Math.exp(epsilon) * q[i]));
    const published = renyi(p, q, a) + 0.3 * d + Math.log(0.3) / (a - 1);
    const rule = poisson({ mean: 0.3 });
    expect(renyi(masses(rule, p), masses(rule, q), a)).toBeGreaterThan(published);
  });

  it('gammas near 1 refute the bound with one more term of ln(1 - gamma)', () => {
    const [gamma, eta, a] = [0.999999, 1, 2];
    const [p, q] = [
      [0.5, 0.5],
      [0.6, 0.4],
    ];
    const rule = negativeBinomial({ eta, gamma });
    const curve = (b: number) => renyi(p, q, b);
    const published = Math.min(
      ...[1.5, 2, 4, 16].map(
        (b) =>
          curve(a) + (1 + eta) * (1 - 1 / b) * curve(b) + ((1 + eta) * (Math.log(1 / gamma) + Math.log(1 - gamma))) / b,
      ),
    );
    expect(renyi(masses(rule, p), masses(rule, q), a)).toBeGreaterThan(published + 1);
  });

  it('are attained within a third for a threshold and for random stopping', () => {
    const gaussian = close(1.5);
    expect(check(threshold({ tau: 1, gamma: 0.1 }), gaussian)).toBeGreaterThan(0.66);
    expect(check(randomStopping({ gamma: 0.1 }), gaussian)).toBeGreaterThan(0.66);
  });
});

describe('curves', () => {
  const zcdp =
    (rho: number): RdpCurve =>
    (a) =>
      rho * a;

  it.each([
    [1, 0.01, 1.81941, 3.5747],
    [0, 0.01, 0.9097, 2.5755],
    [0.5, 0.01, 1.36456, 3.0856],
    [-0.5, 1e-4, 0.65361, 2.3697],
  ])('of zCDP runs, eta %d and gamma %d, have the figures', (eta, gamma, constant, epsilon) => {
    const rule = negativeBinomial({ eta, gamma });
    const total = rule.totalRdp(zcdp(0.05));
    for (const a of [2, 10])
      expect(total(a) - 0.05 * a - Math.log(rule.runs.expected) / (a - 1)).toBeCloseTo(constant, 4);
    expect(rdpEpsilon(total, 1e-6)).toBeCloseTo(epsilon, 3);
  });

  it('of a poisson number differ from the published form by next to nothing for a large mean', () => {
    const [mean, rho, a] = [20, 0.01, 4];
    const total = poisson({ mean }).totalRdp(zcdp(rho))(a);
    const base = rho * a + Math.log(mean) / (a - 1);
    expect(total).toBeGreaterThan(base);
    expect(total).toBeLessThan(base + 0.1);
  });

  it('of pure runs are no worse than the pure guarantee', () => {
    for (const [, rule] of [...tight, ...capped]) {
      const total = rule.totalRdp(() => 0.4);
      for (const a of [1.001, 2, 100, Number.POSITIVE_INFINITY])
        expect(total(a)).toBeLessThanOrEqual(rule.total({ epsilon: 0.4, delta: 0 }).epsilon);
    }
    expect(threshold({ tau: 0, gamma: 0 }).totalRdp(() => 0.4)(5)).toBeCloseTo(0.8, 9);
  });

  it('promise nothing where nothing is known', () => {
    expect(threshold({ tau: 0, gamma: 0 }).totalRdp(zcdp(0.1))(5)).toBe(Number.POSITIVE_INFINITY);
    expect(randomStopping({ gamma: 0.1 }).totalRdp(zcdp(0.1))(1)).toBe(Number.POSITIVE_INFINITY);
    expect(randomStopping({ gamma: 0.1 }).totalRdp(rdpTable([[4, 0.1]]))(5)).toBe(Number.POSITIVE_INFINITY);
  });

  it('of tables stay tables, and prove less than the curve they are of', () => {
    for (const rule of [threshold({ tau: 0, gamma: 0.01 }), randomStopping({ gamma: 0.01 }), poisson({ mean: 10 })]) {
      const table = rdpTable([1.5, 2, 3, 5, 9, 17, 33, 65, 129].map((a) => [a, 0.05 * a]));
      const total = rule.totalRdp(table);
      expect(total.orders).toEqual(table.orders);
      const least = rdpEpsilon(rule.totalRdp(zcdp(0.05)), 1e-6);
      expect(rdpEpsilon(total, 1e-6)).toBeGreaterThanOrEqual(least * (1 - 1e-9));
      expect(rdpEpsilon(total, 1e-6)).toBeLessThan(2 * least);
    }
  });

  it('of a threshold are, for zCDP runs, the closed form', () => {
    const [rho, gamma] = [0.02, 0.001];
    const total = threshold({ tau: 0, gamma }).totalRdp(zcdp(rho));
    const log = Math.log(1 / gamma);
    for (const a of [1.5, 4, 50]) {
      expect(total(a)).toBeCloseTo(rho * a + 2 * Math.sqrt(rho * log) - rho + log / (a - 1), 6);
      // The order a-1 alone, which is simpler, proves no more.
      if (a > 2) expect(total(a)).toBeLessThanOrEqual(rho * a + (a - 2) * rho + (2 * log) / (a - 1) + 1e-9);
    }
  });

  it('with a cap cost its slack, and at most as many runs', () => {
    const [gamma, cap, a] = [0.1, 40, 8];
    const [hard, free] = [hardStopping({ gamma, cap }), randomStopping({ gamma })];
    const fewer = Math.log(hard.runs.expected / free.runs.expected) / (a - 1);
    const [hardCost, freeCost] = [hard, free].map((rule) => rule.totalRdp(zcdp(0.05))(a));
    expect(hardCost).toBeCloseTo(freeCost + hardStoppingSlack(gamma, cap) + fewer, 9);
    const [short, long] = [cap, undefined].map((most) =>
      threshold({ tau: 0, gamma, cap: most }).totalRdp(zcdp(0.05))(a),
    );
    expect(short).toBeCloseTo(long + (a / (a - 1)) * thresholdSlack(gamma, cap), 9);
    expect(hardStopping({ gamma: 0.01, cap: 2 }).totalRdp(zcdp(0.05))(a)).toBeCloseTo(0.8, 9);
  });
});
