import type { Entropy } from '../random/entropy.js';
import { type Fraction, fractionOf } from '../random/fraction.js';
import { drawLaplaceLogNormal, laplaceLogNormalTail } from '../random/laplace-log-normal.js';
import type { RankProfile } from '../ranks/locate.js';
import type { SmoothNoise } from './smooth-noise.js';
import { type Sensitivity, smoothSensitivities } from './smooth-sensitivity.js';

/** A quantile and its noise. */
export interface SmoothQuantile {
  readonly quantile: number;
  readonly noise: SmoothNoise;
}

/** The law of a release: each quantile's record plus its own noise, kept on the lattice, then sorted. */
export interface SmoothLaw {
  sample(entropy: Entropy): number[];
  /** The natural logarithm of the probability of ascending indices. */
  logProbability(output: readonly number[]): number;
}

/**
 * Quantiles by additive noise that is scaled by smooth sensitivity: Smooth and CSmooth of Gillenwater, Joseph, Kulesza
 * 2021. Swap only: n is public. Cost and proof in smooth.proof.md.
 */
export async function smooth(
  profile: RankProfile,
  quantiles: readonly SmoothQuantile[],
  signal?: AbortSignal,
): Promise<SmoothLaw> {
  const { n, size } = profile;
  const places = quantiles.map(({ quantile, noise }) => ({ ...noise, position: positionOf(quantile, n) }));
  // Of no records there is no quantile and no neighbour: the middle of the lattice, and all of it for a sensitivity.
  const found: Sensitivity[] =
    n === 0
      ? places.map(() => ({ index: Math.floor((size - 1) / 2), smooth: size - 1 }))
      : await smoothSensitivities(profile, places, signal);
  const laws = found.map((sensitivity, j) => oneLaw(sensitivity, quantiles[j].noise, size));
  return {
    sample: (entropy) => laws.map((law) => law.draw(entropy)).sort((a, b) => a - b),
    logProbability: (output) => Math.log(sumOverOrders(output, laws)),
  };
}

/** The record whose 0-based position is floor((n - 1)*q); the factor undoes the rounding of a decimal q. */
export function positionOf(quantile: number, n: number): number {
  return Math.min(n - 1, Math.floor(quantile * (n - 1) * (1 + 2 ** -50)));
}

/** Covers the error of a sensitivity, which must not be less than the true one. */
const ample = 1 + 2 ** -40;

function oneLaw({ index, smooth }: Sensitivity, { admissible, sigma }: SmoothNoise, size: number) {
  const scale = quotient(fractionOf(smooth * ample), fractionOf(admissible));
  const width = (smooth * ample) / admissible;
  /** The probability that the noise is k >= 1 or more. */
  const tail = (k: number) => laplaceLogNormalTail((k - 0.5) / width, sigma);
  const orMore = (k: number) => (k >= size ? 0 : tail(k - index));
  const orLess = (k: number) => (k < 0 ? 0 : tail(index - k));
  return {
    draw(entropy: Entropy): number {
      const noise = drawLaplaceLogNormal(entropy, scale, sigma);
      // Beyond 2^53 the nearest double is off the lattice all the same.
      return Math.min(size - 1, Math.max(0, index + Number(noise)));
    },
    /** From the side where the tails are small. */
    probability(k: number): number {
      if (k > index) return orMore(k) - orMore(k + 1);
      if (k < index) return orLess(k) - orLess(k - 1);
      return 1 - orMore(k + 1) - orLess(k - 1);
    },
  };
}

function quotient(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
}

/** The chance that independent draws are these values in any order: each order of distinct positions once. */
function sumOverOrders(output: readonly number[], laws: readonly { probability(k: number): number }[]): number {
  const [law, ...others] = laws;
  if (!law) return 1;
  let sum = 0;
  for (const [i, value] of output.entries()) {
    if (i > 0 && output[i - 1] === value) continue;
    sum += law.probability(value) * sumOverOrders(output.toSpliced(i, 1), others);
  }
  return sum;
}
