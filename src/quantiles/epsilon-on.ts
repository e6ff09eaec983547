import { ScumbleError } from '../errors.js';
import { leastPlanned } from './epsilon-for.js';
import { maxEpsilon, type QuantilesOptions } from './options.js';
import type { SourceFacts } from './plan.js';
import { onReference, type Reference } from './reference.js';

/** How close the search ends, relatively: no closer than the forecasts are. */
const tolerance = 0.03;
const stride = 4;

/**
 * The privacy cost that a wanted accuracy needs, as {@link epsilonFor}, with forecasts on a public reference (see
 * `forecastQuantiles`).
 *
 * @returns an epsilon whose forecast keeps to the rank error, about 3 % above the least one.
 * @throws ScumbleError `option_invalid` when even the largest epsilon would not do, and what `forecastQuantiles` throws.
 */
export async function epsilonOn(
  reference: Reference,
  options: Omit<QuantilesOptions, 'epsilon'>,
  rankError: number,
  facts?: SourceFacts,
): Promise<number> {
  if (!(rankError > 0)) throw unreachable(rankError);
  return onReference(reference, options, facts, async (planAt) => {
    const keeps = async (epsilon: number) =>
      (await planAt(epsilon)).forecast.expectedRankError.every((error) => error <= rankError);
    const least = leastPlanned(options, facts);
    let [low, high] = [1, 1];
    if (await keeps(1)) {
      do [low, high] = [Math.max(least, low / stride), low];
      while (low > least && (await keeps(low)));
    } else
      do {
        if (high === maxEpsilon) throw unreachable(rankError);
        [low, high] = [high, Math.min(maxEpsilon, high * stride)];
      } while (!(await keeps(high)));
    while (high > low * (1 + tolerance)) {
      const mid = Math.sqrt(low * high);
      if (await keeps(mid)) high = mid;
      else low = mid;
    }
    return high;
  });
}

function unreachable(rankError: number): ScumbleError {
  return new ScumbleError(
    'option_invalid',
    `The rank error must be greater than 0 and than what epsilon ${maxEpsilon} gives on the reference, not ${rankError}.`,
    { option: 'rankError', rankError },
  );
}
