import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedRangeBudget, boundedRangeDelta } from '../../src/privacy/bounded-range.js';

describe('the composition of bounded-range mechanisms', () => {
  it('has the published budgets at delta 1e-6', () => {
    const rows = [
      [1, 1.001591, 0.100619],
      [2, 0.508143, 0.052057],
      [5, 0.232835, 0.025614],
      [10, 0.154965, 0.017645],
      [20, 0.107402, 0.012399],
      [30, 0.087174, 0.010098],
    ];
    for (const [m, atOne, atTenth] of rows) {
      expect(boundedRangeBudget(m, 1, 1e-6)).toBeCloseTo(atOne, 5);
      expect(boundedRangeBudget(m, 0.1, 1e-6)).toBeCloseTo(atTenth, 6);
    }
    expect(boundedRangeDelta(3, 0.5, 1)).toBeCloseTo(3.1294251e-3, 9);
    expect(boundedRangeDelta(5, 0.35, 1)).toBeCloseTo(1.1719014e-3, 9);
  });

  /** The definition: m draws of the two-outcome mechanism, all 2^m of them, for every t on a fine grid. */
  function naiveDelta(m: number, each: number, epsilon: number): number {
    let worst = 0;
    for (let step = 0; step <= 400; step++) {
      const t = (each * step) / 400;
      const p = (Math.exp(-t) - Math.exp(-each)) / (1 - Math.exp(-each));
      let delta = 0;
      for (let mask = 0; mask < 2 ** m; mask++) {
        let [chance, loss] = [1, 0];
        for (let i = 0; i < m; i++) {
          const low = (mask >> i) & 1;
          chance *= low ? 1 - p : p;
          loss += low ? t - each : t;
        }
        delta += chance * Math.max(0, Math.exp(loss) - Math.exp(epsilon));
      }
      worst = Math.max(worst, delta);
    }
    return worst;
  }

  it('is at least what any common t attains, and attained up to the grid', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0.05, max: 2, noNaN: true }),
        fc.double({ min: 0.05, max: 2, noNaN: true }),
        (m, each, epsilon) => {
          const delta = boundedRangeDelta(m, each, epsilon);
          const naive = naiveDelta(m, each, epsilon);
          expect(naive).toBeLessThanOrEqual(delta + 1e-12);
          expect(delta).toBeLessThanOrEqual(naive + 0.01 * each);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never spends more than delta, and lets no hundred-thousandth go', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 1e-3, max: 20, noNaN: true }),
        fc.constantFrom(1e-12, 1e-6, 1e-3),
        (m, epsilon, delta) => {
          const each = boundedRangeBudget(m, epsilon, delta);
          expect(each).toBeGreaterThanOrEqual(epsilon / m);
          if (each > epsilon / m) expect(boundedRangeDelta(m, each, epsilon)).toBeLessThanOrEqual(delta);
          expect(boundedRangeDelta(m, each * (1 + 1e-5), epsilon)).toBeGreaterThan(delta);
        },
      ),
      { numRuns: 40 },
    );
  });
});
