import { bernoulliExp } from './bernoulli-exp.js';
import { discreteLaplace } from './discrete-laplace.js';
import type { Noise } from './noise.js';

/**
 * The discrete Gaussian law, P(x) proportional to exp(-x^2/(2*a/b)), for whole numbers a, b >= 1 with a/b at most 2^90.
 * Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020), Algorithm 3: a discrete Laplace
 * draw of about the same width, accepted with the chance that is left.
 */
export function discreteGaussian(a: bigint, b: bigint): Noise {
  const parameter = Number(a) / Number(b);
  const t = BigInt(Math.floor(Math.sqrt(parameter)) + 1);
  const proposal = discreteLaplace(1, Number(t));
  const denominator = 2n * a * b * t * t;
  const { logTotal, variance } = moments(parameter);
  return {
    draw(entropy) {
      for (;;) {
        const x = proposal.draw(entropy);
        // (|x| - a/(b*t))^2 / (2*a/b), as one fraction
        const root = BigInt(Math.abs(x)) * b * t - a;
        if (bernoulliExp(entropy, root * root, denominator)) return x;
      }
    },
    logProbability: (x) => -(x * x) / (2 * parameter) - logTotal,
    variance,
  };
}

/** By Poisson's formula a wide law sums as its integral does, to less than a rounding. */
function moments(parameter: number): { logTotal: number; variance: number } {
  if (parameter > 4) return { logTotal: Math.log(2 * Math.PI * parameter) / 2, variance: parameter };
  let total = 1;
  let squares = 0;
  for (let x = 1; x <= 20; x++) {
    const weight = 2 * Math.exp(-(x * x) / (2 * parameter));
    total += weight;
    squares += weight * x * x;
  }
  return { logTotal: Math.log(total), variance: squares / total };
}
