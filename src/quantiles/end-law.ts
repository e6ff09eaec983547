import { logFactorial } from '../privacy/log-factorial.js';
import { keepOf } from './rank-error-law.js';

type Row = Float64Array<ArrayBuffer>;

/** Sequences are left out that weigh less than exp(-negligible) of others. */
const negligible = 80;

/** The laws of the rank errors of all targets, on one grid. */
export interface EndLaws {
  /** `chances[j][i]` is the probability that the error of target j is (i - reach)*spacing records. */
  readonly chances: readonly Row[];
  /** `strays[j]` is the probability that target j is answered below all records; what is left to 1. */
  readonly strays: readonly number[];
  readonly reach: number;
  readonly spacing: number;
}

/**
 * The laws of the rank errors of JointExp where the answers are drawn to the lower end of the records as much as in any
 * log-concave population (normal, uniform, exponential, logistic, triangular ...). Between two records near the
 * quantile of u lies a gap of 1/(n*f), f the density there. In a log-concave population f is a concave function of u
 * of at least 0 at u = 0, so f/u does not increase and gaps grow towards the lower end at most as 1/u does, which is
 * how they are here, at their means. Below all records lies an empty stretch of the lattice, `stretch` times as wide as the gap around
 * a target.
 *
 * JointExp weighs a sequence of ranks, ascending, by the product of its gaps and by exp(-rate*|difference of errors|)
 * of all neighbours. That is an affiliated law, so with the gaps of another population of the class, which grow less
 * towards the lower end, and a narrower stretch, all ranks are stochastically higher (Holley 1974). Each marginal is
 * the product of a chain from the left and one from the right; the first k answers may all lie in the stretch.
 *
 * @param targets ascending ranks, strictly between 0 and n.
 */
export function endLaws(targets: readonly number[], n: number, rate: number, stretch: number): EndLaws {
  const m = targets.length;
  const spacing = Math.max(1, (m > 100 ? 1 / 2 : 1 / 8) / rate);
  const reach = Math.ceil((40 + 4 * Math.sqrt(m)) / (rate * spacing));
  const keep = keepOf(rate, spacing);
  const places = targets.map((target) =>
    Float64Array.from({ length: 2 * reach + 1 }, (_, i) => {
      const rank = target + (i - reach) * spacing;
      return rank < -spacing / 2 || rank > n ? 0 : target / Math.max(rank, 1 / 2);
    }),
  );
  const rooms = targets.map((target, j) => Math.floor((target - (targets[j - 1] ?? 0)) / spacing));
  // With k answers in the stretch: ln of their weight, and the weights of the step to the errors of the next.
  const stray = (k: number) =>
    k === 0 ? 0 : k * Math.log(stretch / spacing) - logFactorial(k) - rate * targets[k - 1];
  const leave = (k: number) => {
    const rank = k === 0 ? 0 : targets[k - 1];
    return Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
      Math.exp(-rate * Math.abs((i - reach) * spacing + rank)),
    );
  };
  const left: Scaled[] = [];
  const counts = (k: number) => k === 0 || stray(k) > left[k - 1].log - negligible;
  for (let j = 0; j < m; j++) {
    const before = left[j - 1];
    const inside = before ? { ...before, row: steps(before.row, keep, rooms[j]) } : undefined;
    left.push(scaled(counts(j) ? sum({ row: leave(j), log: stray(j) }, inside) : inside!, places[j]));
  }
  let right: Scaled = { row: leave(0), log: 0 };
  const chances = new Array<Row>(m);
  const strays = new Array<number>(m);
  // ln of the weight of all sequences with more than j answers in the stretch.
  let beyond = stray(m) - rate * targets[m - 1];
  for (let j = m - 1; j >= 0; j--) {
    const row = left[j].row.map((weight, i) => weight * right.row[i]);
    const inside = row.reduce((sum, weight) => sum + weight, 0);
    const outside = Math.exp(beyond - left[j].log - right.log);
    chances[j] = row.map((weight) => weight / (inside + outside));
    strays[j] = outside === Number.POSITIVE_INFINITY ? 1 : outside / (inside + outside);
    const next = scaled(right, places[j]);
    if (counts(j)) {
      const more = leave(j).reduce((sum, weight, i) => sum + weight * next.row[i], 0);
      beyond = logAdd(beyond, stray(j) + next.log + Math.log(more));
    }
    right = { row: steps(next.row.reverse(), keep, rooms[j]).reverse(), log: next.log };
  }
  return { chances, strays, reach, spacing };
}

/** Weights exp(log)*row. */
interface Scaled {
  readonly row: Row;
  readonly log: number;
}

function sum(a: Scaled, b: Scaled | undefined): Scaled {
  if (!b) return a;
  const log = Math.max(a.log, b.log);
  const [p, q] = [Math.exp(a.log - log), Math.exp(b.log - log)];
  return { row: a.row.map((weight, i) => p * weight + q * b.row[i]), log };
}

/** ln(e^a + e^b). */
function logAdd(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === Number.NEGATIVE_INFINITY ? most : most + Math.log(Math.exp(a - most) + Math.exp(b - most));
}

/** Weights times those of the places, the largest of the row 1. */
function scaled({ row, log }: Scaled, places: Row): Scaled {
  const weights = row.map((weight, i) => weight * places[i]);
  const most = weights.reduce((a, b) => Math.max(a, b));
  return { row: weights.map((weight) => weight / most), log: log + Math.log(most) };
}

/** Convolution with keep^|d|, d >= -room: ranks ascend, so an error falls by no more than the targets lie apart. */
function steps(row: Row, keep: number, room: number): Row {
  const out = new Float64Array(row.length);
  let sum = 0;
  for (let i = 0; i < row.length; i++) out[i] = sum = row[i] + keep * sum;
  sum = 0;
  const beyond = keep ** room;
  for (let i = row.length - 1; i >= 0; i--) {
    // The row's values at i+1 … i+room, by how far they are.
    out[i] += sum;
    const leaving = i + room < row.length ? beyond * row[i + room] : 0;
    sum = Math.max(0, keep * (sum + row[i] - leaving));
  }
  return out;
}
