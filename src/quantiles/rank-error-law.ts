import type { ForecastRequest } from './forecast.js';
import { jointExpRate } from './joint-exp.js';
import { gridQuantile } from './targets.js';

/** Where targets fall between two ranks of the grid: the middles of that many equal parts. */
const offsets = 4;

/**
 * The spacing of the grid of ranks, in units of 1/c as `ranks` is. Errors of many quantiles are wide, so that a coarser grid
 * does where there is room for it: means stay within 1 % of those of a fine one.
 */
function finenessFor(quantiles: number, ranks: number): number {
  return quantiles > 100 && ranks >= quantiles ? 1 / 2 : 1 / 8;
}

/** The law of the rank error of each quantile. */
export interface RankErrorLaw {
  /** `chances[j][i]` is the probability that the error of quantile j is i units, up or down. */
  readonly chances: readonly Float64Array[];
  /** In records. */
  readonly unit: number;
}

/**
 * The law of the rank errors of JointExp on records that are distinct and spread evenly, from public facts. There the
 * errors e_1 … e_m of the ranks have the weight exp(-c * sum_j |e_j - e_(j-1)|), with both ends tied to 0, so each
 * marginal is the product of two chains of two-sided exponentials. The grid of ranks is as fine as the law needs; where
 * the targets fall between whole ranks is averaged over.
 *
 * @param fineness the spacing of the grid in units of 1/c.
 */
export function rankErrorLaw(request: ForecastRequest, fineness?: number): RankErrorLaw {
  const { quantiles, epsilon, relation, rowsPerUnit, aboutRows } = request;
  const m = quantiles.length;
  const rate = jointExpRate({ quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit });
  const rows = aboutRows ?? Number.POSITIVE_INFINITY;
  // As fine as the law and as the range of ranks need, and at least one rank.
  const spacing = Math.max(1, Math.min((fineness ?? finenessFor(m, rows * rate)) / rate, rows / 64));
  const reach = Math.ceil(Math.min((20 + 4 * Math.sqrt(m)) / rate, rows) / spacing) + 1;
  const keep = keepOf(rate, spacing);
  const chances = quantiles.map(() => new Float64Array(2 * offsets * (reach + 1)));
  for (let part = 0; part < offsets; part++) {
    const grid = { spacing, reach, shift: (part + 0.5) / offsets };
    const ranges = quantiles.map((q) => rangeOf(grid, -q * rows, (1 - q) * rows));
    const start = Float64Array.from({ length: 2 * reach }, (_, i) =>
      Math.exp(-rate * spacing * Math.abs(i - reach + grid.shift)),
    );
    const fromLeft = chains(start, keep, ranges);
    const fromRight = chains(start, keep, ranges.toReversed());
    for (let j = 0; j < m; j++) addProduct(chances[j], fromLeft[j], fromRight[m - 1 - j], part);
  }
  return { chances, unit: spacing / (2 * offsets) };
}

/** The weight of a step to the next place of the grid: that of two-sided steps with the variance that ranks have. */
export function keepOf(rate: number, spacing: number): number {
  if (spacing === 1) return Math.exp(-rate);
  const variance = (2 * Math.exp(-rate)) / Math.expm1(-rate) ** 2 / spacing ** 2;
  return variance / (variance + 1 + Math.sqrt(2 * variance + 1));
}

/** Errors at spacing*(i - reach + shift) for i = 0 … 2*reach - 1. */
interface Grid {
  readonly spacing: number;
  readonly reach: number;
  readonly shift: number;
}

/** The places of the grid whose errors lie from `low` to `high`: from the first one to before `end`. */
function rangeOf({ spacing, reach, shift }: Grid, low: number, high: number): { first: number; end: number } {
  const first = Math.max(0, Math.ceil(low / spacing - shift + reach));
  return { first, end: Math.min(2 * reach, Math.floor(high / spacing - shift + reach) + 1) };
}

/** The weights of chains of length 1 … m that start at error 0, each row scaled to a largest value of 1. */
function chains(start: Float64Array, keep: number, ranges: readonly { first: number; end: number }[]): Float64Array[] {
  const rows: Float64Array[] = [];
  for (const [j, { first, end }] of ranges.entries()) {
    const row = j === 0 ? start.slice() : twoSided(rows[j - 1], keep);
    row.fill(0, 0, first).fill(0, end);
    // The range is at least as wide as the spacing and holds 0, so there is a weight not far from the largest.
    let most = 0;
    for (let i = first; i < end; i++) if (row[i] > most) most = row[i];
    for (let i = first; i < end; i++) row[i] /= most;
    rows.push(row);
  }
  return rows;
}

/** Convolution with keep^|d|: one running sum from either side. */
function twoSided(row: Float64Array, keep: number): Float64Array {
  const out = new Float64Array(row.length);
  let sum = 0;
  for (let i = 0; i < row.length; i++) out[i] = sum = row[i] + keep * sum;
  sum = 0;
  for (let i = row.length - 1; i >= 0; i--) {
    out[i] += sum;
    sum = keep * (row[i] + sum);
  }
  return out;
}

/** Adds the law that two chains make together at the sizes of its errors, as one of the parts. */
function addProduct(chance: Float64Array, left: Float64Array, right: Float64Array, part: number): void {
  let total = 0;
  for (let i = 0; i < left.length; i++) total += left[i] * right[i];
  const scale = 1 / (total * offsets);
  // The error at i in units of spacing/(2*offsets).
  let error = -offsets * left.length + 2 * part + 1;
  for (let i = 0; i < left.length; i++, error += 2 * offsets) chance[Math.abs(error)] += left[i] * right[i] * scale;
}
