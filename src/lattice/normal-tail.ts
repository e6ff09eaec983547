/**
 * The upper tail of the standard normal law, to about 1e-4 of itself: a rational form near zero (Abramowitz and Stegun
 * 7.1.26), a continued fraction far out.
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const x = z / Math.SQRT2;
  if (x > 2)
    return Math.exp(-x * x) / (2 * Math.sqrt(Math.PI) * (x + 0.5 / (x + 1 / (x + 1.5 / (x + 2 / (x + 2.5 / x))))));
  const t = 1 / (1 + 0.3275911 * x);
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return (poly * Math.exp(-x * x)) / 2;
}
