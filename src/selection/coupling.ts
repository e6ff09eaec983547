/** Covers the handful of roundings in an offset. */
const generous = 1 + 2 ** -40;

/**
 * The offset Delta for counts of runs that pass. With it, for independent counts X and Y of equally many runs on neighbouring
 * data, `X + Delta <= e^(epsilon1 + slack)*(Y + Delta)` but for a probability `chance`; and each count plus Delta is within a factor
 * e^(slack/2) of its mean plus Delta, up or down, but for half of that. Liu, Talwar (2019), Lemma 4.3; theirs is smaller where slack
 * is much smaller than epsilon1, and there too small for the second (sparse-vector.proof.md). Any larger offset serves as well.
 */
export function coupling(slack: number, chance: number): number {
  return ((2 * Math.log(2 / chance)) / (slack * -Math.expm1(-slack / 2))) * generous;
}
