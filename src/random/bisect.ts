import type { Entropy } from './entropy.js';
import { bernoulli } from './exact.js';
import { add, exponent, type Row, radix } from './weights.js';

/**
 * Draws a position of the row (0 = its first) with probability proportional to its weight, or -1 when all are zero.
 *
 * A 53-bit uniform against running sums cannot represent small probabilities in the middle of the range. Instead the
 * weights are summed in a binary tree, and at each node a coin of the smaller share decides: its probability has full
 * relative precision, so the law of the result is off by a factor within 1 ± 3*log2(length)*2^-53.
 */
export function bisect(entropy: Entropy, weights: Row): number {
  const length = weights.x.length;
  let leaves = 1;
  while (leaves < length) leaves *= 2;
  const x = new Float64Array(2 * leaves);
  const e = new Int32Array(2 * leaves);
  x.set(weights.x, leaves);
  e.set(weights.e, leaves);
  for (let node = leaves - 1; node >= 1; node--) {
    x[node] = add(x[2 * node], e[2 * node], x[2 * node + 1], e[2 * node + 1]);
    e[node] = exponent;
  }
  if (length === 0 || x[1] === 0) return -1;
  let node = 1;
  while (node < leaves) {
    const left = 2 * node;
    const right = left + 1;
    const rightIsSmaller = less(x[right], e[right], x[left], e[left]);
    const small = rightIsSmaller ? right : left;
    const large = rightIsSmaller ? left : right;
    node = bernoulli(entropy, ...share(x[small], e[small], x[node], e[node])) ? small : large;
  }
  return node - leaves;
}

function less(ax: number, ae: number, bx: number, be: number): boolean {
  return ax === 0 || bx === 0 || ae === be ? ax < bx : ae < be;
}

/** part/whole as (p, shift) with p in [0, 1]. */
function share(px: number, pe: number, wx: number, we: number): [number, number] {
  let ratio = px / wx;
  let shift = (we - pe) * radix;
  // With a higher exponent of the whole, its x can be as small as 2^-256: the ratio alone may then exceed 1.
  for (; ratio > 1 && shift > 0; shift--) ratio /= 2;
  return [ratio, shift];
}
