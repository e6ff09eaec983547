import type { ScoreRange } from './candidate.js';

/** The threshold at k/grid of the range. Never falls as k grows, because no step of its rounding does. */
export function gridThreshold(k: number, grid: number, { min, max }: ScoreRange): number {
  if (k === 0 || k === grid) return k === 0 ? min : max;
  return Math.min(max, min + (max - min) * (k / grid));
}

/** The largest k whose threshold the score reaches; 0 also where it reaches none. */
export function reached(score: number, thresholds: Float64Array): number {
  let [low, high] = [0, thresholds.length];
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (score >= thresholds[mid]) low = mid;
    else high = mid;
  }
  return low;
}
