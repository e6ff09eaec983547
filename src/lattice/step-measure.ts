import { bigUniformBelow } from '../random/exact.js';
import type { Measure } from './measure.js';

/** Integer weights per point, constant on runs. */
export interface Steps {
  /** Ascending first points of the runs; the first is 0. */
  readonly starts: Float64Array;
  /** The weight of each point of a run, at least 1. */
  readonly weights: readonly bigint[];
}

/**
 * A step function on a lattice as a measure. Sums are exact integers: masses of disjoint stretches add up, far out in the
 * tails too, which differences of a cumulative distribution in doubles do not.
 */
export function stepMeasure(size: number, { starts, weights }: Steps): Measure {
  const before: bigint[] = [0n];
  for (let run = 0; run < weights.length; run++) {
    const end = run + 1 < starts.length ? starts[run + 1] : size;
    before.push(before[run] + weights[run] * BigInt(end - starts[run]));
  }
  /** The mass of all points below this one. */
  const below = (point: number): bigint => {
    const run = lastAtMost(starts, point);
    return before[run] + weights[run] * BigInt(point - starts[run]);
  };
  return {
    size,
    mass: (first, last) => Number(below(last + 1) - below(first)),
    draw(entropy, first, last) {
      const from = below(first);
      const at = from + bigUniformBelow(entropy, below(last + 1) - from);
      let [low, high] = [0, weights.length];
      while (high - low > 1) {
        const mid = (low + high) >>> 1;
        if (before[mid] <= at) low = mid;
        else high = mid;
      }
      return starts[low] + Number((at - before[low]) / weights[low]);
    },
  };
}

/** The last run that starts at or before the point. */
function lastAtMost(starts: Float64Array, point: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const mid = (low + high) >>> 1;
    if (starts[mid] <= point) low = mid;
    else high = mid;
  }
  return low;
}
