import type { Measure } from '../lattice/measure.js';
import type { Relation } from '../privacy/guarantee.js';
import type { Entropy } from '../random/entropy.js';
import type { RankProfile } from '../ranks/locate.js';
import type { Forecast } from './forecast.js';

/** Options that only some methods take: those of trees. */
export interface TreeOptions {
  /**
   * Children of a node, at least 2. Of `approximate-quantiles` (the paper's K): at most one more than there are quantiles,
   * default 2. Of `agg-tree`, `lap-tree` and `gauss-tree`: at most 64, default 16.
   */
  readonly branching?: number | undefined;
  /** The most levels of `agg-tree`, `lap-tree` and `gauss-tree`, 1 to 53. Default 4. */
  readonly height?: number | undefined;
  /** Level d of `approximate-quantiles` gets a share of epsilon in proportion to d^-power, 0 to 8 (the paper's p). Default 0. */
  readonly power?: number | undefined;
  /**
   * What becomes of the prior between two answers of `approximate-quantiles`: `conditional` (default) keeps what lies
   * there, `edge` moves the rest of its mass to the nearer of the two.
   */
  readonly adaptation?: Adaptation | undefined;
}

/** What becomes of a prior in an interval between two answers. */
export type Adaptation = 'conditional' | 'edge';

export const adaptations: readonly Adaptation[] = ['conditional', 'edge'];

/** The name of an option that only some methods take. */
export type MethodOption = keyof TreeOptions | 'priors' | 'smoothing';

/** What is asked of a method: public facts only. */
export interface MethodRequest {
  /** Distinct, ascending, strictly between 0 and 1. */
  readonly quantiles: readonly number[];
  readonly epsilon: number;
  /** What the caller allows; 0 for pure differential privacy. */
  readonly delta: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
  /** The base measure of all quantiles. */
  readonly measure: Measure;
  /** One for each quantile instead, where they differ. */
  readonly measures?: readonly Measure[] | undefined;
  readonly tree?: TreeOptions | undefined;
  /** The smoothness t of each quantile; without it chosen on a public reference. */
  readonly smoothing?: readonly number[] | undefined;
  readonly aboutRows?: number | undefined;
}

/** A way to release quantiles. The file of each says what it guarantees, why, and where it comes from. */
export interface Method {
  readonly name: string;
  /** The options that it takes and others do not. */
  readonly takes?: readonly MethodOption[];
  /** The largest branching for so many quantiles, of a method that takes one. */
  mostBranching?(quantiles: number): number;
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
