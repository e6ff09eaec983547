/** A rational number. */
export interface Fraction {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** A finite double, exactly. */
export function fractionOf(x: number): Fraction {
  let [numerator, denominator] = [x, 1n];
  for (; !Number.isInteger(numerator); numerator *= 2) denominator *= 2n;
  return { numerator: BigInt(numerator), denominator };
}
