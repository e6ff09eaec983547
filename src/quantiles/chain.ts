import { bisect } from '../random/bisect.js';
import type { Entropy } from '../random/entropy.js';
import { add, exponent, logWeight, normalise, Row } from '../random/weights.js';
import type { Decay } from './decay.js';
import { Kernel, kernelSum } from './kernel-sum.js';
import type { Exact } from './targets.js';

/**
 * Sequences of states i_1 <= … <= i_m, i_j within row j, with the weight
 *
 *     exp(-c * sum_j |rank(i_j) - rank(i_(j-1)) - gap_j|) * prod_j width(i_j) / prod_i multiplicity(i)!
 *
 * where rank(i_0) = 0 and rank(i_(m+1)) = n. This is the finite form of JointExp (Gillenwater, Joseph, Kulesza 2021,
 * section 4); the notation alpha is theirs.
 */
export interface Chain {
  readonly rank: Float64Array;
  readonly width: Float64Array;
  /** Row j (from 0) holds the states `lo[j] … hi[j]-1`; both ends are nondecreasing in j. */
  readonly lo: Int32Array;
  readonly hi: Int32Array;
  /** gap_1 … gap_(m+1). */
  readonly gaps: readonly Exact[];
  readonly n: number;
  readonly decay: Decay;
}

/** The weights of all prefixes of sequences, row by row. */
export interface Table {
  /** alpha(j, i, 1): prefixes of length j that end in exactly one copy of state i. */
  readonly single: readonly Row[];
  /** The sum over k of alpha(j, i, k): prefixes of length j that end in state i, in any number of copies. */
  readonly any: readonly Row[];
  /** The weights of whole sequences by their last state, and the logarithm of their sum; -Infinity when all are zero. */
  readonly last: Row;
  readonly logTotal: number;
  readonly kernels: readonly Kernel[];
}

/** Sums the weights of all sequences, O(1) a state and row plus O(1) for each pair of rows that share the state. */
export function forward(chain: Chain): Table {
  const rows = forwardRows(chain);
  for (;;) {
    const { done, value } = rows.next();
    if (done) return value;
  }
}

/** The same, with a stop after each row. */
export function* forwardRows(chain: Chain): Generator<void, Table> {
  const { rank, width, lo, hi, gaps, n, decay } = chain;
  const m = lo.length;
  const kernels = gaps.map((gap) => new Kernel(gap, decay));
  const stay = kernels.map((kernel) => ({ x: kernel.at(0), e: decay.e }));
  const single: Row[] = [];
  const any: Row[] = [];
  for (let j = 0; j < m; j++) {
    const row = j === 0 ? firstRow(chain, kernels[0]) : kernelSum(any[j - 1], rank, lo[j], hi[j], kernels[j]);
    for (let i = lo[j]; i < hi[j]; i++) {
      row.x[i - lo[j]] = normalise(row.x[i - lo[j]] * width[i], row.e[i - lo[j]]);
      row.e[i - lo[j]] = exponent;
    }
    single.push(row);
    any.push(withCopies(single, j, width, stay));
    yield;
  }
  const last = weighed(any[m - 1], rank, n, kernels[m]);
  return { single, any, last, logTotal: logSum(last), kernels };
}

function firstRow({ rank, lo, hi }: Chain, kernel: Kernel): Row {
  const row = new Row(lo[0], hi[0]);
  for (let i = row.lo; i < row.hi; i++) {
    row.x[i - row.lo] = normalise(kernel.at(rank[i]), kernel.decay.e);
    row.e[i - row.lo] = exponent;
  }
  return row;
}

/** alpha(j,i,k) = alpha(j-k+1,i,1) * width^(k-1) * prod of the kernels at distance 0 / k!, summed over k. */
function withCopies(
  single: readonly Row[],
  j: number,
  width: Float64Array,
  stay: readonly { x: number; e: number }[],
): Row {
  const row = single[j];
  if (j === 0 || single[j - 1].hi <= row.lo) return row;
  const any = new Row(row.lo, row.hi);
  any.x.set(row.x);
  any.e.set(row.e);
  const copies = new Row(row.lo, row.hi);
  copies.x.fill(1);
  for (let k = 2; k <= j + 1; k++) {
    const from = single[j - k + 1];
    const hold = stay[j - k + 2];
    if (from.hi <= row.lo) break;
    for (let i = row.lo; i < from.hi; i++) {
      const at = i - row.lo;
      const f = normalise(copies.x[at] * (width[i] / k), copies.e[at]);
      copies.x[at] = normalise(f * hold.x, exponent + hold.e);
      copies.e[at] = exponent;
      const before = i - from.lo;
      const x = normalise(from.x[before] * copies.x[at], from.e[before] + exponent);
      any.x[at] = add(any.x[at], any.e[at], x, exponent);
      any.e[at] = exponent;
    }
  }
  return any;
}

/** The row's weights times the kernel from each state to the rank `next`, for the states before `end`. */
function weighed(row: Row, rank: Float64Array, next: number, kernel: Kernel, end = row.hi): Row {
  const out = new Row(row.lo, Math.min(row.hi, end));
  for (let i = out.lo; i < out.hi; i++) {
    const at = i - out.lo;
    const f = kernel.at(next - rank[i]);
    out.x[at] = normalise(row.x[at] * f, row.e[at] + kernel.decay.e);
    out.e[at] = exponent;
  }
  return out;
}

export function logSum(row: Row): number {
  let x = 0;
  let e = 0;
  for (let at = 0; at < row.x.length; at++) {
    x = add(x, e, row.x[at], row.e[at]);
    e = exponent;
  }
  return logWeight(x, e);
}

/**
 * Draws a sequence, last state first, each time from the conditional weights given what follows. The rounding errors of
 * the table telescope: a sequence's probability is its weight times the error of each row once.
 */
export function backward(entropy: Entropy, chain: Chain, table: Table): Int32Array {
  const { rank, width } = chain;
  const m = table.any.length;
  const states = new Int32Array(m);
  let weights = table.last;
  for (let j = m - 1; j >= 0; ) {
    const i = weights.lo + bisect(entropy, weights);
    const copies = 1 + bisect(entropy, copyWeights(table, j, i, width));
    states.fill(i, j - copies + 1, j + 1);
    j -= copies;
    if (j >= 0) weights = weighed(table.any[j], rank, rank[i], table.kernels[j + 1], i);
  }
  return states;
}

/** alpha(j, i, k) for k = 1, 2, … as a row. */
function copyWeights({ single, kernels }: Table, j: number, i: number, width: Float64Array): Row {
  const row = new Row(0, j + 1);
  let x = 1;
  let e = 0;
  for (let k = 1; k <= j + 1; k++) {
    if (k > 1) {
      const hold = kernels[j - k + 2].at(0);
      const f = normalise(x * (width[i] / k), e);
      const fe = exponent;
      x = normalise(f * hold, fe + kernels[j - k + 2].decay.e);
      e = exponent;
    }
    const from = single[j - k + 1];
    if (i >= from.hi) break;
    row.x[k - 1] = normalise(from.x[i - from.lo] * x, from.e[i - from.lo] + e);
    row.e[k - 1] = exponent;
  }
  return row;
}
