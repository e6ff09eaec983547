import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { hardStopping } from '../../src/selection/hard-stopping.js';
import { logarithmic } from '../../src/selection/negative-binomial.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';
import { threshold } from '../../src/selection/threshold.js';
import { fixedCount, play } from './support.js';

const trials = 50_000;
const doubt = Math.log(1e6);

/** The probabilities that Chernoff's bound does not exclude with a confidence of 1 - 1e-6, for one side. */
function confidence(seen: number): { low: number; high: number } {
  const share = seen / trials;
  const term = (x: number, y: number) => (x === 0 ? 0 : x * Math.log(x / y));
  const excluded = (p: number) => trials * (term(share, p) + term(1 - share, 1 - p)) > doubt;
  const edge = (outer: number) => {
    let [inside, outside] = [share, outer];
    for (let i = 0; i < 50; i++) {
      const mid = (inside + outside) / 2;
      if (excluded(mid)) outside = mid;
      else inside = mid;
    }
    return outside;
  };
  return { low: edge(0), high: edge(1) };
}

/** The epsilon that is certain, from playing both data sets and counting answers (scores, and BOTTOM as -1). */
function certainLoss(rule: StoppingRule, epsilon: number): number {
  const e = Math.exp(epsilon);
  const [a, b] = [
    [1 / (1 + e), e / (1 + e)],
    [e / (1 + e), 1 / (1 + e)],
  ].map((weights, side) => {
    const entropy = unsafeSeededEntropy(40 + side);
    const seen = [0, 0, 0];
    for (let i = 0; i < trials; i++) seen[1 + play(entropy, rule, weights).score]++;
    return seen.map(confidence);
  });
  return Math.max(...a.flatMap((x, i) => [Math.log(x.low / b[i].high), Math.log(b[i].low / x.high)]));
}

describe('a selection, played on neighbours', () => {
  const epsilon = 0.5;

  it.each<[string, StoppingRule]>([
    ['threshold', threshold({ tau: 1, gamma: 0.1, cap: 50 })],
    ['random stopping', randomStopping({ gamma: 0.1 })],
    ['hard stopping', hardStopping({ gamma: 0.1, cap: 30 })],
    ['logarithmic', logarithmic({ gamma: 0.05 })],
    ['poisson', poisson({ mean: 3 })],
  ])('%s: loses no more than it claims, and more than nothing', (_, rule) => {
    const loss = certainLoss(rule, epsilon);
    expect(loss).toBeLessThanOrEqual(rule.total({ epsilon, delta: 0 }).epsilon);
    expect(loss).toBeGreaterThan(0.2);
  });

  it('the best of eight, and a threshold that gives up after eight, lose more than any rule here claims', () => {
    for (const rule of [randomStopping({ gamma: 0.1 }), threshold({ tau: 1, gamma: 0.1 })])
      expect(certainLoss({ ...rule, drawRuns: fixedCount(8).draw }, epsilon)).toBeGreaterThan(3 * epsilon);
  });
});
