import type { RankProfile, Segment } from '../ranks/locate.js';
import { pauses } from '../slices.js';

/** The record at a position of the sorted records, and how fast its sensitivity may change from neighbour to neighbour. */
export interface Place {
  /** Position from 0. */
  readonly position: number;
  /** t > 0: the smooth sensitivities of neighbours differ by a factor of at most e^t. */
  readonly smoothness: number;
}

export interface Sensitivity {
  /** The lattice index of the record. */
  readonly index: number;
  /** Its t-smooth sensitivity in lattice steps, within 2^-42 of itself, at least {@link least}. */
  readonly smooth: number;
}

/** Far less than a step; with it no sensitivity is lost to underflow, and a constant is smooth. */
const least = 2 ** -64;

/**
 * The t-smooth sensitivity of a quantile under swap (Nissim, Raskhodnikova, Smith 2007, Claim 3.3, re-indexed): with
 * v_0 <= … <= v_(n-1) the sorted indices, v_(-1) = 0, v_n = size - 1 and p the position,
 *
 *     max over -1 <= i <= p <= j <= n of (v_j - v_i) * exp(-t * max(j - i - 1, 0)).
 *
 * Only a window of ranks around p is read: pairs that reach W positions away are at most (size - 1)*exp(-t*W), so the window
 * grows until that is no more than what was found inside.
 */
export async function smoothSensitivities(
  profile: RankProfile,
  places: readonly Place[],
  signal?: AbortSignal,
): Promise<Sensitivity[]> {
  const { n, size } = profile;
  const widths = places.map(({ smoothness }) => Math.min(n, Math.ceil(4 / smoothness)));
  const pause = pauses(signal);
  for (;;) {
    const ranges = places.map(({ position }, k) => ({ low: position - widths[k], high: position + widths[k] + 1 }));
    const segments = await profile.around(ranges);
    const found: Sensitivity[] = [];
    for (const place of places) {
      await pause();
      found.push(within(segments, place, profile));
    }
    let wider = false;
    for (const [k, { smoothness }] of places.entries()) {
      const reach = Math.ceil(Math.log((size - 1) / found[k].smooth) / smoothness);
      if (widths[k] >= Math.min(n, reach)) continue;
      widths[k] = Math.min(n, reach);
      wider = true;
    }
    if (!wider) return found;
  }
}

/** Ascending positions and their values. */
export interface Candidates {
  readonly position: number[];
  readonly index: number[];
}

/** The largest pair among the records of the segment around the position and the two ends of the lattice. */
function within(segments: readonly Segment[], place: Place, { n, size }: RankProfile): Sensitivity {
  const { position, smoothness } = place;
  const left: Candidates = { position: [-1], index: [0] };
  const right: Candidates = { position: [], index: [] };
  let at = 0;
  const segment = segments.findLast(({ rank }) => rank <= position)!;
  let first = segment.rank;
  for (const [i, index] of segment.index.entries()) {
    const last = first + segment.count[i] - 1;
    // Of equal records the nearest to the position counts: further ones have the same value and a smaller factor.
    if (first <= position) {
      at = index;
      left.position.push(Math.min(last, position));
      left.index.push(index);
    }
    if (last >= position) {
      right.position.push(Math.max(first, position));
      right.index.push(index);
    }
    first = last + 1;
  }
  right.position.push(n);
  right.index.push(size - 1);
  return { index: at, smooth: Math.max(least, largestPair(left, right, smoothness)) };
}

/**
 * The maximum itself, over candidates i and j. The best partner of i moves right with i, so the best of the middle i parts
 * the search of the others: O(k*log k) pairs.
 */
export function largestPair(left: Candidates, right: Candidates, smoothness: number): number {
  let most = 0;
  const search = (from: number, to: number, low: number, high: number): void => {
    if (from > to) return;
    const mid = (from + to) >>> 1;
    let best = low;
    let size = -1;
    for (let j = low; j <= high; j++) {
      const distance = Math.max(right.position[j] - left.position[mid] - 1, 0);
      const value = (right.index[j] - left.index[mid]) * Math.exp(-smoothness * distance);
      if (value > size) [best, size] = [j, value];
    }
    most = Math.max(most, size);
    search(from, mid - 1, low, best);
    search(mid + 1, to, best, high);
  };
  search(0, left.position.length - 1, 0, right.position.length - 1);
  return most;
}
