import { bernoulliExpFraction } from './bernoulli-exp.js';
import type { Entropy } from './entropy.js';
import { bits, uniformBelow } from './exact.js';
import type { Noise } from './noise.js';

/**
 * The discrete Laplace law, P(x) proportional to exp(-|x|*s/t), for whole numbers s >= 1 and t from 1 to 2^46. Canonne,
 * Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020), Algorithm 2.
 */
export function discreteLaplace(s: number, t: number): Noise {
  const rate = s / t;
  const logPeak = Math.log(-Math.expm1(-rate)) - Math.log1p(Math.exp(-rate));
  return {
    draw: (entropy) => draw(entropy, s, t),
    logProbability: (x) => logPeak - Math.abs(x) * rate,
    variance: (2 * Math.exp(-rate)) / Math.expm1(-rate) ** 2,
  };
}

function draw(entropy: Entropy, s: number, t: number): number {
  for (;;) {
    // u + t*v has the weights exp(-(u + t*v)/t), and its quotient by s those of |x|.
    const u = uniformBelow(entropy, t);
    if (!bernoulliExpFraction(entropy, u, t)) continue;
    let v = 0;
    while (bernoulliExpFraction(entropy, 1, 1)) v++;
    const size = quotient(u, v, s, t);
    const negative = bits(entropy, 1) === 1;
    if (negative && size === 0) continue; // or 0 would be drawn twice as often
    return negative ? -size : size;
  }
}

/** floor((u + t*v)/s); a division that rounds could give the next integer. */
function quotient(u: number, v: number, s: number, t: number): number {
  const x = u + t * v;
  if (x > Number.MAX_SAFE_INTEGER) return Number((BigInt(u) + BigInt(t) * BigInt(v)) / BigInt(s));
  return (x - (x % s)) / s;
}
