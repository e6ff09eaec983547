import type { Entropy } from './entropy.js';
import { bigUniformBelow, uniformBelow } from './exact.js';

/**
 * True with probability exactly exp(-n/d), for rational n/d >= 0. Canonne, Kamath, Steinke, "The Discrete Gaussian for
 * Differential Privacy" (2020), Algorithm 1: for x in [0, 1], the first failure among coins of chance x/1, x/2, x/3, … has
 * an odd number with the probability 1 - x + x^2/2! - …. Larger x are a product of such.
 */
export function bernoulliExp(entropy: Entropy, n: bigint, d: bigint): boolean {
  let rest = n;
  for (; rest >= d; rest -= d) if (!bernoulliExpFraction(entropy, 1, 1)) return false;
  if (d <= Number.MAX_SAFE_INTEGER) return bernoulliExpFraction(entropy, Number(rest), Number(d));
  return firstFailureIsOdd(entropy, () => bigUniformBelow(entropy, d) < rest);
}

/** The same for whole numbers 0 <= n <= d <= 2^53, without big integers. */
export function bernoulliExpFraction(entropy: Entropy, n: number, d: number): boolean {
  return firstFailureIsOdd(entropy, () => n === d || uniformBelow(entropy, d) < n);
}

/** A coin of chance x/k is one of chance 1/k and one of chance x. */
function firstFailureIsOdd(entropy: Entropy, coin: () => boolean): boolean {
  let k = 1;
  while (uniformBelow(entropy, k) === 0 && coin()) k++;
  return k % 2 === 1;
}
