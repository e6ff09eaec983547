import { throwIfAborted } from '../errors.js';
import { latticeIndex } from '../lattice/lattice.js';
import { fineCounts } from './gather.js';
import type { Grid } from './grid.js';
import { histogram } from './histogram.js';
import { picked, wantedSlots } from './picked.js';
import type { IndexRange, RankSource, RankView, ViewRequest } from './source.js';

/** The typed arrays whose elements are numbers. NaN is a null. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

const sampleSize = 4096;
/** Long enough for its loop to pay, short enough to stay in the cache. */
const blockSize = 16384;

/**
 * Records in memory, read where they are: do not change the array before the release is done.
 *
 * @param integer whether the array's declared type holds integers only.
 */
export function arraySource(values: NumberArray, integer: boolean): RankSource {
  return {
    integer,
    async open(request): Promise<RankView> {
      throwIfAborted(request.signal);
      const { lattice, nulls } = request;
      const sample = sampleOf(values, request);
      const slots = new Uint16Array(values.length);
      let counted: Grid | undefined;
      return {
        hint: async (low, high) => probableRange(sample, values.length, low, high),
        coarse: async (shift, first, bins) => {
          counted = { lattice, shift, first, bins };
          return histogram(blocksOf(values), counted, nulls, shift > 0 && hasTies(sample), slots);
        },
        fine: async (shift, within) => {
          const wanted = counted && wantedSlots(counted, within);
          const blocks = blocksOf(values);
          return fineCounts(wanted ? picked(blocks, slots, wanted) : blocks, lattice, nulls, shift, within);
        },
        close: async () => {},
      };
    },
  };
}

/** The records as doubles, a block at a time, so that the loops over them only ever meet one type. */
function* blocksOf(values: NumberArray): Generator<Float64Array> {
  const copy = values instanceof Float64Array ? undefined : new Float64Array(Math.min(blockSize, values.length));
  for (let from = 0; from < values.length; from += blockSize) {
    const block = values.subarray(from, from + blockSize);
    if (block instanceof Float64Array) yield block;
    else if (copy) {
      copy.set(block);
      yield copy.subarray(0, block.length);
    }
  }
}

/** The lattice indices of evenly spaced records, ascending. */
function sampleOf(values: NumberArray, { lattice, nulls }: ViewRequest): Float64Array {
  const length = Math.min(sampleSize, values.length);
  const sample = new Float64Array(length);
  let taken = 0;
  for (let i = 0; i < length; i++) {
    const index = latticeIndex(lattice, values[Math.floor((i * values.length) / length)]);
    if (index >= 0) sample[taken++] = index;
    else if (nulls === 'lower') sample[taken++] = 0;
  }
  return sample.subarray(0, taken).sort();
}

function hasTies(sample: Float64Array): boolean {
  for (let i = 1; i < sample.length; i++) if (sample[i] === sample[i - 1]) return true;
  return false;
}

/**
 * Where the sample's quantiles lie, give or take four standard errors and something for the width of the rank ranges;
 * then twice as wide, because a loop's branch on whether a record lies inside should nearly always go one way.
 */
function probableRange(sample: Float64Array, records: number, low: number, high: number): IndexRange | undefined {
  const size = sample.length;
  if (size === 0) return undefined;
  if (records <= sampleSize) return { first: sample[0], last: sample[size - 1] };
  const margin = (q: number) => 4 * Math.sqrt(q * (1 - q) * size) + size / 64 + 8;
  const first = sample[Math.max(0, Math.floor(low * size - margin(low)))];
  const last = sample[Math.min(size - 1, Math.ceil(high * size + margin(high)))];
  const half = (last - first) / 2;
  return { first: first - half, last: last + half };
}
