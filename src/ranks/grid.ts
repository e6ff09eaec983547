import type { Lattice } from '../lattice/lattice.js';

/** Bins `first … first+bins-1` of 2^shift lattice indices each, over a lattice. */
export interface Grid {
  readonly lattice: Pick<Lattice, 'lower' | 'step' | 'size'>;
  readonly shift: number;
  readonly first: number;
  readonly bins: number;
}

/**
 * Slots for the records of a grid: one a bin, one before them unless the bins begin at index 0, and one after them unless
 * they reach the end of the lattice. Clamping to the slots then clamps records to the lattice as well.
 */
export interface Slots {
  /** The index where slot 0 begins. */
  readonly base: number;
  /** Slots per index: a power of two, so that multiplying is exact. */
  readonly scale: number;
  /** The slot of the first bin. */
  readonly offset: 0 | 1;
  /** The slot of the end of the lattice, or of what lies after the bins if that comes first. */
  readonly last: number;
}

export function slotsOf({ lattice, shift, first, bins }: Grid): Slots {
  const width = 2 ** shift;
  const offset = first > 0 ? 1 : 0;
  const top = Math.floor((lattice.size - 1) / width) - first + offset;
  return { base: (first - offset) * width, scale: 1 / width, offset, last: Math.min(offset + bins, top) };
}

/** The slot at a position counted in slots, clamped into `[0, last]`; 0 for NaN. */
export function slotAt(position: number, last: number): number {
  return position > 0 ? (position < last ? position | 0 : last) : 0;
}

/** The lattice index at `t = (x - lower)/step + 0.5`; see `latticeIndex`. */
export function indexAt(t: number, size: number): number {
  return t < 1 ? 0 : t >= size ? size - 1 : Math.floor(t);
}
