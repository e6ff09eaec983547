import { bernoulliExp, bernoulliExpFraction } from './bernoulli-exp.js';
import type { Entropy } from './entropy.js';
import { bits as fairBits } from './exact.js';
import { expBounds, type Interval } from './interval.js';
import { bernoulliExpReal, LazyUniform, refine } from './lazy-uniform.js';

/** A positive rational number. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A positive double, exactly. */
export function fractionOf(x: number): Fraction {
  let [numerator, denominator] = [x, 1n];
  for (; !Number.isInteger(numerator); numerator *= 2) denominator *= 2n;
  return { numerator: BigInt(numerator), denominator };
}

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

/** A standard exponential number: a whole part of weights e^-k, and a fraction of density e^-f by rejection. */
function drawExponential(entropy: Entropy): (bits: number) => Interval {
  let whole = 0n;
  while (bernoulliExpFraction(entropy, 1, 1)) whole++;
  for (;;) {
    const f = new LazyUniform(entropy);
    if (bernoulliExpReal(entropy, (bits) => f.at(bits))) return (bits) => plus(f.at(bits), whole, bits);
  }
}

/**
 * The size of a standard normal number, k + f with k whole. Its density is proportional to
 * e^(-k/2) * e^(-k(k-1)/2) * e^(-f*(2k+f)/2): the first factor proposes k, the others accept k and f (Karney, "Sampling
 * Exactly from the Normal Distribution", 2016).
 */
function drawHalfNormal(entropy: Entropy): (bits: number) => Interval {
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

function plus({ low, high }: Interval, whole: bigint, bits: number): Interval {
  const shift = whole << BigInt(bits);
  return { low: low + shift, high: high + shift };
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
