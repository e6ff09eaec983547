import { ScumbleError } from '../errors.js';
import type { Relation } from '../privacy/guarantee.js';
import type { Entropy } from '../random/entropy.js';
import type { Noise } from '../random/noise.js';
import { laplaceNoise } from './count-noise.js';
import { type Forecast, type ForecastRequest, forecastRankError } from './forecast.js';
import { type IntervalEnds, planIntervals } from './intervals.js';
import type { MethodRequest } from './method.js';

/** How the number of records becomes known to a release that plans by it. */
export interface NoisySize {
  /** What is left for the quantiles. */
  readonly epsilon: number;
  /** Added to the number of records; undefined under swap, where that is public and costs nothing. */
  readonly noise: Noise | undefined;
}

/** The share of epsilon that is left when the count is paid. */
const left = 0.95;
/** Beyond any number of records. */
const most = 2 ** 52;

/**
 * Splits epsilon between a noisy count of the records and what is released with it.
 *
 * Guarantee: a count with discrete Laplace noise of the rate s/t is (rows per unit)*s/t-DP under add-remove, since
 * neighbours' counts differ by at most the rows of one unit; s/t is rounded down. The release that follows is
 * `epsilon`-DP for each value that the count may take, which is all of the data that its plan depends on. By adaptive
 * sequential composition (Dwork, Roth, "The Algorithmic Foundations of Differential Privacy", 2014, Theorem 3.16 and
 * appendix B; McSherry 2009, Theorem 3) count and release together are DP with the sum, which is at most the whole: the
 * difference of the whole and its share is exact in doubles (Sterbenz), as they are within a factor of 2.
 *
 * @throws ScumbleError `epsilon_invalid` when a twentieth of epsilon is too little for a count.
 */
export function noisySize(epsilon: number, relation: Relation, rowsPerUnit: number): NoisySize {
  if (relation === 'swap') return { epsilon, noise: undefined };
  const rest = left * epsilon;
  const noise = laplaceNoise(epsilon - rest, { height: 1, relation, rowsPerUnit });
  if (noise) return { epsilon: rest, noise };
  throw new ScumbleError(
    'epsilon_invalid',
    `The epsilon must be at least ${leastForSize(rowsPerUnit)} for a count of the rows, or aboutRows be declared, not ${epsilon}.`,
    { epsilon },
  );
}

/** Enough epsilon for a noisy count. */
export function leastForSize(rowsPerUnit: number): number {
  return rowsPerUnit * 2 ** -35;
}

/** The number of records as the release tells it: at least 1. Whatever is computed from it costs nothing more. */
export function drawSize(n: number, { noise }: NoisySize, entropy: Entropy): number {
  return Math.min(most, Math.max(1, n + (noise?.draw(entropy) ?? 0)));
}

/**
 * Plans the ends of intervals by a size that was drawn: for so few records as there are at least, but for a tenth of the
 * failures that the level allows. The noise reaches x with probability e^(-rate*x)/(1 + e^-rate).
 */
export function planByDrawn(
  request: ForecastRequest & { aboutRows: number },
  level: number,
  { noise }: NoisySize,
): IntervalEnds[] {
  if (!noise) return planIntervals(request, level);
  const unsure = (1 - level) / 10;
  const rate = noise.logProbability(0) - noise.logProbability(1);
  const most = Math.ceil(Math.max(0, -Math.log(unsure * (1 + Math.exp(-rate))) / rate));
  return planIntervals({ ...request, aboutRows: Math.max(1, request.aboutRows - most) }, level + unsure);
}

/**
 * What is expected of the quantiles before the count is known, and with it where the ends of their intervals will be: an
 * upper bound for all, the widest law of three times as many quantiles at the smallest rate.
 */
export function forecastUnsized(request: MethodRequest): Forecast {
  const { length } = request.quantiles;
  const evenly = Array.from({ length: 3 * length }, (_, j) => (j + 1) / (3 * length + 1));
  const { expectedRankError, rankError95 } = forecastRankError({ ...request, quantiles: evenly, relation: 'swap' });
  const middle = (errors: readonly number[]) => new Array<number>(length).fill(errors[errors.length >> 1]);
  return { expectedRankError: middle(expectedRankError), rankError95: middle(rankError95) };
}
