/** Real numbers from `low * 2^-bits` to `high * 2^-bits`, for a number of bits that goes with it. */
export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}

/** The numbers larger by a whole one. */
export function plus({ low, high }: Interval, whole: bigint, bits: number): Interval {
  const shift = whole << BigInt(bits);
  return { low: low + shift, high: high + shift };
}

/**
 * Bounds of exp(x) for x = `x * 2^-bits` >= 0. With j >= 8 halvings x is below 2^-8; there the power series is summed, and
 * the sum squared j times, all rounded down at q = bits + 32 + 2*j binary places.
 *
 * A term of the series is short by less than 2.1 units of the last place and its N <= q/8 + 1 terms together, with what
 * follows them, by less than q units: a share below q*2^-q of the sum, which is at least 1. A squaring doubles the share
 * and adds a unit. At the end it is below 2^j * (q + 1) * 2^-q < (q + 1) * 2^(-bits - 40), far less than the 2^(-bits - 8) that is added.
 */
export function expBounds(x: bigint, bits: number): Interval {
  let halvings = 8;
  while (x >> BigInt(bits + halvings - 8) > 0n) halvings++;
  const places = bits + 32 + 2 * halvings;
  const q = BigInt(places);
  const r = x << BigInt(32 + halvings);
  let term = 1n << q;
  let sum = term;
  for (let i = 1n; term > 0n; i++) {
    term = ((term * r) >> q) / i;
    sum += term;
  }
  for (let i = 0; i < halvings; i++) sum = (sum * sum) >> q;
  const rest = q - BigInt(bits);
  return { low: sum >> rest, high: ((sum + (sum >> BigInt(bits + 8)) + 1n) >> rest) + 1n };
}
