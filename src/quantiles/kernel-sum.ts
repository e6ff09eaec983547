import { add, exponent, normalise, Row } from '../random/weights.js';
import type { Decay } from './decay.js';
import type { Exact } from './targets.js';

/** Running sums restart after so many states: a term then has at most 2^14 + states/2^14 links on its path. */
const block = 2 ** 14;

/**
 * `exp(-c*|distance - gap|)` for one gap between targets, seen from `s = distance - gap.whole`. The fraction of the gap is
 * the same for a whole row, so it becomes two constants and every decay is taken of an exact multiple of 2^-20.
 */
export class Kernel {
  readonly gap: Exact;
  readonly decay: Decay;
  /** exp(±c*fraction): for distances beyond the gap and for shorter ones. */
  readonly beyond: number;
  readonly short: number;

  constructor(gap: Exact, decay: Decay) {
    this.gap = gap;
    this.decay = decay;
    this.beyond = Math.exp(decay.rate * gap.fraction);
    this.short = Math.exp(-decay.rate * gap.fraction);
  }

  /** The weight of a distance; its exponent is left in `decay.e`. */
  at(distance: number): number {
    const s = distance - this.gap.whole;
    return s >= this.gap.fraction ? this.decay.at(s) * this.beyond : this.decay.at(-s) * this.short;
  }
}

/**
 * For each state i of `lo … hi-1`: S(i) = sum over the states i' < i of A of exp(-c*|rank_i - rank_i' - gap|) * A(i').
 *
 * The kernel is a two-sided exponential, so the sum splits at t = rank_i - gap. Left of t the terms decay with growing
 * distance: a running sum. Right of t they grow as t approaches: a sliding window, kept as two stacks (suffix sums of
 * the older half, one sum of the newer), so that nothing is ever subtracted. O(1) a state; all sums are of positive
 * numbers and restarted in blocks, so each term has few roundings on its path (proof, "Rounding").
 */
export function kernelSum(A: Row, rank: Float64Array, lo: number, hi: number, kernel: Kernel): Row {
  const { decay, gap, beyond, short } = kernel;
  const out = new Row(lo, hi);
  const left = new Row(A.lo, A.hi);
  decayedSums(A, rank, A.lo, A.hi - 1, 1, decay, left);
  const right = new Row(A.lo, A.hi);
  const newer = new BlockSum();
  let split = A.lo; // states before it lie left of t
  let middle = A.lo; // the older half of the window is split … middle-1
  let pushed = A.lo; // the newer half is middle … pushed-1
  for (let i = lo; i < hi; i++) {
    const t = rank[i] - gap.whole; // the exact split is at t - gap.fraction
    const end = Math.min(i, A.hi);
    while (split < end && rank[split] - t <= -gap.fraction) split++;
    if (split >= middle) {
      if (split < end) decayedSums(A, rank, end - 1, split, -1, decay, right);
      middle = pushed = Math.max(end, split);
      newer.clear();
    } else {
      for (; pushed < end; pushed++) {
        const f = decay.at(rank[pushed] - rank[middle]);
        const x = normalise(A.x[pushed - A.lo] * f, A.e[pushed - A.lo] + decay.e);
        newer.add(x, exponent);
      }
    }
    let x = 0;
    let e = 0;
    if (split > A.lo) {
      const f = decay.at(t - rank[split - 1]) * beyond;
      x = normalise(left.x[split - 1 - A.lo] * f, left.e[split - 1 - A.lo] + decay.e);
      e = exponent;
    }
    if (split < middle) {
      const f = decay.at(rank[split] - t) * short;
      const y = normalise(right.x[split - A.lo] * f, right.e[split - A.lo] + decay.e);
      x = add(x, e, y, exponent);
      e = exponent;
    }
    if (middle < pushed) {
      const f = decay.at(rank[middle] - t) * short;
      const total = newer.total();
      const y = normalise(total * f, exponent + decay.e);
      x = add(x, e, y, exponent);
      e = exponent;
    }
    out.x[i - lo] = x;
    out.e[i - lo] = e;
  }
  return out;
}

/**
 * out(k) = A(k) + exp(-c*|rank_k - rank_(k-step)|) * out(k-step) from `start` to `end`, both inclusive. Within a block the
 * sum restarts at zero and what came before is carried in one term, so paths do not have `length` links.
 */
function decayedSums(
  A: Row,
  rank: Float64Array,
  start: number,
  end: number,
  step: 1 | -1,
  decay: Decay,
  out: Row,
): void {
  const length = (end - start) * step + 1;
  let innerX = 0;
  let innerE = 0;
  let carryX = 0;
  let carryE = 0;
  let carryRank = 0;
  for (let n = 0, k = start; n < length; n++, k += step) {
    const at = k - A.lo;
    if (n % block === 0) {
      if (n > 0) {
        carryX = out.x[at - step];
        carryE = out.e[at - step];
        carryRank = rank[k - step];
      }
      innerX = A.x[at];
      innerE = A.e[at];
    } else {
      const f = decay.at(Math.abs(rank[k] - rank[k - step]));
      const x = normalise(innerX * f, innerE + decay.e);
      innerX = add(A.x[at], A.e[at], x, exponent);
      innerE = exponent;
    }
    if (carryX === 0) {
      out.x[at] = innerX;
      out.e[at] = innerE;
      continue;
    }
    const f = decay.at(Math.abs(rank[k] - carryRank));
    const x = normalise(carryX * f, carryE + decay.e);
    out.x[at] = add(innerX, innerE, x, exponent);
    out.e[at] = exponent;
  }
}

/** A sum that grows, in blocks. */
class BlockSum {
  #inBlock = 0;
  #innerX = 0;
  #innerE = 0;
  #outerX = 0;
  #outerE = 0;

  clear(): void {
    this.#inBlock = this.#innerX = this.#outerX = 0;
  }

  add(x: number, e: number): void {
    this.#innerX = add(this.#innerX, this.#innerE, x, e);
    this.#innerE = exponent;
    if (++this.#inBlock < block) return;
    this.#outerX = this.total();
    this.#outerE = exponent;
    this.#inBlock = this.#innerX = 0;
  }

  /** Its exponent is left in `exponent`. */
  total(): number {
    return add(this.#outerX, this.#outerE, this.#innerX, this.#innerE);
  }
}
