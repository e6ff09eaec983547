import { describe, expect, it } from 'vitest';
import { amplifyBest, amplifyUntilGood } from '../../src/selection/amplification.js';

/** The chance that the best of a geometric number of runs is not good, as a sum. */
function noneGood(gamma: number, chance: number): number {
  let sum = 0;
  for (let k = 1; k < 1e5; k++) sum += gamma * (1 - gamma) ** (k - 1) * (1 - chance) ** k;
  return sum;
}

describe('repeating a private algorithm', () => {
  const cases = [
    [0.5, 0.1],
    [0.02, 0.05],
    [0.9, 0.5],
  ];

  it.each(cases)('until the best is good: chance %d, beta %d', (chance, beta) => {
    const { gamma, expectedRuns, epsilon, cap } = amplifyBest({ runEpsilon: 0.3, chance, beta });
    expect(noneGood(gamma, chance)).toBeLessThanOrEqual(beta);
    expect(noneGood(gamma, chance)).toBeGreaterThan(beta * (1 - chance) * 0.5);
    expect(expectedRuns).toBeCloseTo(1 / (beta * chance), 9);
    expect(cap).toBe(Number.POSITIVE_INFINITY);
    expect(epsilon).toBeCloseTo(0.9, 12);
    expect(epsilon).toBeGreaterThanOrEqual(0.9);
  });

  it.each(cases)('until one is good: chance %d, beta %d', (chance, beta) => {
    const options = { runEpsilon: 0.3, chance, beta, capSlack: 0.2 };
    const { gamma, cap, expectedRuns, epsilon } = amplifyUntilGood(options);
    expect(gamma).toBeCloseTo((beta * chance) / 1.1, 15);
    // No answer: a coin after a run that is not good, or the cap.
    const r = (1 - chance) * (1 - gamma);
    const runs = (1 - r ** cap) / (1 - r);
    expect((1 - chance) * gamma * runs + r ** cap).toBeLessThanOrEqual(beta);
    expect(runs).toBeLessThanOrEqual(expectedRuns);
    expect((1 - gamma) ** cap).toBeLessThanOrEqual(0.1);
    expect(epsilon).toBeCloseTo(0.8, 12);
  });

  it.each([
    [{ chance: 0 }, 'chance'],
    [{ beta: 1 }, 'beta'],
    [{ runEpsilon: 0 }, 'runEpsilon'],
    [{ capSlack: 2 }, 'capSlack'],
  ])('refuses %j', (wrong, name) => {
    const options = { runEpsilon: 0.3, chance: 0.5, beta: 0.1, capSlack: 0.1, ...wrong };
    expect(() => amplifyUntilGood(options)).toThrow(name);
    if (!('capSlack' in wrong)) expect(() => amplifyBest(options)).toThrow(name);
  });
});
