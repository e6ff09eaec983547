import type { RankProfile } from '../../src/ranks/locate.js';

/** The profile of a few records on a small lattice, whole. */
export function profileOf(records: readonly number[], size: number): RankProfile {
  const counts = new Map<number, number>();
  for (const x of [...records].sort((a, b) => a - b)) counts.set(x, (counts.get(x) ?? 0) + 1);
  const segment = {
    first: 0,
    end: size,
    rank: 0,
    index: Float64Array.from(counts.keys()),
    count: Float64Array.from(counts.values()),
  };
  return { n: records.length, size, around: async () => [segment] };
}
