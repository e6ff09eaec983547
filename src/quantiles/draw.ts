import { ScumbleError, throwIfAborted } from '../errors.js';
import type { Entropy } from '../random/entropy.js';
import { locate } from '../ranks/locate.js';
import type { RankView } from '../ranks/source.js';
import type { Prepared } from './plan.js';

/** What a release draws: values in the order asked and, with `interval`, the ends of their confidence intervals. */
export interface Drawn {
  readonly values: readonly number[];
  readonly intervals?: readonly (readonly [number, number])[];
}

/** Draws what was prepared from the records of one view. */
export async function draw(
  { plan, method, request, intervals }: Prepared,
  view: RankView,
  entropy: Entropy,
  signal: AbortSignal | undefined,
): Promise<Drawn> {
  const { lattice } = plan;
  const distinct = request.quantiles;
  const range = { low: distinct[0], high: distinct[distinct.length - 1] };
  const profile = await locate(view, lattice, range, signal);
  const released = (await method.release(request, profile, entropy, signal)).map(lattice.value);
  const valueAt = (q: number) => released[distinct.indexOf(q)];
  const last = lattice.value(lattice.size - 1);
  const ends = intervals?.map(({ lower: a, upper: b }) =>
    Object.freeze([a === undefined ? lattice.lower : valueAt(a), b === undefined ? last : valueAt(b)] as const),
  );
  return { values: Object.freeze(plan.quantiles.map(valueAt)), ...(ends && { intervals: Object.freeze(ends) }) };
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
