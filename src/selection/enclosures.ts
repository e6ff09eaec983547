import type { Entropy } from '../random/entropy.js';
import { expBounds, type Interval } from '../random/interval.js';
import type { Fraction } from '../random/laplace-log-normal.js';
import { LazyUniform, refine } from '../random/lazy-uniform.js';

/** The quotient of whole numbers, rounded up. */
export const ceilDiv = (n: bigint, d: bigint): bigint => -(-n / d);

/** A fraction to so many binary places. */
export function fractionBounds({ numerator, denominator }: Fraction, bits: number): Interval {
  const scaled = numerator << BigInt(bits);
  return { low: scaled / denominator, high: ceilDiv(scaled, denominator) };
}

/** The bounds of x^k for x in [0, 1] and a whole k >= 0, by repeated squaring with each end rounded outwards. */
export function powerBounds(x: Interval, k: number, bits: number): Interval {
  const places = BigInt(bits);
  const up = (1n << places) - 1n;
  let [low, high] = [1n << places, 1n << places];
  for (const bit of BigInt(k).toString(2)) {
    low = (low * low) >> places;
    high = (high * high + up) >> places;
    if (bit === '0') continue;
    low = (low * x.low) >> places;
    high = (high * x.high + up) >> places;
  }
  return { low, high };
}

/**
 * Bounds of ln(x) for a fraction x >= 1: Newton's iteration for exp(y) = x from the double, then bounds around what it
 * found, ever wider ones until their exponentials are on either side of x. Right whatever the iteration did.
 */
export function logBounds(x: Fraction, bits: number): Interval {
  const one = 1n << BigInt(bits);
  const goal = fractionBounds(x, bits);
  let y = BigInt(Math.floor(Math.log(Number(x.numerator) / Number(x.denominator)) * 2 ** 50)) << BigInt(bits - 50);
  for (let right = 32; right < bits; right *= 2) {
    y += (goal.low * one) / expBounds(y, bits).high - one;
    if (y < 0n) y = 0n;
  }
  for (let width = 16n; ; width *= 16n) {
    const [low, high] = [y > width ? y - width : 0n, y + width];
    const below = low === 0n || expBounds(low, bits).high <= goal.low;
    if (below && expBounds(high, bits).low >= goal.high) return { low, high };
  }
}

/** True with probability exactly p, for a real number p in [0, 1] known by intervals. */
export function coin(entropy: Entropy, p: (bits: number) => Interval): boolean {
  const u = new LazyUniform(entropy);
  return refine((bits) => isBelow(u.at(bits), p(bits)));
}

/** Whether one number is below another, undefined while their intervals leave it open. */
export function isBelow(a: Interval, b: Interval): boolean | undefined {
  if (a.high <= b.low) return true;
  return a.low >= b.high ? false : undefined;
}
