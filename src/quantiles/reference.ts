import { ScumbleError } from '../errors.js';
import { type Distribution, distributionSource } from '../ranks/distribution.js';
import { locate } from '../ranks/locate.js';
import { type Numbers, sourceOf } from '../ranks/memory.js';
import type { RankSource } from '../ranks/source.js';
import { type Choice, choices, choose } from './choose.js';
import { guarded } from './draw.js';
import { maxEpsilon, type QuantilesOptions } from './options.js';
import { ask, type Plan, type SourceFacts } from './plan.js';
import { simulateBest } from './simulate.js';

/** Public records that a forecast rests on: numbers, an engine's source, or a named distribution. They are NOT protected. */
export type Reference = Numbers | RankSource | Distribution;

/**
 * Opens a reference for plans at any epsilon.
 *
 * @throws ScumbleError of group `usage` before the reference is read; `values_invalid` when it has no records.
 */
export async function onReference<T>(
  reference: Reference,
  options: Omit<QuantilesOptions, 'epsilon'>,
  facts: SourceFacts | undefined,
  use: (planAt: (epsilon: number) => Promise<Plan>) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  ask({ ...options, epsilon: maxEpsilon }, facts);
  const source = await guarded(signal, () => sourceFor(reference, signal));
  const declared = facts ?? { integer: source.integer, unit: source.unit };
  const { lattice, request } = ask({ ...options, epsilon: maxEpsilon }, declared);
  const nulls = request.relation === 'swap' ? 'lower' : 'drop';
  return guarded(signal, async () => {
    const view = await source.open({ lattice, nulls, ...(signal && { signal }) });
    try {
      const profile = await locate(
        view,
        lattice,
        { low: request.quantiles[0], high: request.quantiles.at(-1)! },
        signal,
      );
      if (profile.n === 0) throw new ScumbleError('values_invalid', 'The reference must have at least one record.');
      return await use(async (epsilon) => {
        const unsized = ask({ ...options, epsilon }, declared);
        // The records of the reference stand for the count that the release would make.
        const asked = unsized.size ? unsized.sized(profile.n) : unsized;
        const candidates = await simulateBest(worthTrying(choices(asked)), profile, signal);
        return choose({ ...asked, epsilon }, candidates).plan;
      });
    } finally {
      await view.close();
    }
  });
}

/** Methods that err so many times as much as the best, on records spread evenly, are not tried on a reference. */
const hopeless = 5;

function worthTrying(choices: readonly Choice[]): readonly Choice[] {
  const errors = choices.map(({ method, request }) =>
    method.forecast(request).expectedRankError.reduce((sum, e) => sum + e, 0),
  );
  const best = Math.min(...errors);
  return choices.filter((_, i) => errors[i] <= hopeless * best);
}

/** The counts of a reference. */
export async function sourceFor(reference: Reference, signal: AbortSignal | undefined): Promise<RankSource> {
  return 'family' in reference ? distributionSource(reference) : sourceOf(reference, signal);
}
