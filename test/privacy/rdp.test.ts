import { describe, expect, it } from 'vitest';
import { rdpEpsilon, rdpLogDelta, rdpTable } from '../../src/privacy/rdp.js';
import { zcdpDelta, zcdpEpsilon } from '../../src/privacy/zcdp.js';

/** Randomised response of epsilon e0: its Renyi divergences and its exact delta. */
const response = (e0: number) => {
  const p = Math.exp(e0) / (1 + Math.exp(e0));
  return {
    curve: (a: number) =>
      a === Number.POSITIVE_INFINITY
        ? e0
        : Math.log(p ** a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)) / (a - 1),
    delta: (epsilon: number) => Math.max(0, p - Math.exp(epsilon) * (1 - p)),
  };
};

describe('the conversion of a Renyi curve', () => {
  it.each([
    [0.05, 1e-6],
    [0.5, 1e-5],
    [2, 1e-9],
    [1e-4, 1e-12],
    [3, 0.1],
  ])('is that of zCDP for rho %d and delta %d', (rho, delta) => {
    const curve = (a: number) => rho * a;
    expect(rdpEpsilon(curve, delta) / zcdpEpsilon(rho, delta)).toBeCloseTo(1, 6);
    const epsilon = 3 * Math.sqrt(rho);
    expect(Math.exp(rdpLogDelta(curve, epsilon)) / zcdpDelta(rho, epsilon)).toBeCloseTo(1, 5);
  });

  it('has the figure of a single run of rho 0.05 at delta one in a million', () => {
    expect(rdpEpsilon((a) => 0.05 * a, 1e-6)).toBeCloseTo(1.4716, 4);
  });

  it('never promises more than the mechanism keeps', () => {
    for (const e0 of [0.1, 1, 3])
      for (const delta of [1e-9, 1e-4, 0.01, 0.1, 0.4]) {
        const { curve, delta: exact } = response(e0);
        const finite = (a: number) => (a > 300 ? Number.POSITIVE_INFINITY : curve(a));
        const epsilon = rdpEpsilon(finite, delta);
        expect(exact(epsilon)).toBeLessThanOrEqual(delta);
        const table = rdpTable([1.5, 2, 4, 8, 32, 128].map((a) => [a, curve(a)]));
        expect(exact(rdpEpsilon(table, delta))).toBeLessThanOrEqual(delta);
        expect(rdpEpsilon(table, delta)).toBeGreaterThanOrEqual(epsilon * (1 - 1e-9));
      }
  });

  it('is never more than the pure epsilon, and that for delta 0', () => {
    expect(rdpEpsilon(() => 0.7, 0)).toBe(0.7);
    expect(rdpEpsilon(() => 0.7, 1e-9)).toBeLessThanOrEqual(0.7);
    expect(rdpEpsilon((a) => a, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(rdpEpsilon((a) => a / (1 + a / 1e300), 1e-9)).toBeGreaterThan(1);
    expect(rdpEpsilon(() => 0, 0.5)).toBe(0);
    expect(rdpEpsilon(() => Number.POSITIVE_INFINITY, 0.1)).toBe(Number.POSITIVE_INFINITY);
  });

  it('uses what later orders say of earlier ones', () => {
    // A bound that falls from 5 to 1: also below the step no divergence can exceed 1.
    const falling = (a: number) => (a < 8 ? 5 : a < 20 ? 1 : Number.POSITIVE_INFINITY);
    const flat = (a: number) => (a < 20 ? 1 : Number.POSITIVE_INFINITY);
    expect(rdpEpsilon(falling, 0.3)).toBeLessThan(1.01 * rdpEpsilon(flat, 0.3));
  });
});

describe('a table', () => {
  it('has the epsilon of the next order, whatever the order of its rows', () => {
    const curve = rdpTable([
      [8, 0.8],
      [2, 0.2],
      [4, 0.4],
    ]);
    expect([1, 2, 3, 4, 8, 9].map(curve)).toEqual([0.2, 0.2, 0.4, 0.4, 0.8, Number.POSITIVE_INFINITY]);
    expect(curve.orders).toEqual([2, 4, 8]);
  });

  it('and a delta are refused where they mean nothing', () => {
    expect(() => rdpTable([[0.5, 1]])).toThrow('orders of at least 1');
    expect(() => rdpTable([[2, Number.NaN]])).toThrow('epsilons of at least 0');
    for (const delta of [-1, 1, Number.NaN]) expect(() => rdpEpsilon(() => 1, delta)).toThrow('delta');
  });

  it('without rows promises nothing', () => {
    expect(rdpEpsilon(rdpTable([]), 0.1)).toBe(Number.POSITIVE_INFINITY);
  });
});
