import { bernoulliExp, bernoulliExpFraction } from './bernoulli-exp.js';
import type { Entropy } from './entropy.js';
import { type Interval, plus } from './interval.js';
import { bernoulliExpReal, LazyUniform } from './lazy-uniform.js';

/**
 * The size of a standard normal number, k + f with k whole. Its density is proportional to
 * e^(-k/2) * e^(-k(k-1)/2) * e^(-f*(2k+f)/2): the first factor proposes k, the others accept k and f (Karney, "Sampling
 * Exactly from the Normal Distribution", 2016).
 */
export function drawHalfNormal(entropy: Entropy): (bits: number) => Interval {
  for (;;) {
    let k = 0n;
    while (bernoulliExpFraction(entropy, 1, 2)) k++;
    if (!bernoulliExp(entropy, k * (k - 1n), 2n)) continue;
    const f = new LazyUniform(entropy);
    const exponent = (bits: number) => {
      const half = (v: bigint) => v * (v + ((2n * k) << BigInt(bits)));
      const { low, high } = f.at(bits);
      return { low: half(low) >> BigInt(bits + 1), high: (half(high) >> BigInt(bits + 1)) + 1n };
    };
    if (bernoulliExpReal(entropy, exponent)) return (bits) => plus(f.at(bits), k, bits);
  }
}
