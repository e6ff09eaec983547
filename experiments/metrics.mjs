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

/** The average over the quantiles of | #{x > truth} - #{x > output} |. */
export function missedPoints(sorted, quantiles, outputs) {
  return mean(quantiles.map((q, j) => Math.abs(above(sorted, truthAt(sorted, q)) - above(sorted, outputs[j]))));
}

/** The average over the quantiles of | truth - output |. */
export function distance(sorted, quantiles, outputs) {
  return mean(quantiles.map((q, j) => Math.abs(truthAt(sorted, q) - outputs[j])));
}

export const evenly = (m) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
