import { normalTail } from '../lattice/normal-tail.js';
import type { ForecastRequest } from './forecast.js';
import { rankErrorLaw } from './rank-error-law.js';

/** Where the ends of a confidence interval are released: as two more quantiles, or at the bounds. */
export interface IntervalEnds {
  /** The quantile below and the one above; undefined where the interval reaches the bound of the lattice. */
  readonly lower: number | undefined;
  readonly upper: number | undefined;
}

/**
 * Plans confidence intervals for the quantiles of the *population* that n records were drawn from. Around each quantile q
 * two more are released, q - d/n and q + d/n, in the same JointExp. The rank of the population's quantile among the
 * records is q*n + B with B binomial; the rank of the lower end is q*n - d + e with e the mechanism's own error. d is
 * such that e - B exceeds it with probability (1 - level)/2, so either end fails that rarely, up to the normal
 * approximation of B and the forecast's assumption of evenly spread records.
 *
 * @param request the quantiles and the price; `aboutRows` is n.
 * @param level the coverage wanted, such as 0.95.
 */
export function planIntervals(request: ForecastRequest & { aboutRows: number }, level: number): IntervalEnds[] {
  const { quantiles, aboutRows: n } = request;
  const miss = (1 - level) / 2;
  const deviations = quantiles.map((q) => Math.sqrt(n * q * (1 - q)));
  // The widest law of three times as many quantiles, at the smallest rate: errors of the real ones are no wider.
  const m = 3 * quantiles.length;
  const evenly = Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
  const { chances, unit } = rankErrorLaw({ ...request, quantiles: evenly, relation: 'swap' });
  const law = chances[m >> 1];
  return quantiles.map((q, j) => {
    const fails = (d: number) =>
      law.reduce((sum, p, i) => {
        const up = normalTail((d - i * unit) / deviations[j]);
        const down = normalTail((d + i * unit) / deviations[j]);
        return sum + (p * (up + down)) / 2;
      }, 0);
    let [low, high] = [0, n];
    while (high - low > 0.25) {
      const mid = (low + high) / 2;
      if (fails(mid) > miss) low = mid;
      else high = mid;
    }
    // One rank more for the whole number that B is.
    const shift = (high + 1) / n;
    return { lower: q - shift > 0 ? q - shift : undefined, upper: q + shift < 1 ? q + shift : undefined };
  });
}
