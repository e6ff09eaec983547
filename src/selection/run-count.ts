import type { Entropy } from '../random/entropy.js';

/** The law of a random number K of runs, which no data influence. */
export interface RunCount {
  /** E[K]. */
  readonly expected: number;
  /** The largest possible K, or Infinity. */
  readonly most: number;
  /** Pr[K = 0]. */
  readonly none: number;
  /**
   * The probability that the best of K independent draws lies in a class, `E[(worse + equal)^K] - E[worse^K]`, where
   * `worse`, `equal` and `better` are the probabilities that one draw is below, in and above the class; they add up to 1.
   * Full relative precision, however small they are.
   */
  between(worse: number, equal: number, better: number): number;
  /** An exact draw of K. */
  draw(entropy: Entropy): number;
}

/** The natural logarithm of a probability, given its complement too, so that neither end loses precision. */
export function logChance(p: number, complement: number): number {
  return p < 0.5 ? Math.log(p) : Math.log1p(-complement);
}
