import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, type Lattice } from '../../src/lattice/lattice.js';
import { locate } from '../../src/ranks/locate.js';
import { type Numbers, sourceOf } from '../../src/ranks/memory.js';
import type { RankView } from '../../src/ranks/source.js';
import { brokenPromises, sortedIndices, tallied } from './naive.js';

const lattices: Lattice[] = [
  createLattice([0, 1], 1),
  createLattice([-100, 100]),
  createLattice([-100, 100], 0.1),
  createLattice([-100, 100], 1),
  createLattice([0, 1], 2 ** -52),
  createLattice([0, 2 ** 53 - 1], 1),
  createLattice([-1e300, 1e300], 1e290),
  createLattice([0, 1e-310]),
];
const awkward = [
  2 ** 52 + 1,
  2 ** 53 - 3,
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  1e308,
  -1e308,
  5e-324,
  -5e-324,
  0.5,
  99.95,
  100,
  -100,
  1,
  0.1,
  0.3,
];
const value = fc.oneof(
  fc.constantFrom(...awkward),
  fc.double({ min: -3, max: 3 }),
  fc.double(),
  fc.integer({ min: -120, max: 120 }),
);
const values = fc.array(value, { maxLength: 60 });
const shifts = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 52 }));
const request = fc.record({
  lattice: fc.constantFrom(...lattices),
  nulls: fc.constantFrom('drop' as const, 'lower' as const),
});
/** The naive bin of an index. */
const bin = (index: number, shift: number) => Math.floor(index / 2 ** shift);

async function viewOf(numbers: Numbers, request: Parameters<Awaited<ReturnType<typeof sourceOf>>['open']>[0]) {
  return (await sourceOf(numbers)).open(request);
}

describe('the source in memory', () => {
  it('counts coarsely by the definition', async () => {
    await fc.assert(
      fc.asyncProperty(
        values,
        request,
        shifts,
        fc.nat(),
        fc.integer({ min: 1, max: 300 }),
        async (numbers, request, shift, where, bins) => {
          const indices = sortedIndices(numbers, request);
          // Most grids begin at, or a little before, a bin that holds records.
          const some = [request.lattice.size - 1, ...indices][where % (indices.length + 1)];
          const first = Math.max(0, bin(some, shift) - (where % 5));
          const got = await (await viewOf(numbers, request)).coarse(shift, first, bins);
          const at = indices.map((index) => bin(index, shift) - first);
          expect(got.below).toBe(at.filter((b) => b < 0).length);
          expect(got.above).toBe(at.filter((b) => b >= bins).length);
          expect(got.counts).toHaveLength(bins);
          const held = [...got.counts].flatMap((count, b) => (count > 0 ? [[b, count]] : []));
          expect(held).toEqual(tallied(at.filter((b) => b >= 0 && b < bins)));
          got.only?.forEach((only, b) => {
            const inside = new Set(indices.filter((_, i) => at[i] === b));
            expect(only).toBe(inside.size === 1 ? [...inside][0] : -1);
          });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('counts finely by the definition', async () => {
    await fc.assert(
      fc.asyncProperty(
        values,
        request,
        shifts,
        fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        fc.option(fc.tuple(fc.integer({ min: -3, max: 8 }), fc.double({ min: 0, max: 1, noNaN: true }))),
        async (numbers, request, shift, coarser, extra, before) => {
          const indices = sortedIndices(numbers, request);
          const top = bin(request.lattice.size - 1, shift + coarser);
          const some = indices.filter((_, i) => i % 2 === 0).map((index) => bin(index, shift + coarser));
          const listed = [...new Set([...some, ...extra.map((where) => Math.floor(where * top))])].sort(
            (a, b) => a - b,
          );
          const within = { shift: shift + coarser, bins: listed };
          const view = await viewOf(numbers, request);
          if (before) {
            const [more, where] = before;
            const coarseShift = Math.max(0, within.shift + more);
            await view.coarse(coarseShift, Math.floor(where * bin(request.lattice.size - 1, coarseShift)), 300);
          }
          const got = await view.fine(shift, within);
          const inside = indices.filter((index) => listed.includes(bin(index, shift + coarser)));
          expect([...got.bins].map((b, i) => [b, got.counts[i]])).toEqual(
            tallied(inside.map((index) => bin(index, shift))),
          );
          got.only?.forEach((only, i) => {
            const held = new Set(inside.filter((index) => bin(index, shift) === got.bins[i]));
            expect(only).toBe(held.size === 1 ? [...held][0] : -1);
          });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('serves grids of all 65536 bins with records on both sides', async () => {
    const request = { lattice: createLattice([0, 1e6], 1), nulls: 'drop' as const };
    const view = await viewOf([3, 100, 65_634, 65_635, 65_636, 9e5], request);
    const { below, above, counts } = await view.coarse(0, 100, 65_536);
    expect([below, counts[0], counts[65_534], counts[65_535], above]).toEqual([1, 1, 1, 1, 2]);
    const fine = await view.fine(0, { shift: 0, bins: [100, 65_634, 65_635] });
    expect([...fine.bins, ...fine.counts]).toEqual([100, 65_634, 65_635, 1, 1, 1]);
  });

  it('gives exact profiles together with locate', async () => {
    const rank = fc.tuple(fc.integer({ min: -5, max: 65 }), fc.integer({ min: 0, max: 10 }));
    await fc.assert(
      fc.asyncProperty(values, request, fc.array(rank, { maxLength: 4 }), async (numbers, request, ranks) => {
        const indices = sortedIndices(numbers, request);
        const profile = await locate(await viewOf(numbers, request), request.lattice, { low: 0.25, high: 0.75 });
        const ranges = ranks.map(([low, width]) => ({ low, high: low + width }));
        expect(brokenPromises(profile, await profile.around(ranges), ranges, indices)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('reads arrays, iterables, async iterables and typed arrays alike', async () => {
    const request = { lattice: createLattice([-100, 100], 0.5), nulls: 'lower' as const };
    const mixed = [3, 3n, null, undefined, 'seven', 1e9, -0, NaN, 2.5] as number[];
    const whole = async (view: RankView) => await view.fine(0, { shift: 20, bins: [0] });
    const expected = tallied(sortedIndices(mixed, request));
    const asyncOf = async function* () {
      yield* mixed;
    };
    for (const numbers of [mixed, new Set(mixed.slice(0, 9)), asyncOf()]) {
      const { bins, counts } = await whole(await viewOf(numbers, request));
      expect([...bins].map((b, i) => [b, counts[i]])).toEqual(expected);
    }
    for (const type of [
      Float64Array,
      Float32Array,
      Int8Array,
      Int16Array,
      Int32Array,
      class Own extends Int16Array {},
    ]) {
      const typed = new type(Array.from({ length: 40_000 }, (_, i) => (i % 250) - 125));
      const { bins, counts } = await whole(await viewOf(typed, request));
      expect([...bins].map((b, i) => [b, counts[i]])).toEqual(tallied(sortedIndices(typed, request)));
    }
    for (const type of [BigInt64Array, BigUint64Array]) {
      const { bins, counts } = await whole(await viewOf(type.of(3n, 5n, 3n, 2n ** 62n), request));
      expect([...bins].map((b, i) => [b, counts[i]])).toEqual([
        [206, 2],
        [210, 1],
        [400, 1],
      ]);
    }
  });

  it('declares integers by type and never by value', async () => {
    const declared = async (numbers: Numbers) => (await sourceOf(numbers)).integer;
    for (const type of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array])
      expect(await declared(type.of(1))).toBe(true);
    expect(await declared(BigInt64Array.of(1n))).toBe(true);
    for (const numbers of [[1, 2], new Set([1]), Float64Array.of(1), Float32Array.of(1)])
      expect(await declared(numbers)).toBe(false);
  });

  it('passes sources through and refuses what is no list of numbers', async () => {
    const source = await sourceOf([1]);
    expect(await sourceOf(source)).toBe(source);
    for (const wrong of ['123', 5, null, undefined, {}, { open: 1 }, new DataView(new ArrayBuffer(8)), Object('12')])
      await expect(sourceOf(wrong as Numbers)).rejects.toMatchObject({ code: 'values_invalid' });
  });

  it('stops at the signal', async () => {
    const signal = AbortSignal.abort();
    const endless = async function* () {
      for (;;) yield 1;
    };
    await expect(sourceOf(endless(), signal)).rejects.toMatchObject({ code: 'aborted' });
    const request = { lattice: lattices[0], nulls: 'drop' as const, signal };
    await expect(viewOf([1], request)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('is exact and needs few passes on many records', async () => {
    const lattice = createLattice([-100, 100]);
    // Low-discrepancy points, thinned towards the ends; 30 % of the second column lie on one value.
    const spread = Float64Array.from({ length: 50_000 }, (_, i) =>
      Math.atanh(((i * 0.6180339887498949) % 1) * 1.9 - 0.95),
    );
    const columns: [Float64Array, number][] = [
      [spread, 2],
      [spread.map((x, i) => (i % 10 < 3 ? 0.123 : x)), 2],
      [spread.map((x) => Math.round(x * 10) / 7), 1],
      [spread.map(() => 7.3), 1],
      [spread.map((x, i) => (i % 5 === 0 ? NaN : x)), 2],
    ];
    for (const [numbers, most] of columns) {
      const request = { lattice, nulls: 'drop' as const };
      const view = await viewOf(numbers, request);
      let passes = 0;
      const spy: RankView = {
        ...view,
        coarse: (...args) => {
          passes++;
          return view.coarse(...args);
        },
        fine: (...args) => {
          passes++;
          return view.fine(...args);
        },
      };
      const profile = await locate(spy, lattice, { low: 0.1, high: 0.9 });
      const ranges = [0.1, 0.5, 0.9].map((q) => ({ low: q * profile.n - 200, high: q * profile.n + 200 }));
      const segments = await profile.around(ranges);
      expect(brokenPromises(profile, segments, ranges, sortedIndices(numbers, request))).toEqual([]);
      expect(passes).toBeLessThanOrEqual(most);
    }
  });
});
