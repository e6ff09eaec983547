/** A rational number: numerator over a positive denominator. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** The decimal that a text in plain or scientific notation stands for, by hand. */
export function rational(text: string): Rational {
  const [digits, exponent = '0'] = text.toLowerCase().split('e');
  const [whole, fraction = ''] = digits.split('.');
  const n = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length;
  return shift >= 0 ? { n: n * 10n ** BigInt(shift), d: 1n } : { n, d: 10n ** BigInt(-shift) };
}

/** What a double is exactly: its bits, not its shortest text. */
export function exactly(x: number): Rational {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const mantissa = (word & (2n ** 52n - 1n)) + (biased === 0 ? 0n : 2n ** 52n);
  const exponent = Math.max(biased, 1) - 1075;
  const n = word >> 63n ? -mantissa : mantissa;
  return exponent >= 0 ? { n: n * 2n ** BigInt(exponent), d: 1n } : { n, d: 2n ** BigInt(-exponent) };
}

export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => plus(a, { n: -b.n, d: b.d });
export const times = (a: Rational, k: bigint): Rational => ({ n: a.n * k, d: a.d });
export const compare = (a: Rational, b: Rational): number =>
  Number(a.n * b.d > b.n * a.d) - Number(a.n * b.d < b.n * a.d);
/** floor(a/b) for a >= 0 and b > 0. */
export const quotient = (a: Rational, b: Rational): bigint => (a.n * b.d) / (a.d * b.n);
export const absolute = ({ n, d }: Rational): Rational => ({ n: n < 0n ? -n : n, d });

/** The doubles next to x. */
export function neighbours(x: number): [number, number] {
  const bits = new DataView(new ArrayBuffer(8));
  const beside = (up: boolean) => {
    if (x === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
    bits.setFloat64(0, x);
    bits.setBigInt64(0, bits.getBigInt64(0) + (up === x > 0 ? 1n : -1n));
    return bits.getFloat64(0);
  };
  return [beside(false), beside(true)];
}
