import { bernoulliExpFraction } from './bernoulli-exp.js';
import type { Entropy } from './entropy.js';
import { bits as fairBits } from './exact.js';
import { type Interval, plus } from './interval.js';
import { bernoulliExpReal, LazyUniform } from './lazy-uniform.js';

/** A standard exponential number: a whole part of weights e^-k, and a fraction of density e^-f by rejection. */
export function drawExponential(entropy: Entropy): (bits: number) => Interval {
  let whole = 0n;
  while (bernoulliExpFraction(entropy, 1, 1)) whole++;
  for (;;) {
    const f = new LazyUniform(entropy);
    if (bernoulliExpReal(entropy, (bits) => f.at(bits))) return (bits) => plus(f.at(bits), whole, bits);
  }
}

/** A standard Laplace number, of density e^-|x|/2: an exponential number with a fair sign. */
export function drawLaplace(entropy: Entropy): (bits: number) => Interval {
  const size = drawExponential(entropy);
  if (fairBits(entropy, 1) === 0) return size;
  return (bits) => {
    const { low, high } = size(bits);
    return { low: -high, high: -low };
  };
}
