import { type Grid, slotsOf } from './grid.js';
import type { BinList } from './source.js';

/**
 * Which slots of a coarse count hold the listed bins; undefined when the bins are not finer than its own, lie outside
 * them, or its slots do not fit 16 bits.
 */
export function wantedSlots(grid: Grid, { shift, bins }: BinList): Uint8Array | undefined {
  const { offset, last } = slotsOf(grid);
  if (shift > grid.shift || last >= 2 ** 16) return undefined;
  const wanted = new Uint8Array(last + 1);
  for (const bin of bins) {
    const coarse = Math.floor(bin / 2 ** (grid.shift - shift)) - grid.first;
    if (coarse < 0 || coarse >= grid.bins) return undefined;
    wanted[coarse + offset] = 1;
  }
  return wanted;
}

/** The blocks without the records whose slot, as a coarse count left it, is not wanted: no arithmetic on the others. */
export function* picked(
  blocks: Iterable<Float64Array>,
  slots: Uint16Array,
  wanted: Uint8Array,
): Generator<Float64Array> {
  let from = 0;
  let chosen = new Float64Array(0);
  for (const block of blocks) {
    if (chosen.length < block.length) chosen = new Float64Array(block.length);
    const length = pick(block, slots.subarray(from, (from += block.length)), wanted, chosen);
    yield chosen.subarray(0, length);
  }
}

function pick(block: Float64Array, slots: Uint16Array, wanted: Uint8Array, chosen: Float64Array): number {
  let length = 0;
  for (let i = 0; i < slots.length; i++) if (wanted[slots[i]] !== 0) chosen[length++] = block[i];
  return length;
}
