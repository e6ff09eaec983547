import type { Measure } from '../lattice/measure.js';
import type { Segment } from '../ranks/locate.js';

/**
 * How the records of one cell spread over its `ramp.length` fine positions (see joint-exp.proof.md, "Ties"): the first
 * `steps` records of a cell all lie between positions 0 and 1, the rest lies along the ramp. Public constants.
 */
export interface Interpolation {
  readonly steps: number;
  /** 0 = ramp[0] <= … < 1, multiples of 2^-20. */
  readonly ramp: readonly number[];
}

/** Plain ranks: one position a cell. */
export const plainRanks: Interpolation = { steps: 0, ramp: [0] };

/**
 * Finer towards both ends, where a target a few records inside a large atom must still find a position: distances from
 * either end double from 2^-20 to 2^-6, and even steps of 1/32 lie between. 62 positions.
 */
export const defaultInterpolation: Interpolation = { steps: 8, ramp: doubling() };

function doubling(): number[] {
  const ends = Array.from({ length: 15 }, (_, i) => 2 ** (i - 20));
  const middle = Array.from({ length: 31 }, (_, i) => (i + 1) / 32);
  return [0, ...ends, ...middle, ...ends.map((x) => 1 - x).reverse()];
}

/**
 * The rank profile on fine positions: maximal runs of positions with the same rank, in order. State i holds the
 * positions from (firstCell, firstAt) to (lastCell, lastAt) inclusive.
 */
export interface States {
  readonly length: number;
  /** Fine ranks, multiples of 2^-20, nondecreasing. */
  readonly rank: Float64Array;
  /** Mass of its positions; each position has the mass of its cell. */
  readonly width: Float64Array;
  readonly firstCell: Float64Array;
  readonly firstAt: Uint8Array;
  readonly lastCell: Float64Array;
  readonly lastAt: Uint8Array;
  /** Fine positions per cell. */
  readonly positions: number;
}

/** The states of the segments, `segments` ascending. A run that touches a segment's end is cut there. */
export function statesOf(segments: readonly Segment[], { steps, ramp }: Interpolation, measure: Measure): States {
  const positions = ramp.length;
  let capacity = 0;
  for (const { count } of segments) {
    capacity += 1;
    for (let i = 0; i < count.length; i++) capacity += count[i] > steps ? positions : 1;
  }
  const rank = new Float64Array(capacity);
  const width = new Float64Array(capacity);
  const firstCell = new Float64Array(capacity);
  const lastCell = new Float64Array(capacity);
  const firstAt = new Uint8Array(capacity);
  const lastAt = new Uint8Array(capacity);
  let length = 0;
  const emit = (r: number, cell: number, at: number, endCell: number, endAt: number) => {
    rank[length] = r;
    width[length] = massOf(measure, positions, cell, at, endCell, endAt);
    firstCell[length] = cell;
    firstAt[length] = at;
    lastCell[length] = endCell;
    lastAt[length] = endAt;
    length++;
  };
  for (const segment of segments) {
    let { rank: before, first: cell } = segment;
    let at = 0;
    for (let i = 0; i < segment.index.length; i++) {
      const k = segment.index[i];
      const c = segment.count[i];
      emit(before, cell, at, k, 0);
      cell = k + 1;
      at = 0;
      if (c > steps) for (let t = 1; t < positions; t++) emit(before + steps + (c - steps) * ramp[t], k, t, k, t);
      else if (positions > 1) {
        cell = k;
        at = 1;
      }
      before += c;
    }
    if (cell < segment.end) emit(before, cell, at, segment.end - 1, positions - 1);
  }
  return { length, rank, width, firstCell, firstAt, lastCell, lastAt, positions };
}

/** The mass of the positions from (cell, at) to (endCell, endAt): sums of positive masses only. */
export function massOf(
  measure: Measure,
  positions: number,
  cell: number,
  at: number,
  endCell: number,
  endAt: number,
): number {
  if (cell === endCell) return measure.mass(cell, cell) * (endAt - at + 1);
  const ends = measure.mass(cell, cell) * (positions - at) + measure.mass(endCell, endCell) * (endAt + 1);
  return endCell > cell + 1 ? ends + measure.mass(cell + 1, endCell - 1) * positions : ends;
}
