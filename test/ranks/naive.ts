import { latticeIndex } from '../../src/lattice/lattice.js';
import type { RankProfile, RankRange, Segment } from '../../src/ranks/locate.js';
import type { RankView, ViewRequest } from '../../src/ranks/source.js';

/** All indices in ascending order, by the definition. */
export function sortedIndices(values: Iterable<unknown>, { lattice, nulls }: ViewRequest): number[] {
  const indices: number[] = [];
  for (const value of values) {
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
    if (!Number.isNaN(number)) indices.push(latticeIndex(lattice, number));
    else if (nulls === 'lower') indices.push(0);
  }
  return indices.sort((a, b) => a - b);
}

/** Ascending (key, count) pairs. */
export function tallied(keys: readonly number[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

/** A view over sorted indices, straight from the contract, that counts its calls. */
export function naiveView(indices: readonly number[], hint?: { first: number; last: number }) {
  const calls = { hint: 0, coarse: 0, fine: 0 };
  const bin = (index: number, shift: number) => Math.floor(index / 2 ** shift);
  const view: RankView = {
    async hint() {
      calls.hint++;
      return hint;
    },
    async coarse(shift, first, bins) {
      calls.coarse++;
      if (bins > 65536) throw new RangeError('too many bins');
      const counts = new Float64Array(bins);
      let below = 0;
      let above = 0;
      for (const index of indices) {
        const b = bin(index, shift) - first;
        if (b < 0) below++;
        else if (b >= bins) above++;
        else counts[b]++;
      }
      return { below, counts, above };
    },
    async fine(shift, within) {
      calls.fine++;
      const wanted = new Set(within.bins);
      const pairs = tallied(
        indices.filter((index) => wanted.has(bin(index, within.shift))).map((index) => bin(index, shift)),
      );
      return { bins: Float64Array.from(pairs, ([b]) => b), counts: Float64Array.from(pairs, ([, c]) => c) };
    },
    async close() {},
  };
  return { view, calls };
}

/** Every promise of {@link RankProfile.around}, checked against the sorted indices. Returns what is broken. */
export function brokenPromises(
  profile: RankProfile,
  segments: readonly Segment[],
  ranges: readonly RankRange[],
  indices: readonly number[],
): string[] {
  const broken: string[] = [];
  const claim = (holds: boolean, what: string) => holds || broken.push(what);
  claim(profile.n === indices.length, 'n');
  segments.forEach((s, i) => {
    claim(s.first < s.end && s.first >= 0 && s.end <= profile.size, 'inside the lattice');
    claim(i === 0 || segments[i - 1].end <= s.first, 'ascending and disjoint');
    claim(s.rank === indices.filter((x) => x < s.first).length, 'rank of first');
    const inside = indices.filter((x) => x >= s.first && x < s.end);
    const pairs = [...s.index].map((index, j) => [index, s.count[j]]);
    claim(JSON.stringify(pairs) === JSON.stringify(tallied(inside)), 'all records of the segment');
  });
  for (const { low, high } of ranges) {
    const serving = segments.filter((s) => {
      const end = indices.filter((x) => x < s.end).length;
      return (s.first === 0 || s.rank < low) && (s.end === profile.size || end > high);
    });
    claim(serving.length === 1, 'one segment for a range');
  }
  return broken;
}
