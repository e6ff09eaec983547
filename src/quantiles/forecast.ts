import type { Relation } from '../privacy/guarantee.js';
import { rankErrorLaw } from './rank-error-law.js';

/** The expected distance, in records, between the rank of each released value and its target. */
export interface Forecast {
  /** Mean absolute rank error, in records. */
  readonly expectedRankError: readonly number[];
  /** The rank error that 95 % of the releases stay below, in records. */
  readonly rankError95: readonly number[];
  /** The same as shares of the declared number of rows; only where it was declared. */
  readonly expectedRankErrorShare?: readonly number[];
  /** As shares too; with the one above. */
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
