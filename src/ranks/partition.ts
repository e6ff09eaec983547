import type { CoarseCounts, FineCounts } from './source.js';

/**
 * What is known of the records of one snapshot: the items that hold records, ascending and disjoint. The rest of the
 * lattice is empty. An item of shift 0 is exact: all its records lie on `start`. An item of shift s holds its records
 * somewhere in `start … start + 2^s - 1`, one of shift {@link outer} somewhere beyond the coarse grid.
 */
export interface Partition {
  readonly start: Float64Array;
  readonly shift: Uint8Array;
  readonly count: Float64Array;
  /** Records before item i; the last entry, one past the items, is the number of all records. */
  readonly rank: Float64Array;
}

/** A run of items, `from` included, `to` excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The shift of what lies before or after the bins of a coarse count. */
export const outer = 255;

/** The items of a coarse count over the bins from `first` on. */
export function partitionOf(shift: number, first: number, coarse: CoarseCounts): Partition {
  const { counts, only, below, above } = coarse;
  const build = builder(counts.length + 2);
  const width = 2 ** shift;
  build.add(0, outer, below);
  for (let b = 0; b < counts.length; b++) build.addBin(first + b, shift, width, counts[b], only?.[b]);
  build.add((first + counts.length) * width, outer, above);
  return build.done();
}

/** The partition with the items at `positions` (ascending) replaced by what a finer count found in them. */
export function refine(partition: Partition, positions: readonly number[], shift: number, fine: FineCounts): Partition {
  const { start, count } = partition;
  const { bins, counts, only } = fine;
  const build = builder(start.length - positions.length + bins.length);
  const width = 2 ** shift;
  let f = 0;
  let p = 0;
  for (let i = 0; i < start.length; i++) {
    if (positions[p] === i) {
      p++;
      continue;
    }
    for (; f < bins.length && bins[f] * width < start[i]; f++)
      build.addBin(bins[f], shift, width, counts[f], only?.[f]);
    build.add(start[i], partition.shift[i], count[i]);
  }
  for (; f < bins.length; f++) build.addBin(bins[f], shift, width, counts[f], only?.[f]);
  return build.done();
}

function builder(capacity: number) {
  const start = new Float64Array(capacity);
  const shifts = new Uint8Array(capacity);
  const counts = new Float64Array(capacity);
  let length = 0;
  const add = (first: number, shift: number, count: number) => {
    if (count === 0) return;
    start[length] = first;
    shifts[length] = shift;
    counts[length++] = count;
  };
  const addBin = (bin: number, shift: number, width: number, count: number, only = -1) =>
    only >= 0 ? add(only, 0, count) : add(bin * width, shift, count);
  const done = (): Partition => {
    const rank = new Float64Array(length + 1);
    for (let i = 0; i < length; i++) rank[i + 1] = rank[i] + counts[i];
    return { start: start.slice(0, length), shift: shifts.slice(0, length), count: counts.slice(0, length), rank };
  };
  return { add, addBin, done };
}

/** The items whose closed rank interval meets the closed range, which is first moved into `[0, n]`. */
export function touched({ start, rank }: Partition, low: number, high: number): Span {
  const items = start.length;
  const n = rank[items];
  const from = firstWhere(items, (i) => rank[i + 1] >= Math.min(Math.max(low, 0), n));
  const to = firstWhere(items, (i) => rank[i] > Math.min(Math.max(high, 0), n));
  return { from, to };
}

/** The least i in `[0, length)` for which a monotone test holds, or `length`. */
function firstWhere(length: number, holds: (i: number) => boolean): number {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Overlapping and adjacent spans joined, ascending. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else result.push(span);
  }
  return result;
}
