import { ScumbleError } from '../errors.js';
import { leastPlanned } from './epsilon-for.js';
import { maxEpsilon, type QuantilesOptions } from './options.js';
import type { SourceFacts } from './plan.js';
import { onReference, type Reference } from './reference.js';

/** How close the search ends, relatively: no closer than the forecasts are. */
const tolerance = 0.03;
/** So far beyond where it expects the least epsilon it looks, to have it between two. */
const beyond = (1 + tolerance) ** 0.45;
/** The most that it goes on by at once. */
const stride = 64;

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
    const least = leastPlanned(options, facts);
    let [low, high] = [0, Number.POSITIVE_INFINITY];
    let epsilon = 1;
    for (let kept: boolean | undefined; ; ) {
      const { forecast } = await planAt(epsilon);
      const ratio = Math.max(...forecast.expectedRankError) / rankError;
      const keeps = ratio <= 1;
      if (keeps) high = epsilon;
      else low = epsilon;
      if (low === maxEpsilon) throw unreachable(rankError);
      if (high === least || high <= low * (1 + tolerance)) return high;
      // Errors are about proportional to 1/epsilon. Where that does not lead to the other side, the middle will.
      const factor = keeps ? Math.max(ratio / beyond, 1 / stride) : Math.min(ratio * beyond, stride);
      const next = Math.min(maxEpsilon, Math.max(least, epsilon * factor));
      const enclosed = low > 0 && high < Number.POSITIVE_INFINITY;
      epsilon = enclosed && (kept === keeps || next <= low || next >= high) ? Math.sqrt(low * high) : next;
      kept = keeps;
    }
  });
}

function unreachable(rankError: number): ScumbleError {
  return new ScumbleError(
    'option_invalid',
    `The rank error must be greater than 0 and than what epsilon ${maxEpsilon} gives on the reference, not ${rankError}.`,
    { option: 'rankError', rankError },
  );
}
