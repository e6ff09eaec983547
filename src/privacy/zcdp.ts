/**
 * The natural logarithm of the least delta that rho-zCDP is known to give at an epsilon. Canonne, Kamath, Steinke, "The
 * Discrete Gaussian for Differential Privacy" (2020), Proposition 12: every order alpha > 1 gives one,
 * exp((alpha-1)*(alpha*rho - epsilon)) / (alpha-1) * (1 - 1/alpha)^alpha, and the logarithm is convex in alpha. That a
 * minimum is found inexactly makes delta larger, never too small.
 */
function logDelta(rho: number, epsilon: number): number {
  // In terms of a = alpha - 1, which may be tiny. The slope grows from minus infinity.
  const slope = (a: number) => (2 * a + 1) * rho - epsilon - Math.log1p(1 / a);
  let low = 1e-300;
  let high = 1;
  while (slope(high) < 0) high *= 2;
  while (high > low * (1 + 1e-12)) {
    const mid = Math.sqrt(low) * Math.sqrt(high);
    if (slope(mid) < 0) low = mid;
    else high = mid;
  }
  const a = high;
  return a * ((a + 1) * rho - epsilon) - Math.log(a) - (a + 1) * Math.log1p(1 / a);
}

/** Covers the rounding of {@link logDelta}, so that no conversion promises too much. */
const margin = 1e-9;
/** Searches end this close, relatively, and on the safe side. */
const tolerance = 1e-9;

/** A delta for which rho-zCDP implies (epsilon, delta)-DP. */
export function zcdpDelta(rho: number, epsilon: number): number {
  return Math.min(1, Math.exp(logDelta(rho, epsilon) + margin));
}

/** An epsilon for which rho-zCDP implies (epsilon, delta)-DP, 0 < delta < 1. */
export function zcdpEpsilon(rho: number, delta: number): number {
  let low = 0;
  let high = rho + 2 * Math.sqrt(rho * -Math.log(delta)); // Bun, Steinke 2016, Proposition 1.3
  while (high - low > high * tolerance) {
    const mid = (low + high) / 2;
    if (logDelta(rho, mid) + margin <= Math.log(delta)) high = mid;
    else low = mid;
  }
  return high * (1 + tolerance);
}

/** A rho, near the largest, for which rho-zCDP implies (epsilon, delta)-DP, 0 < delta < 1. */
export function zcdpRho(epsilon: number, delta: number): number {
  const root = Math.sqrt(epsilon - Math.log(delta)) + Math.sqrt(-Math.log(delta));
  let low = (epsilon / root) ** 2 * (1 - tolerance); // the inverse of Bun's and Steinke's
  let high = 2 * low;
  const holds = (rho: number) => logDelta(rho, epsilon) + margin <= Math.log(delta);
  while (holds(high)) high *= 2;
  while (high > low * (1 + tolerance)) {
    const mid = (low + high) / 2;
    if (holds(mid)) low = mid;
    else high = mid;
  }
  return low;
}
