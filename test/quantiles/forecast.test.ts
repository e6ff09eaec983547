import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, planQuantiles, type Relation } from '../../src/index.js';
import { type ForecastRequest, forecastRankError } from '../../src/quantiles/forecast.js';
import { jointExp, jointExpRate, jointExpSettings, leastEpsilon } from '../../src/quantiles/joint-exp.js';
import { type RankErrorLaw, rankErrorLaw } from '../../src/quantiles/rank-error-law.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { locate } from '../../src/ranks/locate.js';
import { sourceOf } from '../../src/ranks/memory.js';
import { expectPossible } from '../support/forecast.js';

const evenly = (m: number) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));

/** The rank errors of releases from n records spread evenly over the bounds, a list for each quantile. */
async function simulate(request: ForecastRequest, n: number, releases: number): Promise<number[][]> {
  const { quantiles } = request;
  const lattice = createLattice([0, 1]);
  const data = Float64Array.from({ length: n }, (_, i) => (i + 0.5) / n);
  const view = await (await sourceOf(data)).open({ lattice, nulls: 'drop' });
  const profile = await locate(view, lattice, { low: quantiles[0], high: quantiles[quantiles.length - 1] });
  const settings = jointExpSettings({ ...request, quantiles: quantiles.map(gridQuantile) }, defaultInterpolation);
  const law = await jointExp(profile, settings);
  const entropy = unsafeSeededEntropy(n);
  const errors = quantiles.map((): number[] => []);
  for (let i = 0; i < releases; i++)
    law.sample(entropy).forEach((index, j) => {
      // As many records lie below a value v as there are (i + 0.5)/n < v.
      const rank = Math.min(n, Math.max(0, Math.ceil(lattice.value(index) * n - 0.5)));
      errors[j].push(Math.abs(rank - quantiles[j] * n));
    });
  return errors;
}

const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
const quantile95 = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.ceil(0.95 * list.length) - 1];

describe('the forecast', () => {
  const counts = [
    { m: 1, releases: 1200 },
    { m: 9, releases: 300 },
    { m: 30, releases: 120 },
  ];
  const cases = counts.flatMap((count) => [0.1, 1, 5].map((epsilon) => ({ ...count, epsilon })));

  it.each(cases)(
    'for m = $m, epsilon = $epsilon is what evenly spread records give',
    async ({ m, releases, epsilon }) => {
      const relation: Relation = m === 9 ? 'swap' : 'add-remove';
      const request = { quantiles: evenly(m), epsilon, relation, rowsPerUnit: 1 };
      const { expectedRankError, rankError95 } = forecastRankError(request);
      // For a large epsilon it matters whether targets fall on whole ranks: of several sizes some do, some do not.
      const sizes = epsilon > 1 ? [20_000, 20_011, 30_006, 40_013] : [20_000, 40_013];
      const runs = await Promise.all(sizes.map((n) => simulate(request, n, releases)));
      const errors = rankError95.map((_, j) => runs.flatMap((run) => run[j]));
      errors.forEach((list, j) => {
        expect(Math.abs(mean(list) - expectedRankError[j])).toBeLessThan(0.2 * expectedRankError[j] + 0.1);
      });
      const shares = errors.flatMap((list, j) => list.map((error) => error / rankError95[j]));
      expect(Math.abs(quantile95(shares) - 1)).toBeLessThan(0.15 + 0.1 / rankError95[0]);
    },
  );

  const request = fc
    .record({
      quantiles: fc.uniqueArray(fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }), {
        minLength: 1,
        maxLength: 12,
      }),
      logEpsilon: fc.double({ min: -9, max: 2, noNaN: true }),
      relation: fc.constantFrom<Relation>('add-remove', 'swap'),
      rowsPerUnit: fc.constantFrom(1, 3, 1000),
      aboutRows: fc.option(fc.constantFrom(1, 2, 10, 1000, 10 ** 7, 2 ** 53 - 1), { nil: undefined }),
    })
    .map(({ quantiles, logEpsilon, ...rest }): ForecastRequest => {
      const epsilon = Math.min(100, Math.max(leastEpsilon(quantiles.length), 10 ** logEpsilon));
      return { ...rest, epsilon, quantiles: quantiles.sort((a, b) => a - b) };
    });

  it('is finite, not negative and no larger than the data, for all legal parameters', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const forecast = forecastRankError(asked);
        const { quantiles, aboutRows } = asked;
        expectPossible(forecast, quantiles, aboutRows);
        const { expectedRankError: _, rankError95: __, ...shares } = forecast;
        expect(Object.keys(shares)).toHaveLength(aboutRows === undefined ? 0 : 2);
      }),
      { numRuns: 300 },
    );
  });

  it('of many quantiles, on a coarser grid, is within 1 % of that on a fine one', () => {
    const meanOf = ({ chances, unit }: RankErrorLaw) =>
      chances.map((chance) => unit * chance.reduce((sum, p, i) => sum + p * i, 0));
    for (const m of [101, 300])
      for (const epsilon of [0.01, 1, 20])
        for (const aboutRows of [undefined, 10_000]) {
          const asked = { quantiles: evenly(m), epsilon, relation: 'swap', rowsPerUnit: 1, aboutRows } as const;
          const fine = meanOf(rankErrorLaw(asked, 1 / 32));
          for (const [j, error] of meanOf(rankErrorLaw(asked)).entries())
            expect(Math.abs(error / fine[j] - 1)).toBeLessThan(0.01);
        }
  });

  it('is the law of chains whose steps have the weight exp(-c*|d|), summed step by step', () => {
    // Ranks are whole and few: every chain of errors from 0 to 0 by way of the ranks 0 … n, at one offset.
    const asked = { quantiles: [0.3, 0.6], epsilon: 8, relation: 'swap', rowsPerUnit: 1, aboutRows: 10 ** 6 } as const;
    const rate = jointExpRate({ ...asked, quantiles: asked.quantiles.map(gridQuantile) });
    const { chances, unit } = rankErrorLaw(asked);
    expect(unit).toBe(1 / 8);
    const naive = [0, 1].map(() => new Map<number, number>());
    for (const offset of [1 / 8, 3 / 8, 5 / 8, 7 / 8]) {
      const errors = Array.from({ length: 40 }, (_, i) => i - 20 + offset);
      const weight = (a: number, b: number) => Math.exp(-rate * (Math.abs(a) + Math.abs(b - a) + Math.abs(b)));
      const total = errors.reduce((sum, a) => sum + errors.reduce((inner, b) => inner + weight(a, b), 0), 0);
      for (const a of errors)
        for (const b of errors)
          for (const [j, e] of [a, b].entries())
            naive[j].set(Math.abs(e), (naive[j].get(Math.abs(e)) ?? 0) + weight(a, b) / total / 4);
    }
    for (const [j, chance] of naive.entries())
      for (const [error, p] of chance) if (error < 15) expect(chances[j][error / unit]).toBeCloseTo(p, 9);
  });

  it('from few records is that of a rank anywhere when epsilon says nothing', () => {
    const few = { quantiles: [0.5], epsilon: 1e-6, relation: 'swap' as const, rowsPerUnit: 1 };
    for (const aboutRows of [10, 1000, 100_000]) {
      const { expectedRankErrorShare, rankError95Share } = forecastRankError({ ...few, aboutRows });
      expect(expectedRankErrorShare![0]).toBeCloseTo(0.25, 1);
      expect(rankError95Share![0]).toBeCloseTo(0.475, 1);
    }
  });

  it('is symmetric where the quantiles are', () => {
    for (const m of [1, 2, 9, 30])
      for (const aboutRows of [undefined, 50, 10_000])
        for (const errors of Object.values(
          planQuantiles({ quantiles: `count:${m}`, bounds: [0, 1], epsilon: 0.5, aboutRows, method: 'joint-exp' })
            .forecast,
        ))
          errors.forEach((error: number, j: number) => {
            expect(error / errors[m - 1 - j]).toBeCloseTo(1, 6);
          });
  });

  it('falls as epsilon grows, and in records does not depend on how many there are when there are many', () => {
    const at = (epsilon: number, aboutRows?: number) =>
      forecastRankError({ quantiles: evenly(9), epsilon, relation: 'swap', rowsPerUnit: 1, aboutRows })
        .expectedRankError;
    const errors = [0.01, 0.1, 1, 10, 100].map((epsilon) => at(epsilon));
    errors.slice(1).forEach((list, i) => {
      for (const [j, error] of list.entries()) expect(error).toBeLessThan(errors[i][j]);
    });
    for (const [j, error] of at(1, 10 ** 6).entries()) expect(error).toBeCloseTo(errors[2][j], 6);
  });

  it('of m = 1 is that of a two-sided exponential', () => {
    for (const epsilon of [0.001, 0.01, 0.1]) {
      // The cost is twice the rank error, so its density is exp(-2*c*e) with c = epsilon/(2*1) for the median.
      const { expectedRankError, rankError95 } = forecastRankError({
        quantiles: [0.5],
        epsilon,
        relation: 'add-remove',
        rowsPerUnit: 1,
      });
      expect(expectedRankError[0] * epsilon).toBeCloseTo(1, 1);
      expect(rankError95[0] * epsilon).toBeCloseTo(Math.log(20), 1);
    }
  });
});
