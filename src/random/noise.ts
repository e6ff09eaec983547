import type { Entropy } from './entropy.js';

/** A law on the integers, symmetric about 0, to add to whole counts. */
export interface Noise {
  /** An exact draw; nearest double where it is beyond 2^53. */
  draw(entropy: Entropy): number;
  /** The natural logarithm of the probability of an integer. */
  logProbability(x: number): number;
  readonly variance: number;
}
