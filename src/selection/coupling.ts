/** Covers the handful of roundings in an offset. */
const generous = 1 + 2 ** -40;

/**
 * The offset Delta for counts of independent samples: X + Delta <= e^(epsilon1 + slack)*(Y + Delta) but for a probability
 * `chance`, when X and Y count how many of equally many runs pass on neighbouring data, independently. Liu, Talwar (2019),
 * Lemma 4.3; the constant is smaller than theirs, and any larger offset serves as well (sparse-vector.proof.md). The second
 * bound is for utility alone: from Delta on, a count and its mean are within e^(slack/2) of each other.
 */
export function coupling(runEpsilon: number, slack: number, chance: number): number {
  const apart = runEpsilon + slack;
  const log = Math.log(2 / chance);
  const privacy = (2 * log) / (slack * Math.tanh(apart / 2)); // tanh(a/2) = (e^a - 1)/(e^a + 1)
  const utility = (2 * log) / (slack * -Math.expm1(-slack / 2));
  return Math.max(privacy, utility) * generous;
}
