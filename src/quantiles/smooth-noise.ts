/** Noise for the quantile at hand: it adds `smooth sensitivity / admissible * Z`, Z Laplace log-normal. */
export interface SmoothNoise {
  /** t of the smooth sensitivity. */
  readonly smoothness: number;
  /** The shift in units of the noise, per smooth sensitivity, that the noise hides: alpha or s. */
  readonly admissible: number;
  /** Deviation of the log-normal factor; 0 for plain Laplace noise. */
  readonly sigma: number;
}

/** What the rounding of sensitivities, each within 2^-42, may add to a smoothness. */
const slack = 2 ** -40;
/** A smaller smoothness is refused: its slack would be a share of it, and its window of ranks endless. */
const leastSmoothness = 2 ** -30;
/** Far above the least normal double, where roundings are not shares any more. */
const leastAdmissible = 2 ** -500;
/** Covers the handful of roundings in a parameter. */
const shy = 1 - 2 ** -40;

/**
 * Laplace noise for one (epsilon, delta)-DP quantile: alpha = epsilon/2, and beta the smaller of epsilon/(2*ln(2/delta)) (Nissim,
 * Raskhodnikova, Smith 2007, Lemma 2.9) and the largest with (e^beta - 1)*ln(1/delta) - beta <= epsilon/2, without which
 * the claim fails for large epsilon (smooth.proof.md). Undefined when epsilon is too small.
 */
export function laplaceFor(epsilon: number, delta: number): SmoothNoise | undefined {
  const needed = (beta: number) => Math.expm1(beta) * -Math.log(delta) - beta;
  let [low, high] = [0, epsilon / (2 * Math.log(2 / delta))];
  if (needed(high) > epsilon / 2)
    while (high - low > 2 ** -30 * high) {
      const mid = (low + high) / 2;
      if (needed(mid) > epsilon / 2) high = mid;
      else low = mid;
    }
  else low = high;
  const smoothness = Math.min(low, epsilon / 2) * shy - 2 * slack;
  return smoothness >= leastSmoothness ? { smoothness, admissible: (epsilon / 2) * shy, sigma: 0 } : undefined;
}

/**
 * Laplace log-normal noise for one (epsilon^2/2)-zCDP quantile: epsilon = t/sigma + e^(1.5*sigma^2)*s (Bun, Steinke,
 * "Average-Case Averages", 2019). Sigma makes the variance least: the root of 5*(epsilon/t)*sigma^3 - 5*sigma^2 - 1 = 0,
 * in closed form for u = 1/sigma, u^3 + 5*u = 5*epsilon/t. Undefined when epsilon or t is too small, or t so large that nothing is left for the shift.
 */
export function logNormalFor(epsilon: number, smoothness: number): SmoothNoise | undefined {
  const sigma = bestSigma(epsilon, smoothness);
  const admissible = Math.exp(-1.5 * sigma ** 2) * (epsilon * shy - (smoothness + 2 * slack) / sigma) * shy;
  return smoothness >= leastSmoothness && admissible >= leastAdmissible ? { smoothness, admissible, sigma } : undefined;
}

/** The sigma that makes the noise of a given t narrowest. */
export function bestSigma(epsilon: number, smoothness: number): number {
  const third = Math.asinh(1.5 * (epsilon / smoothness) * Math.sqrt(3 / 5)) / 3;
  return 1 / (2 * Math.sqrt(5 / 3) * Math.sinh(third));
}
