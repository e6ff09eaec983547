import { ScumbleError } from '../errors.js';
import type { Plan } from '../quantiles/plan.js';
import { defaultLedger, withLedger } from './ledger-file.js';
import type { Outcome } from './print-release.js';
import type { QuantilesFlags } from './quantiles-flags.js';

/** Reserve, release, commit. Whatever fails after the reservation, the spend stays. A seeded run touches no ledger. */
export async function accounted<Release>(
  dataset: string,
  { guarantee, mechanism }: Pick<Plan, 'guarantee' | 'mechanism'>,
  { epsilon, delta, seed, ledger: path = defaultLedger }: QuantilesFlags,
  release: () => Promise<Release>,
): Promise<Outcome<Release>> {
  if (seed !== undefined) return { dataset, reservation: null, release: await release() };
  return withLedger(path, async (ledger) => {
    const reservation = await ledger.reserve({
      dataset,
      guarantee: { ...guarantee, epsilon, delta: guarantee.delta > 0 && delta ? delta : 0 },
      mechanism,
    });
    try {
      const outcome = { dataset, reservation, release: await release() };
      await ledger.commit(reservation.id);
      return outcome;
    } catch {
      // Rows have been read: why it failed may depend on them, so that it failed is all that is said.
      throw new ScumbleError('engine_failed', 'The release failed after its cost was reserved, and the spend stays.');
    }
  });
}
