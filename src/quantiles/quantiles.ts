import type { RankSource } from '../ranks/source.js';
import type { Plan, QuantilesOptions } from './plan.js';

/** A private release: plain frozen data that serialises to JSON as it is. */
export interface QuantilesRelease extends Omit<Plan, 'lattice'> {
  /** The released quantiles, in the caller's order. */
  readonly values: readonly number[];
  readonly lattice: { readonly lower: number; readonly upper: number; readonly step: number };
  /** Present only when the randomness was seeded: the release is not private. */
  readonly unsafeSeed?: number;
}

/** Numbers in memory; what is no number counts as a null. */
export type Numbers = Iterable<number | bigint | null | undefined> | AsyncIterable<number | bigint | null | undefined>;

export declare function quantiles(values: Numbers | RankSource, options: QuantilesOptions): Promise<QuantilesRelease>;
