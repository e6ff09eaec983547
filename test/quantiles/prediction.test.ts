import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLattice,
  expectedGap,
  meanPredictionError,
  type Prior,
  predictionError,
  quantiles,
  totalPredictionError,
} from '../../src/index.js';

const fine = createLattice([0, 1]);
const uniform: Prior = { family: 'uniform' };

describe('the prediction error', () => {
  const values = [0.1, 0.4, 0.45, 0.8];
  const prediction = { values, quantile: 0.5, prior: uniform, lattice: fine };

  it('of four records and a uniform prior is the one worked out by hand', () => {
    expect(Math.exp(-predictionError({ ...prediction, epsilon: 0.5 }))).toBeCloseTo(0.73818, 5);
    // The cell from 0.4 to 0.45.
    expect(Math.exp(-predictionError(prediction))).toBeCloseTo(0.05, 9);
    expect(expectedGap({ ...prediction, epsilon: 0.5 })).toBeCloseTo(1.17876, 5);
  });

  /** From the definition: every output of a small lattice by itself. */
  function naive(records: readonly number[], size: number, q: number, weight: (k: number) => number, epsilon: number) {
    const target = Math.floor(q * records.length + 1e-9);
    const outputs = Array.from({ length: size }, (_, k) => ({
      weight: weight(k),
      gap: Math.abs(records.filter((x) => x < k).length - target),
    }));
    const least = Math.min(...outputs.map(({ gap }) => gap));
    const total = outputs.reduce((sum, { weight }) => sum + weight, 0);
    const weights = outputs.map(({ weight, gap }) => (weight / total) * Math.exp((-epsilon / 2) * (gap - least)));
    const psi = weights.reduce((a, b) => a + b, 0);
    return { psi, gap: weights.reduce((sum, w, k) => sum + w * (outputs[k].gap - least), 0) / psi };
  }

  const cases = fc.record({
    records: fc.array(fc.nat(9), { maxLength: 12 }),
    q: fc.integer({ min: 1, max: 19 }).map((k) => k / 20),
    weights: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 10, maxLength: 10 }),
    epsilon: fc.constantFrom(0.01, 1, 20),
  });

  it('is that of its definition, ties included', () => {
    const lattice = createLattice([0, 9], 1);
    const edges = Array.from({ length: 11 }, (_, k) => k - 0.5);
    fc.assert(
      fc.property(cases, ({ records, q, weights, epsilon }) => {
        const asked = {
          values: records,
          quantile: q,
          lattice,
          epsilon,
          prior: { family: 'piecewise', edges, weights },
        } as const;
        const { psi, gap } = naive(records, 10, q, (k) => weights[k], epsilon);
        expect(Math.exp(-predictionError(asked)) / psi).toBeCloseTo(1, 9);
        expect(expectedGap(asked)).toBeCloseTo(gap, 9);
      }),
    );
  });

  it('is at least 0, falls with epsilon and does not depend on the order of the records', () => {
    const lattice = createLattice([0, 9], 1);
    fc.assert(
      fc.property(cases, ({ records, q }) => {
        const asked = { values: records, quantile: q, lattice, prior: uniform };
        const errors = [0.1, 1, 10, undefined].map((epsilon) => predictionError({ ...asked, epsilon }));
        expect(errors[0]).toBeGreaterThanOrEqual(-1e-12);
        for (const [i, error] of errors.slice(1).entries()) expect(error).toBeGreaterThanOrEqual(errors[i] - 1e-12);
        expect(predictionError({ ...asked, values: records.toReversed() })).toBe(errors[3]);
      }),
    );
  });

  it.each([
    [
      [2, 2, 5, 7, 9],
      [0, 1, 0, 0, 0],
    ],
    [
      [1.5, 1.5, 1.5, 1.5, 1.5],
      [0, 1, 4, 5, 7],
    ],
    [
      [0, 1, 2, 3, 10],
      [1, 2, 4, 2, 2],
    ],
  ])('counts gaps from the best that ties leave: %j have %j', (outputs, gaps) => {
    const tied = [1, 2, 2, 2, 3, 5, 7, 7, 9, 9];
    const lattice = createLattice([0, 10.5], 0.5);
    for (const [j, o] of outputs.entries()) {
      // All mass on one output: its gap is what is expected, whatever epsilon is.
      const prior: Prior = { family: 'piecewise', edges: [o - 0.25, o + 0.25], weights: [1] };
      expect(expectedGap({ values: tied, quantile: (j + 1) / 6, prior, lattice, epsilon: 1 })).toBeCloseTo(gaps[j], 9);
    }
  });

  it('takes floor(q*n) of the decimal: 29 of 100 at 0.29', () => {
    const lattice = createLattice([0, 200], 1);
    const hundred = Array.from({ length: 100 }, (_, i) => 2 * i);
    // All mass between the 29th and the 30th record, 0-based 28 and 29.
    const prior: Prior = { family: 'piecewise', edges: [56.6, 58.4], weights: [1] };
    expect(predictionError({ values: hundred, quantile: 0.29, lattice, prior })).toBeLessThan(1e-9);
  });

  it('of several quantiles is that of the sum of 1/Psi, as a mean less ln(m)', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 9 }), (errors) => {
        const inverse = errors.reduce((sum, error) => sum + 1 / Math.exp(-error), 0);
        expect(totalPredictionError(errors)).toBeCloseTo(Math.log(inverse), 9);
        const harmonicMean = errors.length / inverse;
        expect(meanPredictionError(errors)).toBeCloseTo(-Math.log(harmonicMean), 9);
      }),
    );
    expect(totalPredictionError([5000, 5000])).toBeCloseTo(5000 + Math.LN2, 9);
  });

  it.each([
    [{ quantile: 1 }, 'quantiles_invalid'],
    [{ epsilon: 0 }, 'epsilon_invalid'],
    [{ epsilon: Number.NaN }, 'epsilon_invalid'],
    [{ prior: { family: 'cauchy', location: 0, scale: 0 } as const }, 'prior_invalid'],
  ])('refuses %j', (wrong, code) => {
    expect(() => predictionError({ ...prediction, ...wrong })).toThrow(expect.objectContaining({ code }));
  });
});

describe('priors as predictions', () => {
  const lattice = createLattice([0, 1000], 2 ** -10);
  const values = Float64Array.from({ length: 8000 }, (_, i) => (i + 0.5) / 8);
  const list = [0.25, 0.5, 0.75];
  const gapOf = (q: number, answer: number) =>
    Math.abs(values.filter((x) => x < answer).length - Math.floor(q * values.length));
  const options = { quantiles: list, bounds: [0, 1000], step: 2 ** -10, epsilon: 0.01 } as const;
  const perfect = list.map((q): Prior => {
    const k = Math.floor(q * values.length);
    return { family: 'piecewise', edges: [values[k - 1] + 0.01, values[k] - 0.01], weights: [1] };
  });

  it('that are perfect have no error, and releases with them none: consistency', async () => {
    for (const [j, q] of list.entries()) {
      const error = predictionError({ values, quantile: q, prior: perfect[j], lattice, epsilon: 0.01 });
      expect(Math.abs(error)).toBeLessThan(1e-12);
    }
    for (const method of ['approximate-quantiles', 'ind-exp'] as const)
      for (let seed = 0; seed < 20; seed++) {
        const { values: answers } = await quantiles(values, { ...options, priors: perfect, method, unsafeSeed: seed });
        for (const [j, q] of list.entries()) expect(gapOf(q, answers[j])).toBe(0);
      }
  });

  it('that are confident and wrong are mended by a tenth of a robust one: robustness', async () => {
    const wrong = list.map((q): Prior => ({ family: 'laplace', location: 1000 * q + 150, scale: 3 }));
    const mixed = wrong.map((prior): Prior => ({ family: 'mixture', share: 0.9, prior, robust: uniform }));
    const epsilon = 0.12;
    const worst = async (priors: readonly Prior[]) => {
      let most = 0;
      for (let seed = 0; seed < 20; seed++) {
        const { values: answers } = await quantiles(values, {
          ...options,
          epsilon,
          priors,
          method: 'ind-exp',
          unsafeSeed: seed,
        });
        for (const [j, q] of list.entries()) most = Math.max(most, gapOf(q, answers[j]));
      }
      return most;
    };
    expect(await worst(wrong)).toBeGreaterThan(1000);
    // Each draw has epsilon/3 = 0.04, and its gap exceeds the bound of the robust prior by at most (2/0.04)*ln(10).
    const robust = predictionError({ values, quantile: 0.5, prior: uniform, lattice });
    expect(await worst(mixed)).toBeLessThan((2 / 0.04) * (robust + Math.log(10) + Math.log(60 / 0.1)));
  });
});
