import type { Entropy } from './entropy.js';
import { bits as fairBits } from './exact.js';
import { drawExponential } from './exponential.js';
import { type Fraction, fractionOf } from './fraction.js';
import { drawHalfNormal } from './half-normal.js';
import { expBounds, type Interval } from './interval.js';
import { refine } from './lazy-uniform.js';

/**
 * The whole number nearest to `scale * Z` for Z = X*exp(sigma*Y), X standard Laplace and Y standard normal (Bun, Steinke,
 * "Average-Case Averages", 2019, the law LLN(sigma)); sigma = 0 gives plain Laplace noise. Exactly so: X and Y are drawn as real numbers by binary
 * digits, and more digits are drawn until it is certain to which whole number the product is nearest.
 */
export function drawLaplaceLogNormal(entropy: Entropy, scale: Fraction, sigma: number): bigint {
  const x = drawExponential(entropy);
  const y = sigma > 0 ? drawHalfNormal(entropy) : undefined;
  const down = y !== undefined && fairBits(entropy, 1) === 1;
  const { numerator, denominator } = scale;
  const size = refine((bits) => {
    const { low, high } = y ? times(x(bits), power(y(bits), sigma, down, bits), bits) : x(bits);
    const least = nearest(low * numerator, denominator, bits);
    return least === nearest(high * numerator, denominator, bits) ? least : undefined;
  });
  return fairBits(entropy, 1) === 1 ? -size : size;
}

/** The whole number nearest to `n/(d * 2^bits)` >= 0. */
function nearest(n: bigint, d: bigint, bits: number): bigint {
  const unit = d << BigInt(bits);
  return (2n * n + unit) / (2n * unit);
}

/** The product of numbers >= 0. */
function times(a: Interval, b: Interval, bits: number): Interval {
  const places = BigInt(bits);
  return { low: (a.low * b.low) >> places, high: ((a.high * b.high) >> places) + 1n };
}

/** exp(sigma*y), or its inverse. */
function power(y: Interval, sigma: number, inverse: boolean, bits: number): Interval {
  const { numerator, denominator } = fractionOf(sigma);
  const least = expBounds((y.low * numerator) / denominator, bits).low;
  const most = expBounds((y.high * numerator) / denominator + 1n, bits).high;
  const square = 1n << BigInt(2 * bits);
  return inverse ? { low: square / most, high: square / least + 1n } : { low: least, high: most };
}

/** Where the normal factor is summed over: 10 deviations either side, in steps that a smooth integrand needs. */
const grid = Array.from({ length: 201 }, (_, i) => (i - 100) / 10);

/** P(Z > z) for z >= 0, to about 1e-15; see {@link drawLaplaceLogNormal}. */
export function laplaceLogNormalTail(z: number, sigma: number): number {
  if (sigma === 0) return Math.exp(-z) / 2;
  // The trapezoidal rule errs by less than a rounding here: the integrand is analytic in a wide strip.
  const sum = grid.reduce((total, y) => total + Math.exp(-(y * y) / 2 - z * Math.exp(-sigma * y)), 0);
  return (sum * 0.1) / (2 * Math.sqrt(2 * Math.PI));
}
