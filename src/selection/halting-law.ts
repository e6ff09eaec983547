import type { SparseVectorNoise } from './above-threshold.js';

/** Nodes (positive half) and weights of the Gauss-Legendre rule of 16 points on [-1, 1]. */
const nodes = [
  0.09501250983763744, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438, 0.755404408355003,
  0.8656312023878318, 0.9445750230732326, 0.9894009349916499,
];
const weights = [
  0.1894506104550685, 0.1826034150449236, 0.16915651939500254, 0.14959598881657674, 0.12462897125553388,
  0.09515851168249279, 0.062253523938647894, 0.027152459411754096,
];
/** Beyond so many scales of the threshold's noise lies less than e^-50 of any answer. */
const reach = 100;

/** The law of a sparse vector on known queries. */
export interface HaltingLaw {
  /** The probability that query i is the first above. */
  readonly above: readonly number[];
  /** The probability that none is. */
  readonly never: number;
}

/**
 * When {@link aboveThreshold} halts: the integral, over the noise of the threshold, of the chances of the answers, which
 * are independent given it. For tests and audits. Between the kinks of the densities the integrand is a sum of
 * exponentials, of rates up to 1/threshold + length/query; on pieces of 10 over that the Gauss-Legendre rule is exact but for
 * rounding, also relatively: it only adds and multiplies positive numbers.
 *
 * @param queries values of the queries; infinite ones included.
 */
export function haltingLaw(queries: readonly number[], threshold: number, noise: SparseVectorNoise): HaltingLaw {
  const gaps = queries.map((query) => query - threshold);
  const kinks = [0, ...gaps.filter(Number.isFinite)].sort((a, b) => a - b);
  const edge = reach * noise.threshold;
  const cuts = [kinks[0] - edge, ...kinks, kinks[kinks.length - 1] + edge];
  const longest = 10 / (1 / noise.threshold + queries.length / noise.query);
  const above = queries.map(() => 0);
  let never = 0;
  for (let k = 1; k < cuts.length; k++) {
    const width = cuts[k] - cuts[k - 1];
    const pieces = Math.ceil(width / longest);
    for (let piece = 0; piece < pieces; piece++)
      for (let i = -nodes.length; i < nodes.length; i++) {
        const j = i < 0 ? -1 - i : i;
        const half = width / pieces / 2;
        const nu = cuts[k - 1] + half * (2 * piece + 1 + (i < 0 ? -nodes[j] : nodes[j]));
        let density = (weights[j] * half * Math.exp(-Math.abs(nu) / noise.threshold)) / (2 * noise.threshold);
        gaps.forEach((gap, q) => {
          above[q] += density * tail((nu - gap) / noise.query);
          density *= tail((gap - nu) / noise.query);
        });
        never += density;
      }
  }
  return { above, never };
}

/** P(Z > z) of a standard Laplace number. */
function tail(z: number): number {
  return z >= 0 ? Math.exp(-z) / 2 : 1 - Math.exp(z) / 2;
}
