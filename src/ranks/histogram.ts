import { type Grid, indexAt, slotAt, slotsOf } from './grid.js';
import type { CoarseCounts, ViewRequest } from './source.js';

/**
 * Counts every record per bin of the grid in one pass.
 *
 * @param track whether to find out which bins hold a single index; worth its time where values repeat.
 * @param slots takes the slot of each record, modulo 2^16.
 */
export function histogram(
  blocks: Iterable<Float64Array>,
  grid: Grid,
  nulls: ViewRequest['nulls'],
  track: boolean,
  slots: Uint16Array,
): CoarseCounts {
  const { lower, step, size } = grid.lattice;
  const { base, scale, offset, last } = slotsOf(grid);
  const end = offset + grid.bins;
  const counts = new Float64Array(end + 1);
  const only = new Float64Array(track ? end + 1 : 0).fill(-1);
  let dropped = 0;
  let from = 0;
  for (const block of blocks) {
    const slot = slots.subarray(from, (from += block.length));
    dropped += track
      ? countDistinct(block, lower, step, size, base, scale, last, slot, counts, only)
      : count(block, lower, step, base, scale, last, slot, counts);
  }
  if (nulls === 'lower' && dropped > 0) {
    if (track) only[0] = counts[0] === 0 || only[0] === 0 ? 0 : -1;
    counts[0] += dropped;
  }
  return {
    below: offset === 1 ? counts[0] : 0,
    counts: counts.subarray(offset, end),
    above: counts[end],
    ...(track && { only: only.subarray(offset, end) }),
  };
}

/** Adds the records of a block to their slots; returns how many are NaN. */
function count(
  block: Float64Array,
  lower: number,
  step: number,
  base: number,
  scale: number,
  last: number,
  slots: Uint16Array,
  counts: Float64Array,
): number {
  let nulls = 0;
  for (let i = 0; i < block.length; i++) {
    // Exact although t is no integer: base is a multiple of the last place of any t >= base, and scale a power of two.
    const position = ((block[i] - lower) / step + 0.5 - base) * scale;
    const slot = slotAt(position, last);
    slots[i] = slot;
    if (Number.isNaN(position)) nulls++;
    else counts[slot]++;
  }
  return nulls;
}

/** The same, and keeps in `only` the one index of a slot, or -1 once there are two. */
function countDistinct(
  block: Float64Array,
  lower: number,
  step: number,
  size: number,
  base: number,
  scale: number,
  last: number,
  slots: Uint16Array,
  counts: Float64Array,
  only: Float64Array,
): number {
  let nulls = 0;
  for (let i = 0; i < block.length; i++) {
    const t = (block[i] - lower) / step + 0.5;
    const slot = slotAt((t - base) * scale, last);
    slots[i] = slot;
    if (Number.isNaN(t)) {
      nulls++;
      continue;
    }
    const index = indexAt(t, size);
    if (counts[slot]++ === 0) only[slot] = index;
    else if (only[slot] !== index) only[slot] = -1;
  }
  return nulls;
}
