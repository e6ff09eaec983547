/**
 * Odds of more than e^1024 count as e^1024, and the inverse likewise: a bound that moves no two values apart, and under which
 * rounding is small in absolute terms.
 */
const most = 1024;

/**
 * How far a computed log odds or logarithm of a count may be from the true one: 2^-38, twice what logarithms within
 * 2^-50 of themselves give, of which those that are not cut off are below 2^11.
 */
const rounding = 2 ** -38;

/** ln(p/(1 - p)) from ln p and ln(1 - p), within 1024 either side of 0 or infinite. */
export function logOdds(logChance: number, logRest: number): number {
  const odds = logChance - logRest;
  return Number.isFinite(odds) ? Math.min(Math.max(odds, -most), most) : odds;
}

/** A sensitivity of true logarithms as one of the computed ones, rounded up. */
export function computedSensitivity(sensitivity: number): number {
  return (sensitivity + 2 * rounding) * (1 + 2 ** -50);
}
