import type { Measure } from '../lattice/measure.js';
import type { Relation } from '../privacy/guarantee.js';
import type { Entropy } from '../random/entropy.js';
import type { RankProfile } from '../ranks/locate.js';
import type { Forecast } from './forecast.js';

/** What is asked of a method: public facts only. */
export interface MethodRequest {
  /** Distinct, ascending, strictly between 0 and 1. */
  readonly quantiles: readonly number[];
  readonly epsilon: number;
  /** What the caller allows; 0 for pure differential privacy. */
  readonly delta: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
  readonly measure: Measure;
  readonly aboutRows?: number | undefined;
}

/** A way to release quantiles. The file of each says what it guarantees, why, and where it comes from. */
export interface Method {
  readonly name: string;
  /** What the method cannot do of the request and what would work, in one sentence; undefined when it can. */
  refusal(request: MethodRequest): string | undefined;
  /** Whether `auto` may choose the method for the request; without this, whenever it can serve it. */
  automatic?(request: MethodRequest): boolean;
  /** The delta that the release costs: at most the request's. */
  delta(request: MethodRequest): number;
  /** Expected rank errors, from the request alone. */
  forecast(request: MethodRequest): Forecast;
  /** Draws one lattice index for each quantile, ascending. */
  release(request: MethodRequest, profile: RankProfile, entropy: Entropy, signal?: AbortSignal): Promise<number[]>;
  /** Prepares many releases from one profile, where that is much quicker than to release as often. */
  sampler?(request: MethodRequest, profile: RankProfile, signal?: AbortSignal): Promise<Draw>;
}

/** Draws one lattice index for each quantile, ascending. */
export type Draw = (entropy: Entropy) => number[] | Promise<number[]>;
