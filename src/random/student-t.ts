import type { Entropy } from './entropy.js';
import { bits as fairBits } from './exact.js';
import { drawHalfNormal } from './half-normal.js';
import type { Interval } from './interval.js';
import { refine } from './lazy-uniform.js';

/**
 * A Student number of 3 degrees of freedom, of density proportional to (1 + z^2/3)^-2: X/sqrt((A^2 + B^2 + C^2)/3) for four
 * standard normal numbers. By binary digits, from those of the four.
 */
export function drawStudent(entropy: Entropy): (bits: number) => Interval {
  const x = drawHalfNormal(entropy);
  const others = [drawHalfNormal(entropy), drawHalfNormal(entropy), drawHalfNormal(entropy)];
  const negative = fairBits(entropy, 1) === 1;
  const squares = (bits: number, end: 'low' | 'high') =>
    others.reduce((sum, other) => sum + other(bits)[end] ** 2n, 0n);
  // So many places tell the divisor from zero.
  const enough = refine((bits) => (squares(bits, 'low') > 0n ? bits : undefined));
  return (bits) => {
    const places = Math.max(bits, enough);
    const { low, high } = x(places);
    const rest = BigInt(places - bits);
    const square = (end: bigint) => (3n * end * end) << BigInt(2 * places);
    const least = squareRoot(square(low) / squares(places, 'high')) >> rest;
    const most = ((squareRoot(square(high) / squares(places, 'low')) + 1n) >> rest) + 1n;
    return negative ? { low: -most, high: -least } : { low: least, high: most };
  };
}

/** floor(sqrt(n)) by Newton's method from above. */
function squareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** P(Z > z) for z >= 0, to about 1e-15 of itself times 1 + z^2; see {@link drawStudent}. */
export function studentTail(z: number): number {
  const x = z / Math.sqrt(3);
  return (Math.atan2(1, x) - x / (1 + x * x)) / Math.PI;
}
