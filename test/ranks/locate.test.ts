import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from '../../src/ranks/locate.js';
import { brokenPromises, naiveView } from './naive.js';

const size = fc.oneof(
  fc.integer({ min: 2, max: 40 }),
  fc.integer({ min: 2, max: 300_000 }),
  fc.constantFrom(2 ** 40, 2 ** 53 - 1, 2 ** 53),
  fc.maxSafeInteger().map((k) => Math.max(2, Math.abs(k))),
);
/** Clusters, ties, both ends and points far apart. */
const indicesOn = (size: number) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(0, size - 1, Math.floor(size / 3)),
        fc.integer({ min: 0, max: 20 }).map((d) => Math.min(size - 1, Math.floor(size / 2) + d)),
        fc.maxSafeInteger().map((k) => Math.abs(k) % size),
      ),
      { maxLength: 60 },
    )
    .map((indices) => indices.sort((a, b) => a - b));
const range = fc
  .tuple(fc.double({ min: -10, max: 70, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true }))
  .map(([low, width]) => ({ low, high: low + width }));
const hintOn = (size: number) =>
  fc.option(
    fc
      .tuple(fc.maxSafeInteger(), fc.oneof(fc.integer({ min: -3, max: 100 }), fc.maxSafeInteger()))
      .map(([first, width]) => ({ first: first % size, last: (first % size) + width })),
    { nil: undefined },
  );
const scene = size.chain((size) =>
  fc.record({
    size: fc.constant(size),
    indices: indicesOn(size),
    hint: hintOn(size),
    calls: fc.array(fc.array(range, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  }),
);

describe('locate', () => {
  it('keeps every promise, whatever the data, the lattice, the hint and the calls before', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ size, indices, hint, calls }) => {
        const profile = await locate(naiveView(indices, hint).view, { size }, { low: 0.1, high: 0.9 });
        for (const ranges of calls)
          expect(brokenPromises(profile, await profile.around(ranges), ranges, indices)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('holds every cell whose rank interval meets a range', async () => {
    await fc.assert(
      fc.asyncProperty(indicesOn(30), fc.array(range, { maxLength: 4 }), async (indices, ranges) => {
        const profile = await locate(naiveView(indices).view, { size: 30 }, { low: 0, high: 1 });
        const segments = await profile.around(ranges);
        for (let k = 0; k < 30; k++) {
          const before = indices.filter((x) => x < k).length;
          const through = indices.filter((x) => x <= k).length;
          if (ranges.some(({ low, high }) => before <= high && through >= low))
            expect(segments.filter((s) => s.first <= k && k < s.end)).toHaveLength(1);
        }
      }),
    );
  });

  it('knows the rank of any index, whatever was asked before', async () => {
    const cut = (size: number, indices: readonly number[]) =>
      fc.oneof(
        fc.maxSafeInteger().map((k) => Math.abs(k) % size),
        fc.constantFrom(0, 1, size - 1, size),
        fc
          .tuple(fc.constantFrom(0, ...indices), fc.constantFrom(-1, 0, 1))
          .map(([k, d]) => Math.min(size, Math.max(0, k + d))),
      );
    const asked = scene.chain((s) =>
      fc.record({ scene: fc.constant(s), cuts: fc.array(fc.array(cut(s.size, s.indices), { maxLength: 20 })) }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ({ scene: { size, indices, hint, calls }, cuts }) => {
        const profile = await locate(naiveView(indices, hint).view, { size }, { low: 0.1, high: 0.9 });
        for (let i = 0; i < Math.max(cuts.length, calls.length); i++) {
          if (i < cuts.length)
            expect([...(await profile.ranksAt(cuts[i]))]).toEqual(
              cuts[i].map((k) => indices.filter((x) => x < k).length),
            );
          if (i < calls.length)
            expect(brokenPromises(profile, await profile.around(calls[i]), calls[i], indices)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('gives the whole lattice for no records', async () => {
    const profile = await locate(naiveView([]).view, { size: 2 ** 53 }, { low: 0.5, high: 0.5 });
    const [segment, ...more] = await profile.around([
      { low: -5, high: 5 },
      { low: 0, high: 0 },
    ]);
    expect(more).toEqual([]);
    expect(segment).toMatchObject({ first: 0, end: 2 ** 53, rank: 0 });
    expect(segment.index).toHaveLength(0);
  });

  const spread = Array.from({ length: 5000 }, (_, i) => 2 ** 39 + i * 1_000_003);
  const typical = { first: spread[400], last: spread[4600] };
  const around = (...ranks: number[]) => ranks.map((rank) => ({ low: rank - 20, high: rank + 20 }));

  it('needs one coarse and one fine count with a good hint', async () => {
    const { view, calls } = naiveView(spread, typical);
    await (await locate(view, { size: 2 ** 40 }, { low: 0.1, high: 0.9 })).around(around(1000, 2500, 4000));
    expect(calls).toEqual({ hint: 1, coarse: 1, fine: 1 });
  });

  it('needs one coarse count more with a bad hint', async () => {
    const { view, calls } = naiveView(spread, { first: 5, last: 500 });
    await (await locate(view, { size: 2 ** 40 }, { low: 0.1, high: 0.9 })).around(around(1000, 2500, 4000));
    expect(calls).toEqual({ hint: 1, coarse: 2, fine: 1 });
  });

  it('asks again only for what a wider range adds', async () => {
    const { view, calls } = naiveView(spread, typical);
    const profile = await locate(view, { size: 2 ** 40 }, { low: 0.1, high: 0.9 });
    await profile.around(around(2500));
    await profile.around(around(2490, 2500));
    await profile.around([{ low: 2490, high: 2490 }]);
    expect(calls).toEqual({ hint: 1, coarse: 1, fine: 2 });
  });

  it('needs one count for many ranks, and none for those it knows', async () => {
    const { view, calls } = naiveView(spread);
    const profile = await locate(view, { size: 2 ** 40 }, { low: 0.1, high: 0.9 });
    const cuts = Array.from({ length: 300 }, (_, i) => Math.floor((i * 2 ** 40) / 300));
    await profile.ranksAt(cuts);
    await profile.ranksAt([...cuts].reverse());
    await profile.ranksAt([0, 2 ** 40, spread[0], 2 ** 30]);
    expect(calls).toEqual({ hint: 1, coarse: 1, fine: 1 });
  });

  it('needs no fine count where the coarse one is at single indices', async () => {
    const { view, calls } = naiveView([3, 3, 3, 7, 200], { first: 3, last: 7 });
    await (await locate(view, { size: 1000 }, { low: 0.1, high: 0.5 })).around([{ low: 1, high: 2 }]);
    expect(calls).toEqual({ hint: 1, coarse: 1, fine: 0 });
  });

  it('counts in between before it fetches from crowded bins', async () => {
    // 3,000,000 records in one bin of 2^37 indices; the records around the range are few.
    const shifts: number[] = [];
    const crowd = 3_000_000;
    const { view } = naiveView([]);
    const profile = await locate(
      {
        ...view,
        coarse: async (_shift, _first, bins) => ({
          below: 0,
          counts: new Float64Array(bins).fill(crowd, 0, 1),
          above: 0,
        }),
        fine: async (shift, within) => {
          shifts.push(shift);
          const perBin = 2 ** (within.shift - shift);
          const bins = Float64Array.from({ length: shift > 0 ? 3000 : 3 }, (_, i) => within.bins[0] * perBin + i);
          return { bins, counts: bins.map(() => (shift > 0 ? 1000 : 1000 / 3)) };
        },
      },
      { size: 2 ** 53 },
      { low: 0.5, high: 0.5 },
    );
    await profile.around([{ low: 1_500_100, high: 1_500_200 }]);
    expect(shifts).toEqual([20, 0]);
  });

  it('fetches at once where counting in between would not narrow anything', async () => {
    const shifts: number[] = [];
    const profile = await locate(
      {
        ...naiveView([]).view,
        coarse: async (_shift, _first, bins) => ({ below: 0, counts: new Float64Array(bins).fill(100), above: 0 }),
        fine: async (shift, { bins }) => {
          shifts.push(shift);
          return { bins: Float64Array.from(bins), counts: new Float64Array(bins.length).fill(100) };
        },
      },
      { size: 2 ** 53 },
      { low: 0.1, high: 0.9 },
    );
    await profile.around([{ low: 0, high: profile.n }]);
    expect(shifts).toEqual([0]);
  });

  it('stops at the signal between two counts', async () => {
    const controller = new AbortController();
    const { view, calls } = naiveView(spread, typical);
    const profile = await locate(view, { size: 2 ** 40 }, { low: 0.1, high: 0.9 }, controller.signal);
    controller.abort();
    await expect(profile.around(around(2500))).rejects.toMatchObject({ code: 'aborted' });
    await expect(locate(view, { size: 4 }, { low: 0, high: 1 }, controller.signal)).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(calls).toEqual({ hint: 1, coarse: 1, fine: 0 });
  });
});
