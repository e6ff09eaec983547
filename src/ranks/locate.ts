import { throwIfAborted } from '../errors.js';
import { cutBy, joined, outer, type Partition, partitionOf, rankAt, refine, type Span, touched } from './partition.js';
import type { IndexRange, RankView } from './source.js';

/** The records whose index lies in `[first, end)`, as ascending (index, count) pairs. */
export interface Segment {
  readonly first: number;
  readonly end: number;
  /** The number of records before `first`. */
  readonly rank: number;
  readonly index: Float64Array;
  readonly count: Float64Array;
}

/** A closed range of ranks; it may reach below 0 or above n. */
export interface RankRange {
  readonly low: number;
  readonly high: number;
}

/** What a quantile mechanism sees of private data. With `h(k)` the number of records whose index is less than k: */
export interface RankProfile {
  /** The number of records. Private under add-remove. */
  readonly n: number;
  /** The number of lattice points. */
  readonly size: number;
  /**
   * Segments, ascending and disjoint, that hold every cell k whose rank interval `[h(k), h(k) + records on k]` meets one
   * of the ranges. Each range lies in one segment: the segment begins at index 0 or with a rank less than `low`, and ends
   * at `size` or with a rank greater than `high`. What earlier calls found out is used again.
   */
  around(ranges: readonly RankRange[]): Promise<readonly Segment[]>;
  /** `h(k)` for each of the given k, in their order; k from 0 to `size`. */
  ranksAt(indices: readonly number[]): Promise<Float64Array>;
}

const maxBins = 65536;
/** So many records are fetched at once rather than counted at one more resolution in between. */
const fewRecords = 2 ** 20;
const maxGroups = 2 ** 17;
/** A count in between that sharpens less than this many bits is not worth a scan. */
const leastGain = 4;

/**
 * Counts the records of a view coarsely, and finely where asked. A scan each for the hint, the coarse count and the
 * fetching of what lies around the ranges is the normal case; a wrong hint costs one more.
 *
 * @param quantiles the least and the largest quantile that will be asked for: where the hint should look.
 * @throws ScumbleError `aborted`, and what the view throws.
 */
export async function locate(
  view: RankView,
  { size }: { readonly size: number },
  quantiles: RankRange,
  signal?: AbortSignal,
): Promise<RankProfile> {
  const survey = async (range: IndexRange): Promise<Partition> => {
    throwIfAborted(signal);
    const { shift, first, bins } = gridOver(range);
    return partitionOf(shift, first, await view.coarse(shift, first, bins));
  };
  const sharpen = async (known: Partition, positions: readonly number[]): Promise<Partition> => {
    throwIfAborted(signal);
    const shift = known.shift[positions[0]];
    const finer = finerShift(known, positions);
    const bins = positions.map((i) => known.start[i] / 2 ** shift);
    return refine(known, positions, finer, await view.fine(finer, { shift, bins }));
  };
  const whole = { first: 0, last: size - 1 };

  throwIfAborted(signal);
  const hint = await view.hint(quantiles.low, quantiles.high);
  let known = await survey(within(whole, hint) ?? whole);
  const learn = async (positions: readonly number[]): Promise<void> => {
    const beyond = known.shift[positions[0]] === outer;
    known = beyond ? await survey(whole) : await sharpen(known, positions);
  };

  return {
    n: known.rank[known.start.length],
    size,
    async around(ranges) {
      for (;;) {
        const spans = joined(ranges.map(({ low, high }) => touched(known, low, high)));
        const positions = coarsest(known, spans);
        if (positions.length === 0) return spans.map((span) => segment(known, span, size));
        await learn(positions);
      }
    },
    async ranksAt(indices) {
      const inside = indices.filter((k) => k < size); // bins may reach beyond the lattice, records do not
      for (;;) {
        const positions = coarsest(known, cutBy(known, inside));
        if (positions.length === 0) return Float64Array.from(indices, (k) => rankAt(known, k));
        await learn(positions);
      }
    },
  };
}

/** The part of a hint that lies on the lattice. */
function within(whole: IndexRange, hint: IndexRange | undefined): IndexRange | undefined {
  if (!hint) return undefined;
  const first = Math.max(whole.first, Math.floor(hint.first));
  const last = Math.min(whole.last, Math.floor(hint.last));
  return first <= last ? { first, last } : undefined;
}

/** The finest grid of at most {@link maxBins} bins that covers the range. */
function gridOver({ first, last }: IndexRange) {
  const bin = (index: number, shift: number) => Math.floor(index / 2 ** shift);
  let shift = 0;
  while (bin(last, shift) - bin(first, shift) >= maxBins) shift++;
  return { shift, first: bin(first, shift), bins: bin(last, shift) - bin(first, shift) + 1 };
}

/** The items in the spans that are not exact and of the largest shift among those, so that one call can count them. */
function coarsest({ shift }: Partition, spans: readonly Span[]): number[] {
  let positions: number[] = [];
  let most = 1;
  for (const { from, to } of spans)
    for (let i = from; i < to; i++) {
      if (shift[i] < most) continue;
      if (shift[i] > most) positions = [];
      most = shift[i];
      positions.push(i);
    }
  return positions;
}

/** At which shift to count the items: 0 where the answer stays small or cannot be made much smaller. */
function finerShift({ shift, count }: Partition, positions: readonly number[]): number {
  const records = positions.reduce((sum, i) => sum + count[i], 0);
  const gain = Math.floor(Math.log2(maxGroups / positions.length));
  return records <= fewRecords || gain < leastGain ? 0 : Math.max(0, shift[positions[0]] - gain);
}

/** The exact items of a span, out to the ends of the lattice where no item lies beyond. */
function segment({ start, count, rank }: Partition, { from, to }: Span, size: number): Segment {
  return {
    first: from === 0 ? 0 : start[from],
    end: to === start.length ? size : start[to - 1] + 1,
    rank: rank[from],
    index: start.subarray(from, to),
    count: count.subarray(from, to),
  };
}
