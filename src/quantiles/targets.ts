/** A real number held exactly: a whole number and a fraction in [0, 1) with 53 bits. */
export interface Exact {
  readonly whole: number;
  readonly fraction: number;
}

const scale = 2 ** 53;

/** A quantile as the nearest multiple of 2^-53: the mechanism's targets q*n and gaps are then exact for every n. */
export function gridQuantile(q: number): bigint {
  return BigInt(Math.round(q * scale));
}

/** The differences q_j - q_{j-1} for j = 1 … m+1 with q_0 = 0 and q_{m+1} = 1, in units of 2^-53. */
export function gaps(quantiles: readonly bigint[]): bigint[] {
  return [...quantiles, BigInt(scale)].map((q, j) => q - (j === 0 ? 0n : quantiles[j - 1]));
}

/** share*n, exactly; share in units of 2^-53. */
export function times(share: bigint, n: number): Exact {
  const product = share * BigInt(n);
  return { whole: Number(product >> 53n), fraction: Number(product & (BigInt(scale) - 1n)) / scale };
}
