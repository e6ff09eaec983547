import type { FineCounts, RankView } from './source.js';

/** A view of the records that a count for each lattice index stands for; all counts are positive. */
export function runsOf(counts: ReadonlyMap<number, number>): RankView {
  const index = Float64Array.from(counts.keys()).sort();
  const bin = (i: number, shift: number) => Math.floor(index[i] / 2 ** shift);
  return {
    hint: async () => (index.length === 0 ? undefined : { first: index[0], last: index[index.length - 1] }),
    async coarse(shift, first, bins) {
      const found = { below: 0, counts: new Float64Array(bins), above: 0 };
      for (let i = 0; i < index.length; i++) {
        const at = bin(i, shift) - first;
        const count = counts.get(index[i])!;
        if (at < 0) found.below += count;
        else if (at >= bins) found.above += count;
        else found.counts[at] += count;
      }
      return found;
    },
    async fine(shift, within) {
      const listed = new Set(within.bins);
      const groups = new Map<number, { count: number; only: number }>();
      for (let i = 0; i < index.length; i++) {
        if (!listed.has(bin(i, within.shift))) continue;
        const before = groups.get(bin(i, shift));
        const count = (before?.count ?? 0) + counts.get(index[i])!;
        groups.set(bin(i, shift), { count, only: before ? -1 : index[i] });
      }
      return fineCounts(groups);
    },
    close: async () => {},
  };
}

function fineCounts(groups: ReadonlyMap<number, { count: number; only: number }>): FineCounts {
  const column = (of: (group: { count: number; only: number }) => number) => Float64Array.from(groups.values(), of);
  return { bins: Float64Array.from(groups.keys()), counts: column(({ count }) => count), only: column((g) => g.only) };
}
