import { describe, expect, it } from 'vitest';
import { zcdpDelta, zcdpEpsilon, zcdpRho } from '../../src/privacy/zcdp.js';

const budgets = [1e-6, 0.01, 0.1, 1, 5, 20, 100];
const deltas = [1e-300, 1e-12, 1e-6, 1e-3, 0.1, 0.9];
const pairs = budgets.flatMap((x) => deltas.map((delta): [number, number] => [x, delta]));

/** The integral of a standard normal from x to infinity, by Simpson's rule. */
function normalTail(x: number): number {
  const steps = 4000;
  const width = 40 / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    const y = x + i * width;
    sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp(-(y * y) / 2);
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

/** What rho = 1/(2*sigma^2) costs when it comes from the continuous Gaussian mechanism (Balle, Wang 2018). */
function gaussianDelta(rho: number, epsilon: number): number {
  const sigma = 1 / Math.sqrt(2 * rho);
  return (
    normalTail(epsilon * sigma - 1 / (2 * sigma)) - Math.exp(epsilon) * normalTail(epsilon * sigma + 1 / (2 * sigma))
  );
}

describe('conversions of zCDP', () => {
  it.each(pairs)('rho for epsilon = %d, delta = %d gives no more than that back, and nearly all', (epsilon, delta) => {
    const rho = zcdpRho(epsilon, delta);
    expect(zcdpDelta(rho, epsilon)).toBeLessThanOrEqual(delta);
    expect(zcdpDelta(rho * (1 + 1e-6), epsilon)).toBeGreaterThan(delta);
    expect(zcdpEpsilon(rho, delta)).toBeLessThanOrEqual(epsilon * (1 + 1e-6));
  });

  it.each(pairs)('epsilon for rho = %d, delta = %d is enough, and hardly less would be', (rho, delta) => {
    const epsilon = zcdpEpsilon(rho, delta);
    expect(zcdpDelta(rho, epsilon)).toBeLessThanOrEqual(delta);
    if (epsilon > 1e-9) expect(zcdpDelta(rho, epsilon * (1 - 1e-6) - 1e-9)).toBeGreaterThan(delta * (1 - 1e-6));
    // Never worse than the simple rule.
    expect(epsilon).toBeLessThanOrEqual((rho + 2 * Math.sqrt(rho * -Math.log(delta))) * (1 + 1e-6));
  });

  it('is the infimum over the orders of Renyi divergence', () => {
    for (const [rho, epsilon] of [
      [0.1, 1],
      [0.01, 0.5],
      [1, 8],
      [0.5, 0.1],
    ]) {
      let least = 1;
      for (let alpha = 1.0005; alpha < 200; alpha *= 1.0005) {
        const log = (alpha - 1) * (alpha * rho - epsilon) - Math.log(alpha - 1) + alpha * Math.log(1 - 1 / alpha);
        least = Math.min(least, Math.exp(log));
      }
      expect(zcdpDelta(rho, epsilon) / least).toBeGreaterThan(0.999);
      expect(zcdpDelta(rho, epsilon) / least).toBeLessThan(1.000001);
    }
  });

  it('covers what the Gaussian mechanism of that rho costs, and is not far above', () => {
    for (const rho of [0.01, 0.1, 1])
      for (const epsilon of [0.3, 1, 3, 6]) {
        const exact = gaussianDelta(rho, epsilon);
        if (exact < 1e-9) continue;
        expect(zcdpDelta(rho, epsilon)).toBeGreaterThan(exact);
        expect(zcdpDelta(rho, epsilon)).toBeLessThan(60 * exact);
      }
  });

  it('is monotone, and free where nothing is spent', () => {
    expect(zcdpEpsilon(0, 1e-6)).toBe(0);
    for (let i = 1; i < budgets.length; i++) {
      expect(zcdpRho(budgets[i], 1e-6)).toBeGreaterThan(zcdpRho(budgets[i - 1], 1e-6));
      expect(zcdpDelta(0.1, budgets[i])).toBeLessThan(zcdpDelta(0.1, budgets[i - 1]) + 1e-300);
    }
    expect(zcdpDelta(1000, 1)).toBe(1);
  });

  it('does not promise too much for a tiny epsilon (from a 50-digit computation)', () => {
    expect(zcdpDelta(3.267742252239596e-22, 2 ** -32)).toBeGreaterThanOrEqual(9.990084545209856e-31);
    expect(zcdpDelta(3.6212149112676153e-17, 1e-7)).toBeGreaterThanOrEqual(2.762982157949314e-40);
  });
});
