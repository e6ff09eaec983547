import { ScumbleError, throwIfAborted } from '../errors.js';
import { secureEntropy, unsafeSeededEntropy } from '../random/entropy.js';
import { locate } from '../ranks/locate.js';
import { type Numbers, sourceOf } from '../ranks/memory.js';
import type { RankSource } from '../ranks/source.js';
import { drawSize } from './noisy-size.js';
import type { QuantilesOptions } from './options.js';
import { type Plan, prepare, sized } from './plan.js';

/** A private release: plain frozen data that serialises to JSON as it is. */
export interface QuantilesRelease extends Omit<Plan, 'lattice' | 'second'> {
  /** The released quantiles, in the caller's order. */
  readonly values: readonly number[];
  readonly lattice: { readonly lower: number; readonly upper: number; readonly step: number };
  /** With `interval`: the ends of the confidence interval of each quantile, to the resolution of the step. */
  readonly intervals?: readonly (readonly [number, number])[];
  /**
   * With `interval` but no `aboutRows`, under add-remove: the number of records as counted with noise, at least 1. It is
   * part of the release and of its price: a twentieth of epsilon.
   */
  readonly noisyRows?: number;
  /** Present only when the randomness was seeded: the release is not private. */
  readonly unsafeSeed?: number;
}

/**
 * Releases quantiles of a column of numbers with differential privacy, as a rule by JointExp (Gillenwater, Joseph,
 * Kulesza, "Differentially Private Quantiles", ICML 2021, mechanism M_Q'; proof in joint-exp.proof.md); `options.method`
 * picks another one, each with its source and proof in its own file.
 *
 * Guarantee: (epsilon, delta)-DP, delta 0 unless you allow one, for neighbours that differ in one privacy unit (a row, unless the source says otherwise) under
 * `options.relation`. Nulls and NaN are dropped under add-remove and count at the lower bound under swap; values outside
 * the bounds are clamped. Nothing else about the values is revealed: no data make the call fail, an empty column gives a
 * valid (useless) release.
 *
 * @param values numbers in memory or an engine's {@link RankSource}.
 * @param options what to release, in the column's unit; see {@link QuantilesOptions}.
 * @returns values on the lattice `lower + k*step`, in the order asked, with cost and forecast (rank errors in records).
 * @throws ScumbleError of group `usage` before any value is read; `aborted` by the signal; `engine_failed` when a source
 *   fails (with no word of why, since that may depend on private values).
 */
export async function quantiles(values: Numbers | RankSource, options: QuantilesOptions): Promise<QuantilesRelease> {
  const declared = prepare(options);
  const { signal, unsafeSeed } = options;
  const source = await guarded(signal, () => sourceOf(values, signal));
  const planned = source.integer || source.unit ? prepare(options, source) : declared;
  const { plan, size } = planned;
  const range = { low: planned.request.quantiles[0], high: planned.request.quantiles.at(-1)! };
  const nulls = planned.request.relation === 'swap' ? 'lower' : 'drop';
  const entropy = unsafeSeed === undefined ? secureEntropy() : unsafeSeededEntropy(unsafeSeed);
  const { rows, prepared, released } = await guarded(signal, async () => {
    const view = await source.open({ lattice: plan.lattice, nulls, ...(signal && { signal }) });
    try {
      const profile = await locate(view, plan.lattice, range, signal);
      const rows = size && drawSize(profile.n, size, entropy);
      const prepared = size && rows !== undefined ? prepare(sized(options, size, rows), source) : planned;
      const indices = await prepared.method.release(prepared.request, profile, entropy, signal);
      return { rows, prepared, released: indices.map(plan.lattice.value) };
    } finally {
      await view.close();
    }
  });
  const { lower, upper, step } = plan.lattice;
  const valueAt = (q: number) => released[prepared.request.quantiles.indexOf(q)];
  const last = plan.lattice.value(plan.lattice.size - 1);
  const ends = prepared.intervals?.map(({ lower: a, upper: b }) =>
    Object.freeze([a === undefined ? lower : valueAt(a), b === undefined ? last : valueAt(b)] as const),
  );
  return Object.freeze({
    quantiles: plan.quantiles,
    values: Object.freeze(plan.quantiles.map(valueAt)),
    guarantee: plan.guarantee,
    mechanism: plan.mechanism,
    lattice: Object.freeze({ lower, upper, step }),
    forecast: prepared.plan.forecast,
    ...(size?.noise && rows !== undefined && { noisyRows: rows }),
    ...(ends && { intervals: Object.freeze(ends) }),
    ...(unsafeSeed !== undefined && { unsafeSeed }),
  });
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
