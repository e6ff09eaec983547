// How far a release is from the truth: the value at index floor((n-1)*q) of the sorted data.

const truthAt = (sorted, q) => sorted[Math.floor((sorted.length - 1) * q)];
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

/** How many records are greater than v. */
function above(sorted, v) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (sorted[mid] <= v) low = mid + 1;
    else high = mid;
  }
  return sorted.length - low;
}

/** How many records are less than v. */
export function below(sorted, v) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (sorted[mid] < v) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The average over the quantiles of | #{x > truth} - #{x > output} |. */
export function missedPoints(sorted, quantiles, outputs) {
  return mean(quantiles.map((q, j) => Math.abs(above(sorted, truthAt(sorted, q)) - above(sorted, outputs[j]))));
}

/** The average over the quantiles of | truth - output |. */
export function distance(sorted, quantiles, outputs) {
  return mean(quantiles.map((q, j) => Math.abs(truthAt(sorted, q) - outputs[j])));
}

export const evenly = (m) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));

/**
 * The gap of Khodak et al. 2023: how far the number of records below the output is from floor(q*n), less the least that any
 * output has. An output that equals records stands for all their ranks.
 */
export function gap(sorted, q, output) {
  const n = sorted.length;
  const target = Math.floor(q * n * (1 + 2 ** -50));
  const [rank, upTo] = [below(sorted, output), n - above(sorted, output)];
  if (upTo > rank) return Math.max(0, rank - target, target - upTo);
  // Between two values the ranks are those of the tie's ends, so some targets are out of reach.
  const tie = sorted[Math.min(n - 1, target)];
  const reachable = [below(sorted, tie), n - above(sorted, tie)];
  return Math.abs(rank - target) - Math.min(...reachable.map((end) => Math.abs(end - target)));
}
