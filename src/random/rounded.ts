import type { Fraction } from './fraction.js';
import type { Interval } from './interval.js';
import { refine } from './lazy-uniform.js';

/**
 * The whole number nearest to `centre + scale*z`, for a real number z known by intervals: the exact sum, rounded once. So
 * noise that is proved for real numbers is released on a public grid by post-processing alone.
 */
export function nearestWhole(centre: Fraction, scale: Fraction, z: (bits: number) => Interval): bigint {
  const shift = centre.numerator * scale.denominator;
  const factor = scale.numerator * centre.denominator;
  const denominator = centre.denominator * scale.denominator;
  return refine((bits) => {
    const { low, high } = z(bits);
    const nearest = (end: bigint) => floorHalfUp((shift << BigInt(bits)) + factor * end, denominator << BigInt(bits));
    const least = nearest(low);
    return least === nearest(high) ? least : undefined;
  });
}

/** floor(n/d + 1/2), also below zero. */
function floorHalfUp(n: bigint, d: bigint): bigint {
  const [twice, unit] = [2n * n + d, 2n * d];
  const quotient = twice / unit;
  return twice < 0n && quotient * unit !== twice ? quotient - 1n : quotient;
}
