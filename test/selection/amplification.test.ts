import { describe, expect, it } from 'vitest';
import { amplifyBest, amplifyUntilGood } from '../../src/selection/amplification.js';
import { lawOf } from '../../src/selection/law.js';

/** A run that is good, with score 1, with this chance. */
const run = (chance: number) => [
  { output: 'poor', score: 0, probability: 1 - chance },
  { output: 'good', score: 1, probability: chance },
];

const cases = [
  [0.5, 0.1],
  [0.02, 0.05],
  [0.9, 0.5],
  [0.001, 0.3],
];

describe('repeating a private algorithm', () => {
  it.each(cases)('until the best is good, but for beta and not for less: chance %d, beta %d', (chance, beta) => {
    const rule = amplifyBest({ chance, beta });
    const [{ probability: poor }] = lawOf(rule, run(chance)).outcomes;
    expect(poor).toBeLessThanOrEqual(beta);
    if (rule.runs.expected > 1) expect(poor).toBeGreaterThan(beta * (1 - 1e-9));
    expect(rule.runs.expected).toBeLessThanOrEqual(1 / (beta * chance));
    expect(rule.total({ epsilon: 0.3, delta: 0 }).epsilon).toBeLessThanOrEqual(0.9);
    expect(rule.total({ epsilon: 0.3, delta: 0 }).epsilon).toBeGreaterThanOrEqual(0.3);
  });

  it.each(cases)('until one is good, but for beta, whatever the cap costs: chance %d, beta %d', (chance, beta) => {
    for (const capSlack of [1, 0.2, 1e-6]) {
      const rule = amplifyUntilGood({ chance, beta, tau: 1, capSlack });
      const { bottom, draws } = lawOf(rule, run(chance));
      expect(bottom).toBeLessThanOrEqual(beta);
      expect(draws).toBeLessThanOrEqual(1 / chance);
      expect(rule.runs.most).toBeLessThan(Number.POSITIVE_INFINITY);
      // Gamma is not needlessly small: no smaller than the theorem's, whose cap is longer.
      expect(rule.runs.most).toBeLessThanOrEqual(
        Math.ceil(Math.max(Math.log(2 / capSlack), 1 / Math.E) * ((1 + capSlack / 2) / (beta * chance))) + 1,
      );
      expect(rule.total({ epsilon: 0.3, delta: 0 }).epsilon).toBeLessThanOrEqual(0.6 + capSlack);
    }
  });

  it('gives rules that serve runs with a delta, and the other way round', () => {
    for (const rule of [
      amplifyBest({ chance: 0.2, beta: 0.1 }),
      amplifyUntilGood({ chance: 0.2, beta: 0.1, tau: 1, capSlack: 0.1 }),
    ]) {
      const each = rule.perRun({ epsilon: 1, delta: 1e-6 });
      expect(each.epsilon).toBeGreaterThan(0.33);
      expect(rule.total(each).delta).toBeLessThanOrEqual(1e-6);
    }
  });

  it.each([
    [{ chance: 0 }, 'chance'],
    [{ beta: 1 }, 'beta'],
    [{ capSlack: 2 }, 'capSlack'],
    [{ tau: Number.NaN }, 'tau'],
    [{ chance: 1e-9, beta: 1e-9 }, 'beta must be at least'],
  ])('refuses %j', (wrong, name) => {
    const options = { chance: 0.5, beta: 0.1, tau: 1, capSlack: 0.1, ...wrong };
    expect(() => amplifyUntilGood(options)).toThrow(name);
    if ('chance' in wrong || 'beta' in wrong) expect(() => amplifyBest(options)).toThrow(name);
  });
});
