import type { Forecast } from './forecast.js';
import type { QuantilesOptions } from './options.js';
import type { Plan, SourceFacts } from './plan.js';
import { onReference, type Reference } from './reference.js';

/**
 * Forecasts a release from a public reference rather than from the assumption that records are distinct and spread evenly:
 * seeded releases from the reference, by the method of the options. What the reference holds shows in the forecast, so it
 * must be public: last year's published file, a standard distribution; never the data that are to be protected.
 *
 * @param reference what the data are believed to look like; see {@link Reference}.
 * @param options as for `quantiles`; `auto` takes the method with the smallest error on the reference, of those that do not
 *   err five times as much as the best without one.
 * @param facts of the data; default: those that the reference declares.
 * @returns expected and 95 % rank errors in the order asked, in records and as shares of the reference's records. A rank
 *   error is the distance from the target q*n to the ranks that the released value holds (0 on a tie across it).
 * @throws ScumbleError of group `usage`; `values_invalid` when the reference has no records; `aborted`; `engine_failed`.
 */
export async function forecastQuantiles(
  reference: Reference,
  options: QuantilesOptions,
  facts?: SourceFacts,
): Promise<Forecast> {
  return (await planQuantilesOn(reference, options, facts)).forecast;
}

/** The plan of a release with the forecast, and with `auto` the choice, of {@link forecastQuantiles}. */
export function planQuantilesOn(reference: Reference, options: QuantilesOptions, facts?: SourceFacts): Promise<Plan> {
  const { epsilon, ...rest } = options;
  return onReference(reference, rest, facts, (planAt) => planAt(epsilon));
}
