import type { Relation } from '../privacy/guarantee.js';
import { zcdpRho } from '../privacy/zcdp.js';
import { discreteGaussian } from '../random/discrete-gaussian.js';
import { discreteLaplace } from '../random/discrete-laplace.js';
import type { Noise } from '../random/noise.js';

/** What the noise of a tree of counts must hide. */
export interface TreeCost {
  /** Levels that are counted: each record is counted so many times. */
  readonly height: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
}

/** How much neighbours' counts differ, summed: a record leaves `height` counts, and under swap enters as many others. */
export function sumSensitivity({ height, relation, rowsPerUnit }: TreeCost): number {
  return (relation === 'swap' ? 2 : 1) * height * rowsPerUnit;
}

/** The sum of the squares of the differences. All rows of a unit may share a path: its counts then differ by as many. */
export function squareSensitivity({ height, relation, rowsPerUnit }: TreeCost): number {
  return (relation === 'swap' ? 2 : 1) * height * rowsPerUnit ** 2;
}

/** The denominator of the rates of Laplace noise; a rate loses less than 2^-40 to it. */
const grain = 2 ** 40;

/**
 * Discrete Laplace noise with which all counts of the tree together are epsilon-DP. Undefined when epsilon is too small:
 * the rate would be rounded down to 0.
 */
export function laplaceNoise(epsilon: number, cost: TreeCost): Noise | undefined {
  const sensitivity = sumSensitivity(cost);
  let s = Math.floor((epsilon / sensitivity) * grain);
  // Both products are below 2^53, so they are exact and decide what the rounded quotient left open.
  while (s * sensitivity > epsilon * grain) s--;
  return s >= 1 ? discreteLaplace(s, grain) : undefined;
}

/** The largest variance of Gaussian noise; more would be of no use. */
const mostVariance = 2 ** 88;

/**
 * Discrete Gaussian noise with which all counts of the tree together are rho-zCDP, rho = square sensitivity/(2*variance)
 * (Canonne, Kamath, Steinke 2020, Theorem 14), and so (epsilon, delta)-DP. Undefined when epsilon is too small.
 */
export function gaussianNoise(epsilon: number, delta: number, cost: TreeCost): Noise | undefined {
  const variance = (squareSensitivity(cost) / (2 * zcdpRho(epsilon, delta))) * (1 + 2 ** -40);
  if (!(variance <= mostVariance)) return undefined;
  // As a fraction of whole numbers of some 20 bits, rounded up.
  let b = 1;
  while (variance * b < 2 ** 20) b *= 2;
  return discreteGaussian(BigInt(Math.ceil(variance * b)), BigInt(b));
}
