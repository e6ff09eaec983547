import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, type Prior, planQuantiles, type QuantilesOptions, quantiles } from '../../src/index.js';
import { measuresFor } from '../../src/quantiles/priors.js';

const good = { quantiles: 'deciles', bounds: [0, 100], step: 1, epsilon: 1 } as const;
const near = (location: number): Prior => ({ family: 'cauchy', location, scale: 1 });

/** Values that tell when they are read. */
const untouched = new Proxy([1, 2, 3], {
  get: () => {
    throw new Error('the values were touched');
  },
});

describe('options that a method does not take', () => {
  it.each([
    [
      { branching: 3 },
      'auto',
      /^The option branching is for approximate-quantiles, agg-tree, lap-tree, gauss-tree; name the method that is to take it\.$/,
    ],
    [{ branching: 3 }, 'joint-exp', /branching is for approximate-quantiles.*; the method joint-exp does not take it/],
    [{ height: 3 }, 'approximate-quantiles', /height is for agg-tree, lap-tree, gauss-tree; the method approx/],
    [{ power: 1 }, 'agg-tree', /power is for approximate-quantiles; the method agg-tree/],
    [{ adaptation: 'edge' }, 'lap-tree', /adaptation is for approximate-quantiles/],
    [{ priors: new Array(9).fill(near(3)) }, 'joint-exp', /priors is for ind-exp, app-ind-exp, approximate-quantiles/],
    [{ priors: new Array(9).fill(near(3)) }, 'agg-tree', /priors is for ind-exp/],
    [{ priors: new Array(9).fill(near(3)) }, 'auto', /name the method/],
    [{ branching: 3, interval: 0.9, aboutRows: 100 }, 'auto', /name the method/],
    [{ branching: 11 }, 'approximate-quantiles', /from 2 to 10 for approximate-quantiles with 9 quantiles, not 11/],
    [{ branching: 65 }, 'agg-tree', /from 2 to 64 for agg-tree/],
  ] as const)('%j with %s are refused before values are read', async (given, method, sentence) => {
    const options = { ...good, ...given, method } as QuantilesOptions;
    const refused = expect.objectContaining({ code: 'option_invalid', message: expect.stringMatching(sentence) });
    expect(() => planQuantiles(options)).toThrow(refused);
    await expect(quantiles(untouched, options)).rejects.toEqual(refused);
  });

  it('are known for each by what it takes: nothing it takes is refused', () => {
    const trees = { branching: 3, height: 2 };
    for (const method of ['agg-tree', 'lap-tree', 'gauss-tree'] as const)
      expect(planQuantiles({ ...good, ...trees, method, delta: 1e-6 }).mechanism).toBe(method);
    const priors = Array.from({ length: 9 }, (_, j) => near(10 * j));
    for (const method of ['ind-exp', 'app-ind-exp'] as const)
      expect(planQuantiles({ ...good, priors, method, delta: 1e-6 }).mechanism).toBe(method);
    const all = { branching: 10, power: 1.5, adaptation: 'edge', priors } as const;
    expect(planQuantiles({ ...good, ...all, method: 'approximate-quantiles' }).mechanism).toBe('approximate-quantiles');
  });
});

describe('the options of a tree', () => {
  const errorOf = (options: Partial<QuantilesOptions>) =>
    planQuantiles({ ...good, ...options }).forecast.expectedRankError.reduce((a, b) => a + b, 0);

  it('change the release and its forecast', () => {
    const binary = errorOf({ method: 'approximate-quantiles' });
    expect(errorOf({ method: 'approximate-quantiles', branching: 2, power: 0, adaptation: 'conditional' })).toBe(
      binary,
    );
    // Of nine quantiles a node with all of them splits its budget in nine; two draws a node cost less.
    const wide = errorOf({ method: 'approximate-quantiles', branching: 10 });
    expect(wide).toBeGreaterThan(1.5 * binary);
    const step = 2 ** -20;
    expect(errorOf({ method: 'agg-tree', step, height: 3, branching: 10 })).not.toBe(
      errorOf({ method: 'agg-tree', step }),
    );
  });

  it('are those of the tree that is drawn: leaves hold what height and branching leave', async () => {
    const values = Float64Array.from({ length: 4000 }, (_, i) => i);
    const options = { ...good, bounds: [0, 4095], epsilon: 100, quantiles: [0.3], unsafeSeed: 1 } as const;
    // Two levels of two children: leaves of 1024 points, all of the records spread evenly inside.
    const coarse = await quantiles(values, { ...options, method: 'lap-tree', branching: 2, height: 2 });
    expect(Math.abs(coarse.values[0] - 1200)).toBeLessThan(3);
    const lumps = values.map((_, i) => (i < 2000 ? 100 : 3000));
    const lumped = await quantiles(lumps, { ...options, method: 'lap-tree', branching: 2, height: 2 });
    // The first leaf holds all of the first lump, and the tree does not know where in it.
    expect(Math.abs(lumped.values[0] - 0.6 * 1024)).toBeLessThan(3);
    expect((await quantiles(lumps, { ...options, method: 'lap-tree' })).values[0]).toBe(100);
  });

  it('edge: a prior beyond the answers pulls to them, conditional: it does not', async () => {
    // No records at all, so each answer comes from its prior: the middle one is drawn first, near 50.
    const priors = [near(90), near(50), near(10)].map(({ ...prior }) => ({ ...prior, scale: 1e-3 }) as Prior);
    const asked = { quantiles: 'quartiles', bounds: [0, 100], step: 1, epsilon: 1, priors } as const;
    const options = { ...asked, method: 'approximate-quantiles', unsafeSeed: 5 } as const;
    expect((await quantiles([], { ...options, adaptation: 'edge' })).values).toEqual([50, 50, 50]);
    const { values } = await quantiles([], options);
    expect(values[1]).toBe(50);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  });
});

describe('a prior for each quantile', () => {
  const asked = { quantiles: [0.9, 0.1], bounds: [0, 100], step: 1, epsilon: 1 } as const;
  const options = { ...asked, priors: [near(80), near(20)], unsafeSeed: 3 };

  it.each(['approximate-quantiles', 'ind-exp', 'app-ind-exp'] as const)('goes to its own one: %s', async (method) => {
    const sharp = options.priors.map((prior) => ({ ...prior, scale: 1e-3 }) as Prior);
    const { values } = await quantiles([], { ...options, priors: sharp, method, delta: 1e-6 });
    expect(values).toEqual([80, 20]);
  });

  it.each([
    [{ priors: [near(1)] }, /one for all quantiles or one for each, here 2, not 1/],
    [{ priors: [near(1), near(2), near(3)] }, /here 2, not 3/],
    [{ priors: [near(1), near(2)], prior: near(1) }, /exclude each other/],
    [{ priors: [near(1), { family: 'normal' }] }, /needs a family/],
    [{ priors: [near(1), 7] }, /list of objects/],
    [{ priors: near(1) }, /list of objects/],
    [
      { priors: [near(1), near(2), near(3)], quantiles: [0.5, 0.2, 0.5] },
      /quantile 0\.5, asked for twice, must be the same/,
    ],
  ])('is refused: %j', (given, sentence) => {
    const refused = expect.objectContaining({ code: 'prior_invalid', message: expect.stringMatching(sentence) });
    const wrong = { ...asked, method: 'ind-exp', ...given } as QuantilesOptions;
    expect(() => planQuantiles(wrong)).toThrow(refused);
  });

  it('needs bounds', () => {
    const { bounds: _, ...rest } = options;
    expect(() => planQuantiles({ ...rest, method: 'ind-exp' })).toThrow(
      expect.objectContaining({ code: 'bounds_invalid' }),
    );
  });

  it('is one measure where all are alike, in whatever order their fields come: draws from one cost less', () => {
    const lattice = createLattice([0, 100], 1);
    const [a, b]: Prior[] = [near(5), { scale: 1, location: 5, family: 'cauchy' }];
    expect(measuresFor([a, b], [0.2, 0.8], [0.2, 0.8], lattice).measures).toBeUndefined();
    const three = measuresFor([a, near(6), b], [0.8, 0.5, 0.2], [0.2, 0.5, 0.8], lattice).measures!;
    expect(three[0]).toBe(three[2]);
    expect(three[1]).not.toBe(three[0]);
  });

  it('of a quantile does not depend on the order in which the quantiles are asked for', () => {
    const lattice = createLattice([0, 100], 1);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 6 }), (list) => {
        const quantiles = list.map((q) => q / 100);
        const distinct = quantiles.toSorted((a, b) => a - b);
        const { measures } = measuresFor(list.map(near), quantiles, distinct, lattice);
        // The mass of a Cauchy law is largest at its location.
        for (const [j, q] of distinct.entries()) {
          const at = Math.round(100 * q);
          const masses = Array.from({ length: 101 }, (_, k) => measures![j].mass(k, k));
          expect(masses.indexOf(Math.max(...masses))).toBe(at);
        }
      }),
    );
  });
});

describe('the smoothness of csmooth', () => {
  const base = { bounds: [0, 1], relation: 'swap', epsilon: 1, delta: 1e-6, method: 'csmooth' } as const;

  it('is taken as given, one for all or one for each quantile', () => {
    const forecast = (smoothing?: number | number[]) =>
      planQuantiles({ ...base, quantiles: [0.5, 0.2], ...(smoothing !== undefined && { smoothing }) }).forecast;
    expect(forecast(0.02)).toEqual(forecast([0.02, 0.02]));
    expect(forecast([0.02, 0.2])).not.toEqual(forecast([0.2, 0.02]));
    expect(forecast(0.0001).expectedRankError[0]).toBeGreaterThan(forecast().expectedRankError[0]);
  });

  it.each([
    [{ smoothing: 0 }, /smoothing must be a number greater than 0/],
    [{ smoothing: [0.1] }, /one for each quantile, here 2, not 1/],
    [{ smoothing: [0.1, -1] }, /smoothing must be a number greater than 0/],
    [{ smoothing: [0.1, 0.2], quantiles: [0.5, 0.5] }, /asked for twice, must be the same/],
    [{ smoothing: 1e-12 }, /needs a larger epsilon or another smoothing/],
    [{ smoothing: 0.1, method: 'smooth' as const }, /does not take it/],
    [{ smoothing: 0.1, method: 'auto' as const }, /name the method/],
  ])('%j is refused', (wrong, sentence) => {
    expect(() => planQuantiles({ ...base, quantiles: [0.2, 0.5], ...wrong })).toThrow(sentence);
  });
});
