import { type Grid, indexAt, slotAt, slotsOf } from './grid.js';
import { groupTable, runs } from './groups.js';
import type { BinList, FineCounts, ViewRequest } from './source.js';

/** So many groups are counted in a dense table; more are sorted. */
const maxTable = 2 ** 17;
const maxMask = 2 ** 17;

/** Counts the records of the listed bins per bin at a finer shift, in one pass; see {@link RankView.fine}. */
export function fineCounts(
  blocks: Iterable<Float64Array>,
  lattice: Grid['lattice'],
  nulls: ViewRequest['nulls'],
  shift: number,
  within: BinList,
): FineCounts {
  if (within.bins.length === 0) return { bins: new Float64Array(0), counts: new Float64Array(0) };
  const mask = maskOf(lattice, within);
  const groups = within.bins.length * 2 ** (within.shift - shift);
  const table = mask.exact && groups <= maxTable ? groupTable(shift, within) : undefined;
  const { lower, step, size } = lattice;
  const { base, scale, last, place } = mask;
  let found: Float64Array = new Float64Array(65536);
  let length = 0;
  for (const block of blocks) {
    if (length + block.length > found.length) found = grown(found, length, length + block.length);
    length = gather(block, lower, step, size, base, scale, last, place, nulls === 'lower', found, length);
    if (!table) continue;
    table.add(found.subarray(0, length));
    length = 0;
  }
  return table ? table.result() : runs(found.subarray(0, length).sort(), shift, within);
}

/** Which slots hold listed bins. Where those lie far apart the slots are wider and hold others as well (not `exact`). */
function maskOf(lattice: Grid['lattice'], { shift, bins }: BinList) {
  const lowest = bins[0];
  const highest = bins[bins.length - 1];
  let wider = 0;
  const at = (bin: number) => Math.floor(bin / 2 ** wider);
  while (at(highest) - at(lowest) >= maxMask) wider++;
  // As wide again to both sides, for the sake of branch prediction as in a hint.
  const span = at(highest) - at(lowest) + 1;
  const first = Math.max(0, at(lowest) - span);
  const slots = slotsOf({ lattice, shift: shift + wider, first, bins: at(highest) + span - first + 1 });
  const place = new Uint8Array(slots.last + 1);
  for (const bin of bins) place[at(bin) - first + slots.offset] = 1;
  return { ...slots, place, exact: wider === 0 };
}

/** Appends the indices of a block's records whose slot is wanted; returns the new length. */
function gather(
  block: Float64Array,
  lower: number,
  step: number,
  size: number,
  base: number,
  scale: number,
  last: number,
  wanted: Uint8Array,
  withNulls: boolean,
  found: Float64Array,
  length: number,
): number {
  for (let i = 0; i < block.length; i++) {
    const t = (block[i] - lower) / step + 0.5;
    const position = (t - base) * scale;
    if (wanted[slotAt(position, last)] === 0) continue;
    if (!Number.isNaN(t)) found[length++] = indexAt(t, size);
    // A null comes out at slot 0, which holds index 0 when it is wanted and begins there.
    else if (withNulls && base === 0) found[length++] = 0;
  }
  return length;
}

function grown(array: Float64Array, length: number, least: number): Float64Array {
  const larger = new Float64Array(Math.max(2 * array.length, least));
  larger.set(array.subarray(0, length));
  return larger;
}
