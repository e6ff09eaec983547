import type { Lattice } from '../lattice/lattice.js';
import { secureEntropy, unsafeSeededEntropy } from '../random/entropy.js';
import { type Numbers, sourceOf } from '../ranks/memory.js';
import type { RankSource } from '../ranks/source.js';
import { type Drawn, draw, guarded } from './draw.js';
import type { QuantilesOptions } from './options.js';
import { type Plan, prepare } from './plan.js';

/** A private release: plain frozen data that serialises to JSON as it is. */
export interface QuantilesRelease extends Omit<Plan, 'lattice'>, Drawn {
  /** The points that could be released: `lower + k*step`, up to `upper`. */
  readonly lattice: Pick<Lattice, 'lower' | 'upper' | 'step'>;
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
  const prepared = source.integer || source.unit ? prepare(options, source) : declared;
  const { plan, request } = prepared;
  const nulls = request.relation === 'swap' ? 'lower' : 'drop';
  const entropy = unsafeSeed === undefined ? secureEntropy() : unsafeSeededEntropy(unsafeSeed);
  const { drawn, forecast } = await guarded(signal, async () => {
    const view = await source.open({ lattice: plan.lattice, nulls, ...(signal && { signal }) });
    try {
      return await draw(prepared, view, entropy, signal);
    } finally {
      await view.close();
    }
  });
  const { lower, upper, step } = plan.lattice;
  const { values: released, ...more } = drawn;
  return Object.freeze({
    quantiles: plan.quantiles,
    values: released,
    guarantee: plan.guarantee,
    mechanism: plan.mechanism,
    lattice: Object.freeze({ lower, upper, step }),
    forecast,
    ...more,
    ...(plan.second && { second: plan.second }),
    ...(unsafeSeed !== undefined && { unsafeSeed }),
  });
}
