import type { Entropy } from './entropy.js';
import { expBounds, type Interval } from './interval.js';

/** A uniform real number in [0, 1), of which only the binary digits that are needed are drawn. */
export class LazyUniform {
  readonly #entropy: Entropy;
  #digits = 0n;
  #bits = 0;

  constructor(entropy: Entropy) {
    this.#entropy = entropy;
  }

  /** Where the number lies, to so many binary places. */
  at(bits: number): Interval {
    for (; this.#bits < bits; this.#bits += 32) this.#digits = (this.#digits << 32n) | BigInt(this.#entropy.word());
    const low = this.#digits >> BigInt(this.#bits - bits);
    return { low, high: low + 1n };
  }
}

/** The binary places of a first attempt; each further one takes twice as many. */
const firstBits = 64;

/**
 * Decides what depends on real numbers: asks for ever narrower intervals until the answer is the same all over. Numbers
 * are thus compared exactly, although none is ever known exactly.
 *
 * @param attempt the answer with so many binary places, undefined while it is open.
 */
export function refine<T>(attempt: (bits: number) => T | undefined): T {
  for (let bits = firstBits; ; bits *= 2) {
    const answer = attempt(bits);
    if (answer !== undefined) return answer;
  }
}

/** True with probability exactly exp(-x), for a real x >= 0 known by intervals. */
export function bernoulliExpReal(entropy: Entropy, x: (bits: number) => Interval): boolean {
  const u = new LazyUniform(entropy);
  return refine((bits) => {
    const { low, high } = x(bits);
    const one = 1n << BigInt(2 * bits);
    if (u.at(bits).high <= one / expBounds(high, bits).high) return true;
    return u.at(bits).low * expBounds(low, bits).low >= one ? false : undefined;
  });
}
