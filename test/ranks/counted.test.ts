import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, quantiles } from '../../src/index.js';
import { counted, mostRecords, recordsOf } from '../../src/ranks/counted.js';
import { sourceOf } from '../../src/ranks/memory.js';
import { naiveView, sortedIndices } from './naive.js';

const values = fc.oneof(fc.integer({ min: -3, max: 14 }), fc.constantFrom(null, Number.NaN, Infinity, -Infinity, 2.5));
const counts = fc.oneof(
  fc.integer({ min: -1, max: 4 }),
  fc.constantFrom(null, undefined, Number.NaN, -Infinity, 0.9, 2.7),
);
const rows = fc.array(fc.tuple(values, counts), { maxLength: 30 });

/** Each row as often as it counts. */
const expanded = (rows: readonly (readonly [value: number | null, count: number | null | undefined])[]) =>
  rows.flatMap(([value, count]) =>
    Array.from({ length: Math.max(0, Math.floor(count ?? 0)) || 0 }, () => value as number),
  );

const ten = createLattice([0, 10], 0.5);

describe('a row stands for as many records as its count says', () => {
  it.each([
    [3, 3],
    [0, 0],
    [2.999, 2],
    [0.999, 0],
    [-1, 0],
    [-Infinity, 0],
    [Number.NaN, 0],
    [null, 0],
    [undefined, 0],
    ['3', 0],
    [7n, 7],
    [-7n, 0],
    [2 ** 32 - 0.5, 2 ** 32 - 1],
    [2 ** 32, mostRecords],
    [2 ** 32 + 1, mostRecords],
    [2n ** 80n, mostRecords],
    [Infinity, mostRecords],
  ])('%s is %s', (count, records) => expect(recordsOf(count)).toBe(records));

  it('in every count of a view', async () => {
    const ask = fc.record({ shift: fc.nat(5), first: fc.nat(20), bins: fc.integer({ min: 1, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('drop', 'lower'), ask, async (rows, nulls, { shift, first, bins }) => {
        const request = { lattice: ten, nulls } as const;
        const indices = sortedIndices(expanded(rows), request);
        const { view: naive } = naiveView(indices);
        const columns = [rows.map(([value]) => value), rows.map(([, count]) => count)] as const;
        const view = await counted(...columns).open(request);
        expect(await view.coarse(shift, first, bins)).toEqual(await naive.coarse(shift, first, bins));
        const within = { shift, bins: [...new Set(indices.map((i) => Math.floor(i / 2 ** shift)))] };
        const { only, ...fine } = await view.fine(Math.floor(shift / 2), within);
        expect(fine).toEqual(await naive.fine(Math.floor(shift / 2), within));
        fine.bins.forEach((bin, i) => {
          const held = new Set(indices.filter((index) => Math.floor(index / 2 ** Math.floor(shift / 2)) === bin));
          expect(only?.[i]).toBe(held.size === 1 ? [...held][0] : -1);
        });
        const hint = await view.hint(0.1, 0.9);
        expect(hint).toEqual(indices.length > 0 ? { first: indices[0], last: indices.at(-1) } : undefined);
      }),
    );
  });

  it.each(['joint-exp', 'approximate-quantiles', 'agg-tree'] as const)(
    'a seeded release by %s is that of the expanded data',
    async (method) => {
      const options = { quantiles: 'quartiles', bounds: [0, 10], step: 0.5, epsilon: 1, method } as const;
      await fc.assert(
        fc.asyncProperty(
          rows,
          fc.constantFrom('add-remove' as const, 'swap' as const),
          fc.nat(99),
          async (rows, relation, unsafeSeed) => {
            const all = { ...options, relation, unsafeSeed };
            const source = counted(
              rows.map(([value]) => value),
              rows.map(([, count]) => count),
            );
            const { guarantee, ...release } = await quantiles(source, all);
            const { guarantee: plain, ...expected } = await quantiles(expanded(rows), all);
            expect(release).toEqual(expected);
            // What it protects is another thing, and is accounted as another.
            expect(guarantee).toEqual({ ...plain, unit: 'count' });
          },
        ),
        { numRuns: 30 },
      );
    },
  );

  it('however many they are', async () => {
    const view = await counted([1, 9, 1], [2 ** 40, 2 ** 31, 5]).open({ lattice: ten, nulls: 'drop' });
    expect(await view.fine(0, { shift: 5, bins: [0] })).toMatchObject({
      bins: Float64Array.of(2, 18),
      counts: Float64Array.of(2 ** 32 + 5, 2 ** 31),
    });
  });
});

it('declares integers by the type of the values, never by the counts', () => {
  expect(counted(Int32Array.of(1), Float64Array.of(1)).integer).toBe(true);
  expect(counted(BigInt64Array.of(1n), [1]).integer).toBe(true);
  expect(counted(Float64Array.of(1), Int32Array.of(1)).integer).toBe(false);
  expect(counted([1], [1]).integer).toBe(false);
});

it('refuses what are not two lists of one length', async () => {
  for (const [values, counts] of [
    [[1, 2], [1]],
    [[1], '1'],
    [5, [1]],
    [null, [1]],
    [[1], {}],
  ])
    expect(() => counted(values as number[], counts as number[])).toThrow(
      expect.objectContaining({ code: 'values_invalid' }),
    );
  const source = counted(new Set([1, 2]), new Set([3, 4]));
  expect(await sourceOf(source)).toBe(source);
});
