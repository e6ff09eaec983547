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
export function partitionOf(shift: number, first: number, { counts, only, below, above }: CoarseCounts): Partition {
  const items = new Items(counts.length + 2);
  const width = 2 ** shift;
  items.add(0, outer, below);
  for (let b = 0; b < counts.length; b++) items.addBin(first + b, shift, width, counts[b], only ? only[b] : -1);
  items.add((first + counts.length) * width, outer, above);
  return items.partition();
}

/** The partition with the items at `positions` (ascending) replaced by what a finer count found in them. */
export function refine(partition: Partition, positions: readonly number[], shift: number, fine: FineCounts): Partition {
  const { start } = partition;
  const { bins, counts, only } = fine;
  const items = new Items(start.length - positions.length + bins.length);
  const width = 2 ** shift;
  let kept = 0;
  let f = 0;
  for (const position of positions) {
    items.copy(partition, kept, position);
    kept = position + 1;
    const end = start[position] + 2 ** partition.shift[position];
    for (; f < bins.length && bins[f] * width < end; f++)
      items.addBin(bins[f], shift, width, counts[f], only ? only[f] : -1);
  }
  items.copy(partition, kept, start.length);
  return items.partition();
}

/** A partition as it grows. */
class Items {
  readonly #start: Float64Array;
  readonly #shift: Uint8Array;
  readonly #count: Float64Array;
  #length = 0;

  constructor(capacity: number) {
    this.#start = new Float64Array(capacity);
    this.#shift = new Uint8Array(capacity);
    this.#count = new Float64Array(capacity);
  }

  add(start: number, shift: number, count: number): void {
    if (count === 0) return;
    this.#start[this.#length] = start;
    this.#shift[this.#length] = shift;
    this.#count[this.#length++] = count;
  }

  addBin(bin: number, shift: number, width: number, count: number, only: number): void {
    if (only >= 0) this.add(only, 0, count);
    else this.add(bin * width, shift, count);
  }

  copy({ start, shift, count }: Partition, from: number, to: number): void {
    if (from === to) return; // the usual case, for which three empty views would cost more than the rest
    this.#start.set(start.subarray(from, to), this.#length);
    this.#shift.set(shift.subarray(from, to), this.#length);
    this.#count.set(count.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  partition(): Partition {
    const count = this.#count.subarray(0, this.#length);
    const rank = new Float64Array(count.length + 1);
    for (let i = 0; i < count.length; i++) rank[i + 1] = rank[i] + count[i];
    return { start: this.#start.subarray(0, this.#length), shift: this.#shift.subarray(0, this.#length), count, rank };
  }
}

/** The items whose closed rank interval meets the closed range, which is first moved into `[0, n]`. */
export function touched({ start, rank }: Partition, low: number, high: number): Span {
  const items = start.length;
  const n = rank[items];
  const from = firstWhere(items, (i) => rank[i + 1] >= Math.min(Math.max(low, 0), n));
  const to = firstWhere(items, (i) => rank[i] > Math.min(Math.max(high, 0), n));
  return { from, to };
}

/** The items, ascending, that may hold records on both sides of one of the cuts `k`: those below k and the rest. */
export function cutBy({ start, shift }: Partition, cuts: readonly number[]): Span[] {
  const items = new Set<number>();
  for (const k of cuts) {
    const i = firstWhere(start.length, (i) => start[i] >= k) - 1;
    if (i >= 0 && k < start[i] + 2 ** shift[i]) items.add(i);
  }
  return [...items].sort((a, b) => a - b).map((i) => ({ from: i, to: i + 1 }));
}

/** The number of records with an index less than k, when no item is cut by it. */
export function rankAt({ start, rank }: Partition, k: number): number {
  return rank[firstWhere(start.length, (i) => start[i] >= k)];
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
