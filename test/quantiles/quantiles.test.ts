import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, latticeIndex, type Numbers, planQuantiles, quantiles } from '../../src/index.js';
import { deciles, evenly } from './columns.js';

describe('the result', () => {
  it('keeps the order and the duplicates of the question', async () => {
    const asked = [0.9, 0.1, 0.5, 0.9, 0.1];
    const { quantiles: given, values, forecast } = await quantiles(evenly(10_000), { ...deciles, quantiles: asked });
    expect(given).toEqual(asked);
    expect([values[0], values[1], forecast.rankError95[0]]).toEqual([values[3], values[4], forecast.rankError95[3]]);
    expect(values[1]).toBeLessThan(values[2]);
    expect(values[2]).toBeLessThan(values[0]);
    for (const [j, q] of asked.entries()) expect(Math.abs(values[j] - (100 * q - 50))).toBeLessThan(5);
  });

  it('is plain frozen data with the documented keys', async () => {
    const release = await quantiles(evenly(1000), { ...deciles, step: 0.1, aboutRows: 1000 });
    const json = JSON.parse(JSON.stringify(release));
    expect(json).toEqual(release);
    expect(Object.keys(json)).toEqual([
      'quantiles',
      'values',
      'guarantee',
      'mechanism',
      'lattice',
      'forecast',
      'second',
    ]);
    expect(json).toMatchObject({
      guarantee: { relation: 'add-remove', unit: 'row', epsilon: 1, delta: 0 },
      mechanism: 'joint-exp',
      lattice: { lower: -100, upper: 100, step: 0.1 },
    });
    expect(Object.keys(json.lattice)).toEqual(['lower', 'upper', 'step']);
    expect(Object.keys(json.forecast)).toEqual([
      'expectedRankError',
      'rankError95',
      'expectedRankErrorShare',
      'rankError95Share',
    ]);
    expect(isFrozen(release)).toBe(true);
    for (const value of release.values) expect(String(value)).toMatch(/^-?\d+(\.\d)?$/);
  });

  it('is the plan and the values', async () => {
    const { lattice, ...plan } = planQuantiles(deciles);
    expect(plan.second?.mechanism).toBe('approximate-quantiles');
    const { values, lattice: grid, ...rest } = await quantiles(evenly(100), deciles);
    expect(rest).toEqual(plan);
    expect(grid).toEqual({ lower: -100, upper: 100, step: lattice.step });
    for (const value of values) expect(lattice.value(latticeIndex(lattice, value))).toBe(value);
  });
});

describe('no column makes a release fail or look different', () => {
  const columns: Readonly<Record<string, Numbers>> = {
    empty: [],
    'all null': new Array(50).fill(null),
    'all NaN': new Float64Array(50).fill(Number.NaN),
    constant: new Float64Array(50).fill(7),
    'one row': [3],
    infinities: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    enormous: [1e308, -1e308, 1e308],
    zeros: [0, -0, 0, -0],
    subnormal: [5e-324, -5e-324, 1e-310],
    'all below': new Array(500).fill(-1e6),
    'all above': new Array(500).fill(1e6),
    text: ['a', '1', ''] as never[],
    'on the bounds': [-100, 100, -100, 100],
  };
  const steps = [undefined, 1, 0.1, 200] as const;

  it.each(Object.keys(columns))('%s', async (name) => {
    for (const relation of ['add-remove', 'swap'] as const)
      for (const step of steps) {
        const options = { ...deciles, relation, step };
        const release = await quantiles(columns[name], options);
        const usual = await quantiles(evenly(1000), options);
        const { values, ...rest } = release;
        expect({ ...rest, values: usual.values }).toEqual(usual);
        expect(values).toHaveLength(9);
        expect(values.every((v, j) => v >= -100 && v <= 100 && v >= (values[j - 1] ?? -100))).toBe(true);
      }
  });
});

describe('all legal options', () => {
  const quantile = fc.oneof(
    fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }),
    fc.constantFrom(5e-324, 2 ** -54, 0.1, 0.1 + 2 ** -56, 0.5, 1 - 2 ** -53),
  );
  const bounds = fc
    .tuple(fc.double({ min: -8e307, max: 8e307, noNaN: true }), fc.double({ min: -8e307, max: 8e307, noNaN: true }))
    .filter(([a, b]) => Math.abs(b - a) > 1e-300)
    .map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
  const options = fc.record({
    quantiles: fc.array(quantile, { minLength: 1, maxLength: 6 }),
    bounds: fc.oneof(
      bounds,
      fc.constantFrom<[number, number]>([0, 1], [-5e-324, 1e-320], [1e15, 1e15 + 1], [-1, 1e300]),
    ),
    epsilon: fc.constantFrom(1e-8, 0.001, 1, 100),
    relation: fc.constantFrom('add-remove' as const, 'swap' as const),
    unsafeSeed: fc.nat(),
  });

  it('give points within the bounds, in the order of the quantiles', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(fc.double(), { maxLength: 40 }), async (asked, numbers) => {
        const { values, lattice: grid } = await quantiles(numbers, asked);
        const lattice = createLattice(asked.bounds);
        expect(grid.step).toBe(lattice.step);
        const order = asked.quantiles.map((_, j) => j).sort((a, b) => asked.quantiles[a] - asked.quantiles[b]);
        order.slice(1).forEach((j, i) => {
          expect(values[j]).toBeGreaterThanOrEqual(values[order[i]]);
        });
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(lattice.lower);
          expect(value).toBeLessThanOrEqual(lattice.upper);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('include every size of request and of column', async () => {
    for (const length of [0, 1, 3, 2000]) {
      const release = await quantiles(evenly(length), { ...deciles, quantiles: 'count:300', epsilon: 10 });
      expect(release.values).toHaveLength(300);
    }
  });
});

describe('ties', () => {
  it.each([undefined, 1, 0.5, 0.01, 1e-9, 7, 2 ** -44])(
    'a constant column is released as it is, at step %d',
    async (step) => {
      const lattice = createLattice([-100, 100], step);
      for (const constant of [7, -100, 100, 0.123456789]) {
        const expected = lattice.value(latticeIndex(lattice, constant));
        for (const relation of ['add-remove', 'swap'] as const) {
          const { values } = await quantiles(new Float64Array(2000).fill(constant), { ...deciles, step, relation });
          expect(values).toEqual(new Array(9).fill(expected));
        }
      }
    },
  );

  it('whole years give whole years although the lattice is fine', async () => {
    const ages = Array.from({ length: 90_000 }, (_, i) => i % 90);
    const { values } = await quantiles(ages, { ...deciles, bounds: [0, 120], quantiles: [0.25, 0.505, 0.75] });
    expect(values).toEqual([22, 45, 67]);
  });
});

describe('randomness', () => {
  it('is reproducible only where a seed is given, and then the result says so', async () => {
    const run = (unsafeSeed?: number) => quantiles(evenly(1000), { ...deciles, unsafeSeed });
    const [a, b, c] = await Promise.all([run(5), run(5), run(6)]);
    expect(a).toEqual(b);
    expect(a.unsafeSeed).toBe(5);
    expect(Object.keys(a).at(-1)).toBe('unsafeSeed');
    expect(c.values).not.toEqual(a.values);
    const [x, y] = await Promise.all([run(), run()]);
    expect(x.values).not.toEqual(y.values);
    expect(x).not.toHaveProperty('unsafeSeed');
    expect((await run(0)).unsafeSeed).toBe(0);
  });
});

function isFrozen(value: unknown): boolean {
  return (
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  );
}
