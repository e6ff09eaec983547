import type { Relation } from '../privacy/guarantee.js';
import { jointExpRate } from './joint-exp.js';
import { gridQuantile } from './targets.js';

/** The expected distance, in records, between the rank of each released value and its target. */
export interface Forecast {
  /** Mean absolute rank error, in records. */
  readonly expectedRankError: readonly number[];
  /** The rank error that 95 % of the releases stay below, in records. */
  readonly rankError95: readonly number[];
  /** The same as shares of the declared number of rows; only where it was declared. */
  readonly expectedRankErrorShare?: readonly number[];
  readonly rankError95Share?: readonly number[];
}

export interface ForecastRequest {
  /** Distinct and ascending. */
  readonly quantiles: readonly number[];
  readonly epsilon: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
  readonly aboutRows?: number | undefined;
}

/** Where targets fall between two ranks of the grid: the middles of that many equal parts. */
const offsets = 4;

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
 */
export function rankErrorLaw(request: ForecastRequest): RankErrorLaw {
  const { quantiles, epsilon, relation, rowsPerUnit, aboutRows } = request;
  const m = quantiles.length;
  const rate = jointExpRate({ quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit });
  const rows = aboutRows ?? Number.POSITIVE_INFINITY;
  // As fine as the law and as the range of ranks need, and at least one rank.
  const spacing = Math.max(1, Math.min(1 / (8 * rate), rows / 64));
  const reach = Math.ceil(Math.min((20 + 4 * Math.sqrt(m)) / rate, rows) / spacing) + 1;
  const unit = spacing / (2 * offsets);
  const chances = quantiles.map(() => new Float64Array(2 * offsets * (reach + 1)));
  for (let part = 0; part < offsets; part++) {
    const errors = Float64Array.from({ length: 2 * reach }, (_, i) => spacing * (i - reach + (part + 0.5) / offsets));
    const possible = quantiles.map((q) => (e: number) => e >= -q * rows && e <= (1 - q) * rows);
    const fromLeft = chains(errors, rate, spacing, possible);
    const fromRight = chains(errors, rate, spacing, possible.toReversed());
    for (let j = 0; j < m; j++) {
      const weights = fromLeft[j].map((w, i) => w * fromRight[m - 1 - j][i]);
      const total = weights.reduce((a, b) => a + b, 0) * offsets;
      for (let i = 0; i < weights.length; i++) chances[j][Math.round(Math.abs(errors[i]) / unit)] += weights[i] / total;
    }
  }
  return { chances, unit };
}

/**
 * Forecasts the rank errors of JointExp from public facts. Ties help (a target inside an atom is hit exactly); wide empty
 * stretches beside sparse data hurt.
 */
export function forecastRankError(request: ForecastRequest): Forecast {
  const { aboutRows } = request;
  const { chances, unit } = rankErrorLaw(request);
  const expectedRankError = chances.map((chance) => unit * chance.reduce((sum, p, i) => sum + p * i, 0));
  const rankError95 = chances.map((chance) => {
    let sum = 0;
    return unit * chance.findIndex((p) => (sum += p) >= 0.95);
  });
  return asForecast(expectedRankError, rankError95, aboutRows);
}

/** Errors in records, and as shares of the rows where their number was declared. */
export function asForecast(
  expectedRankError: readonly number[],
  rankError95: readonly number[],
  aboutRows: number | undefined,
): Forecast {
  if (aboutRows === undefined) return { expectedRankError, rankError95 };
  const share = (errors: readonly number[]) => errors.map((e) => e / aboutRows);
  return {
    expectedRankError,
    rankError95,
    expectedRankErrorShare: share(expectedRankError),
    rankError95Share: share(rankError95),
  };
}

/** The weights of chains of length 1 … m that start at error 0, each row scaled to a largest value of 1. */
function chains(
  errors: Float64Array,
  rate: number,
  spacing: number,
  possible: readonly ((e: number) => boolean)[],
): Float64Array[] {
  const keep = Math.exp(-rate * spacing);
  const rows: Float64Array[] = [];
  for (const [j, allowed] of possible.entries()) {
    const row = j === 0 ? errors.map((e) => Math.exp(-rate * Math.abs(e))) : twoSided(rows[j - 1], keep);
    const kept = row.map((w, i) => (allowed(errors[i]) ? w : 0));
    // The range is at least as wide as the spacing and holds 0, so there is a weight not far from the largest.
    const most = kept.reduce((a, b) => Math.max(a, b));
    rows.push(kept.map((w) => w / most));
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
