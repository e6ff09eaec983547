import { ScumbleError, throwIfAborted } from '../errors.js';
import type { Entropy } from '../random/entropy.js';
import { locate } from '../ranks/locate.js';
import type { RankView } from '../ranks/source.js';
import type { Forecast } from './forecast.js';
import { drawSize } from './noisy-size.js';
import type { Prepared } from './plan.js';

/** What a release draws: values in the order asked and, with `interval`, the ends of their confidence intervals. */
export interface Drawn {
  /** The released quantiles, in the caller's order. */
  readonly values: readonly number[];
  /** With `interval`: the ends of the confidence interval of each quantile, to the resolution of the step. */
  readonly intervals?: readonly (readonly [number, number])[];
  /**
   * With `interval` but no `aboutRows`, under add-remove: the number of records as counted with noise, at least 1. It is
   * part of the release and of its price: a twentieth of epsilon.
   */
  readonly noisyRows?: number;
}

/** Draws what was planned from the records of one view; the forecast is that of the plan, by the size where that is drawn. */
export async function draw(
  planned: Prepared,
  view: RankView,
  entropy: Entropy,
  signal: AbortSignal | undefined,
): Promise<{ readonly drawn: Drawn; readonly forecast: Forecast }> {
  const { size } = planned;
  const { lattice } = planned.plan;
  const range = { low: planned.request.quantiles[0], high: planned.request.quantiles.at(-1)! };
  const profile = await locate(view, lattice, range, signal);
  const rows = size && drawSize(profile.n, size, entropy);
  const { plan, method, request, intervals } = rows === undefined ? planned : planned.sized(rows);
  const released = (await method.release(request, profile, entropy, signal)).map(lattice.value);
  const valueAt = (q: number) => released[request.quantiles.indexOf(q)];
  const last = lattice.value(lattice.size - 1);
  const ends = intervals?.map(({ lower: a, upper: b }) =>
    Object.freeze([a === undefined ? lattice.lower : valueAt(a), b === undefined ? last : valueAt(b)] as const),
  );
  const drawn = {
    values: Object.freeze(plan.quantiles.map(valueAt)),
    ...(ends && { intervals: Object.freeze(ends) }),
    ...(size?.noise && rows !== undefined && { noisyRows: rows }),
  };
  return { drawn, forecast: plan.forecast };
}

/** Reads private data; why that fails may depend on them, so that it failed is all that is said. */
export async function guarded<T>(signal: AbortSignal | undefined, read: () => Promise<T>): Promise<T> {
  throwIfAborted(signal);
  try {
    return await read();
  } catch (error) {
    if (error instanceof ScumbleError) throw error;
    throwIfAborted(signal);
    throw new ScumbleError('engine_failed', 'The data source failed while its values were read.');
  }
}
