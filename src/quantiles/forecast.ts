import type { Relation } from '../privacy/guarantee.js';

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

export declare function forecastRankError(request: ForecastRequest): Forecast;
