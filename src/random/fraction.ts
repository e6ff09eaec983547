/** A rational number. */
export interface Fraction {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** A finite double, exactly. */
export function fractionOf(x: number): Fraction {
  if (!Number.isFinite(x)) throw new RangeError('Only a finite number is a fraction.');
  let [numerator, denominator] = [x, 1n];
  for (; !Number.isInteger(numerator); numerator *= 2) denominator *= 2n;
  return { numerator: BigInt(numerator), denominator };
}

/** a - b. */
export function difference(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.denominator - b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

/** a*b. */
export function product(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

/** a/b, for b > 0. */
export function quotient(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
}
