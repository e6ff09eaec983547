import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { sparseVectorNoise } from '../../src/selection/above-threshold.js';
import { haltingLaw } from '../../src/selection/halting-law.js';
import { computedSensitivity, logOdds } from '../../src/selection/log-odds.js';
import { percentileSparseVector } from '../../src/selection/percentile-sparse-vector.js';
import { lowered, raised } from '../support/candidates.js';
import { chiSquareZ } from '../support/chi-square.js';
import { lossOf, words } from '../support/sparse-vector.js';

const oddsOf = (p: number) => logOdds(Math.log(p), Math.log1p(-p));

/** Where a run halts, or never: exactly, for chances of passing. */
const lawOf = (chances: readonly number[], percentile: number, sensitivity: number, epsilon: number) => {
  const { above, never } = haltingLaw(
    chances.map(oddsOf),
    oddsOf(percentile),
    sparseVectorNoise(computedSensitivity(sensitivity), epsilon),
  );
  return [...above, never];
};

/** The largest loss over candidates that are as far apart as epsilon1 allows, in every combination of directions. */
const worst = (
  chances: readonly number[],
  percentile: number,
  sensitivity: number,
  epsilon1: number,
  epsilon: number,
) => {
  const law = lawOf(chances, percentile, sensitivity, epsilon);
  const moves = words([raised, lowered], chances.length);
  return Math.max(
    ...[...moves].map((move) =>
      lossOf(
        law,
        lawOf(
          chances.map((p, i) => move[i](p, epsilon1)),
          percentile,
          sensitivity,
          epsilon,
        ),
      ),
    ),
  );
};

describe('the sparse vector on known percentiles', () => {
  it.each([
    [0.25, 1, 0.5],
    [1, 0.5, 0.2],
    [0.1, 4, 0.99],
  ])('keeps to epsilon: candidates of %d-DP, epsilon %d, percentile %d', (epsilon1, epsilon, percentile) => {
    const middle = 1 / (1 + Math.exp(epsilon1));
    for (const chances of [
      [0.3, 0.5, 0.6, 0.1, 0.7],
      [middle, middle, 1 - middle],
      [1e-9, 1 - 1e-9, 0.999, 0.001],
      [middle, middle, middle, middle, middle, 0.001],
    ])
      expect(worst(chances, percentile, 2 * epsilon1, epsilon1, epsilon)).toBeLessThanOrEqual(epsilon);
  });

  // Many candidates that cross 1/2, then one that crosses it the other way.
  const [epsilon1, epsilon] = [0.25, 1];
  const low = 1 / (1 + Math.exp(epsilon1));
  const many = (p: number) => [...Array<number>(200).fill(p), 1 - p];
  const crossing = (sensitivity: number) =>
    lossOf(lawOf(many(low), 0.0001, sensitivity, epsilon), lawOf(many(1 - low), 0.0001, sensitivity, epsilon));

  it('comes near epsilon, so that a sensitivity of epsilon1, not twice that, is caught', () => {
    expect(crossing(2 * epsilon1)).toBeLessThanOrEqual(epsilon);
    expect(crossing(2 * epsilon1)).toBeGreaterThan(0.8 * epsilon);
    expect(crossing(epsilon1)).toBeGreaterThan(1.5 * epsilon);
  });

  it('without noise it is not private at all: the exact percentile tells neighbours apart', () => {
    // Candidates that are ln(1.02/0.98)-DP; the larger part passes on one data set and fails on its neighbour.
    const exact = (p: number) => (p > 0.5 ? [1, 0] : [0, 1]);
    expect(lossOf(exact(0.51), exact(0.49))).toBe(Number.POSITIVE_INFINITY);
    expect(
      lossOf(lawOf([0.51], 0.5, 2 * Math.log(1.02 / 0.98), 1), lawOf([0.49], 0.5, 2 * Math.log(1.02 / 0.98), 1)),
    ).toBeLessThan(1);
  });

  it('on queries with logistic noise is the ordinary sparse vector, its noise twice as wide', () => {
    const [queries, tau] = [[0.4, -1, 2.5, 0], 0.7];
    const chances = queries.map((f) => 1 / (1 + Math.exp(epsilon1 * (tau - f))));
    const { threshold, query } = sparseVectorNoise(1, epsilon);
    const ordinary = haltingLaw(queries, tau, { threshold: 2 * threshold, query: 2 * query });
    const law = lawOf(chances, 0.5, 2 * epsilon1, epsilon);
    [...ordinary.above, ordinary.never].forEach((p, i) => {
      expect(law[i]).toBeCloseTo(p, 9);
    });
  });

  it('halts by its law', () => {
    const chances = [0.2, 0.45, 0.7, 0.05, 0.9];
    const entropy = unsafeSeededEntropy(3);
    const seen = [...chances, 0].map(() => 0);
    for (let i = 0; i < 5000; i++) {
      const vector = percentileSparseVector({ runEpsilon: 0.25, percentile: 0.4, epsilon: 1.5 }, entropy);
      const at = chances.findIndex((p) => vector.next(Math.log(p), Math.log1p(-p)));
      seen[at < 0 ? chances.length : at]++;
    }
    expect(Math.abs(chiSquareZ(seen, lawOf(chances, 0.4, 0.5, 1.5)))).toBeLessThan(5);
  });

  it('sees chances that no double tells from 1, and answers 0 and 1 without noise', () => {
    const start = () => percentileSparseVector({ runEpsilon: 1, percentile: 0.5, epsilon: 4 });
    for (let i = 0; i < 50; i++) {
      expect(start().next(-1e-80, Math.log(1e-80))).toBe(true);
      expect(start().next(Math.log(1e-80), -1e-80)).toBe(false);
      expect(start().next(0, Number.NEGATIVE_INFINITY)).toBe(true);
      expect(start().next(Number.NEGATIVE_INFINITY, 0)).toBe(false);
    }
  });

  it.each([
    [{ percentile: 0 }, 'option_invalid'],
    [{ percentile: 1 }, 'option_invalid'],
    [{ runEpsilon: 0 }, 'epsilon_invalid'],
    [{ epsilon: Number.POSITIVE_INFINITY }, 'epsilon_invalid'],
  ])('refuses %j', (wrong, code) => {
    const options = { runEpsilon: 1, percentile: 0.5, epsilon: 1, ...wrong };
    expect(() => percentileSparseVector(options)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(Object.keys(wrong)[0]) }),
    );
  });
});

describe('computed log odds', () => {
  it('are cut off where they are far out, which moves none apart, and only there', () => {
    expect(logOdds(-3000, -1e-300)).toBe(logOdds(-2000, 0));
    expect(logOdds(0, -1e9)).toBe(-logOdds(-1e9, 0));
    expect(logOdds(-1000, -1e-300)).toBe(-1000);
    expect(logOdds(Number.NEGATIVE_INFINITY, 0)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('are as near the true ones as the sensitivity is enlarged for', () => {
    // p = 1/(1 + 2^k): the log odds are -k*ln 2.
    for (let k = -1000; k <= 1000; k += 7) {
      const logChance = k > 0 ? -k * Math.LN2 - Math.log1p(2 ** -k) : -Math.log1p(2 ** k);
      const logRest = k > 0 ? -Math.log1p(2 ** -k) : k * Math.LN2 - Math.log1p(2 ** k);
      const off = Math.abs(logOdds(logChance, logRest) + k * Math.LN2);
      expect(2 * off).toBeLessThan(computedSensitivity(1) - 1);
    }
    expect(computedSensitivity(1) - 1).toBeLessThan(1e-11);
  });
});

describe('what a run on known percentiles promises, by its law', () => {
  const [epsilon1, epsilon, beta, percentile] = [0.1, 2, 0.1, 0.5];

  it('halts at no low chance and passes no high one by, but for a probability of beta', () => {
    const chances = [0.02, 0.3, 0.9, 0.01, 0.5, 0.99];
    const apart = (12 * epsilon1 * Math.log((chances.length + 1) / beta)) / epsilon;
    const law = lawOf(chances, percentile, 2 * epsilon1, epsilon);
    const wrong = law.reduce((sum, chance, halt) => {
      const early = halt < chances.length && oddsOf(chances[halt]) <= oddsOf(percentile) - apart;
      const late = chances.slice(0, halt).some((p) => oddsOf(p) >= oddsOf(percentile) + apart);
      return early || late ? sum + chance : sum;
    }, 0);
    expect(apart).toBeLessThan(oddsOf(0.99));
    expect(wrong).toBeLessThanOrEqual(beta);
    expect(wrong).toBeGreaterThan(0);
  });

  it('misses a single high chance with at most probability beta', () => {
    const odds = (12 * epsilon1 * Math.log(1 / beta)) / epsilon;
    const [, never] = lawOf([1 / (1 + Math.exp(-odds))], percentile, 2 * epsilon1, epsilon);
    expect(never).toBeLessThanOrEqual(beta);
    expect(never).toBeGreaterThan(beta / 20);
  });
});
