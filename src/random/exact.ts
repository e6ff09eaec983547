import type { Entropy } from './entropy.js';

/** `count` fair bits (0 to 53) as an integer. */
export function bits(entropy: Entropy, count: number): number {
  if (count <= 32) return count === 0 ? 0 : entropy.word() >>> (32 - count);
  return (entropy.word() >>> (64 - count)) * 2 ** 32 + entropy.word();
}

/** True with probability exactly 2^-count: that many fair coins all fall on the same side. */
export function allZero(entropy: Entropy, count: number): boolean {
  for (let left = count; left > 0; left -= 32) if (bits(entropy, Math.min(left, 32)) !== 0) return false;
  return true;
}

/** A uniform integer in `[0, n)`, n from 1 to 2^53, by rejection: no value is favoured. */
export function uniformBelow(entropy: Entropy, n: number): number {
  const width = n <= 2 ** 32 ? 32 - Math.clz32(n - 1) : 64 - Math.clz32((n - 1) / 2 ** 32);
  for (;;) {
    const draw = bits(entropy, width);
    if (draw < n) return draw;
  }
}

/** The same without a limit to n. */
export function bigUniformBelow(entropy: Entropy, n: bigint): bigint {
  const width = (n - 1n).toString(2).length;
  for (;;) {
    let draw = 0n;
    for (let left = width; left > 0; left -= 32) {
      const count = Math.min(left, 32);
      draw = (draw << BigInt(count)) | BigInt(bits(entropy, count));
    }
    if (draw < n) return draw;
  }
}

/**
 * True with probability exactly `p * 2^-shift`, for a double p in [0, 1]. `p = f * 2^-k` with f in [1/2, 1): the first
 * k bits of a uniform number must be zero and the rest be below f, a multiple of 2^-53. Probabilities far below the
 * least double are as exact as any other.
 */
export function bernoulli(entropy: Entropy, p: number, shift = 0): boolean {
  if (p <= 0) return false;
  let f = p;
  let k = shift;
  for (; f < 2 ** -32; k += 32) f *= 2 ** 32;
  for (; f < 0.5; k++) f *= 2;
  return allZero(entropy, k) && (f >= 1 || bits(entropy, 53) < f * 2 ** 53);
}
