import { type Fraction, product } from '../random/fraction.js';
import type { Interval } from '../random/interval.js';
import { nearestWhole } from '../random/rounded.js';

/** Noisy scores are multiples of 2^-40: a public grid, far finer than any noise that a score in [0, 1] needs. */
const places = 40;
const finer: Fraction = { numerator: 1n << BigInt(places), denominator: 1n };

/** The real number `centre + scale*z`, rounded once to the grid: post-processing of a mechanism on real numbers. */
export function noisyOnGrid(centre: Fraction, scale: Fraction, z: (bits: number) => Interval): number {
  return Number(nearestWhole(product(centre, finer), product(scale, finer), z)) * 2 ** -places;
}
