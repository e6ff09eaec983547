import { describe, expect, it } from 'vitest';
import { logFactorial } from '../../src/privacy/log-factorial.js';
import { binomialTail } from '../../src/quantiles/binomial-tail.js';

/** P(K >= least), term by term. */
function tail(n: number, q: number, least: number): number {
  let sum = 0;
  for (let k = Math.max(0, Math.ceil(least)); k <= n; k++) {
    const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
    sum += Math.exp(ways + k * Math.log(q) + (n - k) * Math.log1p(-q));
  }
  return sum;
}

describe('the bound on binomial tails', () => {
  it('is at least the tail, and at most that of one success less', () => {
    for (const n of [1, 2, 10, 300])
      for (const q of [0.001, 0.1, 0.5, 0.97])
        for (let k = 0; k <= n + 1; k++) {
          const bound = binomialTail(n, q, k - n * q);
          // The normal tail is known to 1e-4 of itself.
          expect(bound).toBeGreaterThanOrEqual(tail(n, q, k) * (1 - 2e-4) - 1e-300);
          expect(bound).toBeLessThanOrEqual(tail(n, q, k - 1) * (1 + 2e-4) + 1e-300);
        }
  });

  it('is that of the normal law for many draws', () => {
    expect(binomialTail(2 ** 52, 0.5, 1.96 * 2 ** 25)).toBeCloseTo(0.025, 4);
  });
});
