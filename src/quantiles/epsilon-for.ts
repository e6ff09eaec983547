import { ScumbleError } from '../errors.js';
import { rowsPerUnit } from '../privacy/guarantee.js';
import { leastEpsilon } from './joint-exp.js';
import { leastForSize } from './noisy-size.js';
import { maxEpsilon, type QuantilesOptions } from './options.js';
import { type Plan, planQuantiles, type SourceFacts } from './plan.js';
import { expandQuantiles } from './quantile-list.js';

/** How close the search ends, relatively. */
const tolerance = 1e-3;

/**
 * The privacy cost that a wanted accuracy needs: the inverse of the forecast, from public facts alone.
 *
 * @param options as for `quantiles`, without the epsilon.
 * @param rankError the expected rank error, in records, that no quantile may exceed; greater than 0.
 * @returns an epsilon within a thousandth of the least one whose forecast keeps to it.
 * @throws ScumbleError `option_invalid` when even the largest epsilon would not do, and what `planQuantiles` throws.
 */
export function epsilonFor(options: Omit<QuantilesOptions, 'epsilon'>, rankError: number, facts?: SourceFacts): number {
  return leastKeeping(
    (epsilon) => planQuantiles({ ...options, epsilon }, facts),
    leastPlanned(options, facts),
    rankError,
  );
}

/** The same for plans of any kind, from the least epsilon that can be planned with. */
export function leastKeeping(
  planAt: (epsilon: number) => Pick<Plan, 'forecast'>,
  least: number,
  rankError: number,
): number {
  const worst = (epsilon: number) => Math.max(...planAt(epsilon).forecast.expectedRankError);
  let [low, high] = [least, maxEpsilon];
  if (!(rankError > 0 && worst(high) <= rankError))
    throw new ScumbleError(
      'option_invalid',
      `The rank error must be greater than what epsilon ${maxEpsilon} gives, here ${worst(high).toPrecision(2)} records, not ${rankError}.`,
      { option: 'rankError', rankError },
    );
  while (high > low * (1 + tolerance)) {
    const mid = Math.sqrt(low * high);
    if (worst(mid) <= rankError) high = mid;
    else low = mid;
  }
  return high;
}

/** The least epsilon that can be planned with, with enough for the quantiles and the count that intervals need. */
export function leastPlanned(
  { quantiles, interval }: Pick<QuantilesOptions, 'quantiles' | 'interval'>,
  facts: SourceFacts = {},
): number {
  const { length } = expandQuantiles(quantiles);
  if (interval === undefined) return leastEpsilon(length);
  return Math.max(leastEpsilon(4 * length), leastForSize(rowsPerUnit(facts.unit ?? 'row')));
}
