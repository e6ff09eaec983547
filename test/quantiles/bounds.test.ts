import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bounds,
  createLattice,
  type Prior,
  predictionError,
  quantiles,
  totalPredictionError,
} from '../../src/index.js';
import { optimalBranching } from '../../src/quantiles/tree-plan.js';

const evenly = (m: number) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));

describe('the bounds', () => {
  it('are their formulas', () => {
    expect(bounds.gapBound(0.5, 0.1, 3)).toBeCloseTo(4 * (3 + Math.log(10)), 12);
    expect(bounds.gapBound(2, 0.05, bounds.uniformErrorBound(200, 0.01))).toBeCloseTo(
      Math.log(200 / (0.05 * 0.01)),
      12,
    );
    const [width, spacing, radius] = [10, 0.1, 30];
    const cauchy = Math.log((Math.PI * (width ** 2 + 4 * radius ** 2)) / (2 * width * spacing));
    expect(bounds.cauchyErrorBound(width, spacing, radius)).toBeCloseTo(cauchy, 12);
    expect(bounds.cauchyErrorBound(width, spacing, radius, true)).toBeCloseTo(cauchy - Math.LN2, 12);
    // With the right bounds a Cauchy prior costs ln(pi) more than a uniform one.
    expect(bounds.cauchyErrorBound(10, 0.1, 5) - bounds.uniformErrorBound(10, 0.1)).toBeCloseTo(Math.log(Math.PI), 12);

    const tree = { m: 7, epsilon: 0.5, beta: 0.05, error: 4 };
    expect(bounds.conditionalGapBound(tree)).toBeCloseTo(3 * (12 * (Math.log(7 / 0.05) + 4) + 2), 9);
    expect(bounds.densityGapBound(tree)).toBeCloseTo(3 * (12 * (Math.log(7 / 0.05) + 4) + 3), 9);
    // Fib(5) - 1 = 4; of m = 6, 2^3 - 1.
    expect(bounds.edgeGapBound(tree)).toBeCloseTo(4 * (12 * (Math.log(20) + 4) + 4), 9);
    expect(bounds.edgeGapBound({ ...tree, m: 6 })).toBeCloseTo(7 * (12 * (Math.log(20) + 4) + 4), 9);
    const factor = (4 * Math.PI ** 2 * Math.exp(2 * Math.sqrt(Math.LN2 * Math.log(8)))) / 0.5;
    expect(bounds.branchingGapBound(tree)).toBeCloseTo(factor * (Math.log(20) + 4) + 4 * 3, 6);
    const [n, beta] = [1e6, factor / 1e6];
    expect(bounds.expectedBranchingGapBound(tree, n)).toBeCloseTo(
      bounds.branchingGapBound({ ...tree, beta }) + beta * n,
      6,
    );
    const cost = { epsilon: 2, beta: 0.1, relation: 'swap' } as const;
    expect(bounds.jointExpCostBound([0.2, 0.6], 99, cost)).toBeCloseTo(2 * Math.log(100 ** 2 / 0.1), 9);
    const add = bounds.jointExpCostBound([0.2, 0.6], 99, { ...cost, relation: 'add-remove' });
    expect(add).toBeCloseTo(2 * 0.8 * Math.log(100 ** 2 / 0.1), 9);
  });

  it('take a branching that grows slower than any power', () => {
    const at = [1, 2, 4, 5, 15, 16, 40, 41, 99, 200, 1000].map(optimalBranching);
    expect(at).toEqual([2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 9]);
  });

  it('expected of the K-ary tree: no beta gives a smaller one by more than what it saves', () => {
    const tree = { m: 31, epsilon: 1, error: 10 };
    for (const n of [1e5, 1e7])
      for (const beta of [1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.5])
        expect(bounds.expectedBranchingGapBound(tree, n)).toBeLessThanOrEqual(
          bounds.branchingGapBound({ ...tree, beta }) + beta * n + 1e-6,
        );
  });
});

describe('the error of a mixture', () => {
  const lattice = createLattice([-100, 100], 2 ** -10);
  const robust: Prior = { family: 'cauchy', location: 0, scale: 20 };
  const values = Float64Array.from({ length: 50 }, (_, i) => ((i * 37) % 101) - 50);

  it('is that of the compiled mixture, and at most ln(1/share) above either part', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.integer({ min: -90, max: 90 }),
        fc.constantFrom(0.1, 1, undefined),
        (share, location, epsilon) => {
          const prior: Prior = { family: 'laplace', location, scale: 3 };
          const errorOf = (prior: Prior) => predictionError({ values, quantile: 0.3, lattice, prior, epsilon });
          const mixed = errorOf({ family: 'mixture', share, prior, robust });
          // Runs are cut at both parts' places, so their steps are not quite the same.
          expect(bounds.mixtureError(share, errorOf(prior), errorOf(robust))).toBeCloseTo(mixed, 1);
          expect(mixed).toBeLessThanOrEqual(errorOf(prior) - Math.log(share) + 0.05);
          expect(mixed).toBeLessThanOrEqual(errorOf(robust) - Math.log1p(-share) + 0.05);
        },
      ),
      { numRuns: 30 },
    );
    expect(bounds.mixtureError(1, 3, 5)).toBe(3);
    expect(bounds.mixtureError(0, 3, 5)).toBe(5);
    expect(bounds.mixtureError(0.5, 5000, 5000)).toBeCloseTo(5000, 9);
  });
});

describe('what releases show of the bounds', () => {
  const n = 1000;
  const values = Float64Array.from({ length: n }, (_, i) => i + 0.5);
  const range = { bounds: [0, n], step: 2 ** -10 } as const;
  const lattice = createLattice(range.bounds, range.step);
  const uniform: Prior = { family: 'uniform' };
  const gapsOf = (list: readonly number[], answers: readonly number[]) =>
    answers.map((answer, j) => Math.abs(values.filter((x) => x < answer).length - Math.floor(list[j] * n)));

  it.each([0.05, 0.3, 0.8])('one draw exceeds its bound in at most beta = %d of releases', async (beta) => {
    const epsilon = 0.2;
    const priors: Prior[] = [
      uniform,
      { family: 'gaussian', location: 480, scale: 10 },
      { family: 'laplace', location: 900, scale: 9 },
    ];
    for (const prior of priors)
      for (const relation of ['add-remove', 'swap'] as const) {
        const q = 0.9;
        const error = predictionError({ values, quantile: q, prior, lattice, epsilon });
        const bound = bounds.gapBound(epsilon, beta, error);
        let beyond = 0;
        const releases = 200;
        for (let seed = 0; seed < releases; seed++) {
          const options = {
            ...range,
            quantiles: [q],
            prior,
            epsilon,
            relation,
            method: 'ind-exp',
            unsafeSeed: seed,
          } as const;
          if (gapsOf([q], (await quantiles(values, options)).values)[0] > bound) beyond++;
        }
        expect(beyond / releases).toBeLessThanOrEqual(beta);
      }
  });

  it.each([
    [7, 1],
    [15, 0.3],
    [31, 1],
  ])('trees of %i quantiles stay within theirs, epsilon %d', async (m, epsilon) => {
    const list = evenly(m);
    const beta = 0.1;
    const each = list.map((q) => predictionError({ values, quantile: q, prior: uniform, lattice }));
    const tree = { m, epsilon, beta, error: totalPredictionError(each) };
    const density = { ...tree, error: bounds.uniformErrorBound(n, 1) };
    const forms = [
      [{}, bounds.densityGapBound(density)],
      [{ adaptation: 'edge' }, bounds.edgeGapBound(tree)],
      [{ adaptation: 'edge', branching: optimalBranching(m), power: 2 }, bounds.branchingGapBound(tree)],
    ] as const;
    for (const [form, bound] of forms) {
      const most: number[] = [];
      for (let seed = 0; seed < 40; seed++) {
        const options = {
          ...range,
          ...form,
          quantiles: list,
          epsilon,
          method: 'approximate-quantiles',
          unsafeSeed: seed,
        } as const;
        most.push(Math.max(...gapsOf(list, (await quantiles(values, options)).values)));
      }
      expect(most.filter((gap) => gap > bound).length / most.length).toBeLessThanOrEqual(beta);
      // Proven bounds are loose, but of what happens, not of anything at all.
      expect(bound / Math.max(...most)).toBeGreaterThan(1);
    }
  });

  it('joint-exp misplaces no more records than its bound says', async () => {
    const list = evenly(9);
    const cost = { epsilon: 1, beta: 0.1, relation: 'swap' } as const;
    const bound = bounds.jointExpCostBound(list, n, cost);
    let most = 0;
    for (let seed = 0; seed < 40; seed++) {
      const options = {
        ...range,
        quantiles: list,
        epsilon: 1,
        relation: 'swap',
        method: 'joint-exp',
        unsafeSeed: seed,
      } as const;
      const ranks = (await quantiles(values, options)).values.map((v) => values.filter((x) => x < v).length);
      const ends = [0, ...ranks, n];
      const misplaced = ends.slice(1).reduce((sum, rank, j) => sum + Math.abs(rank - ends[j] - n / 10), 0);
      most = Math.max(most, misplaced);
    }
    expect(most).toBeLessThan(bound);
    expect(most).toBeGreaterThan(bound / 100);
  });
});
