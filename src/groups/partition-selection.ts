import { discreteLaplace } from '../random/discrete-laplace.js';
import type { Entropy } from '../random/entropy.js';
import type { Noise } from '../random/noise.js';
import { pauses } from '../slices.js';

/** Which groups of those that are found may be named. */
export interface PartitionSelection {
  /** The noise that is added to the size of a group. */
  readonly noise: Noise;
  /** A group is listed where its noisy size is at least this. */
  readonly threshold: number;
  /** The law: the probability that a group of so many records (or units) is listed. */
  chance(size: number): number;
}

/** The denominator of the rates of the noise; a rate loses less than 2^-40 to it. */
const grain = 2 ** 40;

/** Covers the rounding of logarithms of tails, so that no threshold promises too much. */
const margin = 1e-9;

/**
 * Partition selection by a noisy threshold (Korolova, Kenthapadi, Mishra, Ntoulas, "Releasing search queries and clicks
 * privately", WWW 2009; here with the discrete Laplace law). A group of c >= 1 records is listed if c + Z >= threshold, with
 * P(Z = z) proportional to exp(-epsilon*|z|) drawn for each group by itself. A group without records is never listed.
 *
 * Theorem: the list is (epsilon, delta)-DP under add-remove of a record that is in one group at most. Let D' have one
 * record more than D, in group g. Either g holds records in D: then the same groups get noise, only the size of g differs,
 * by 1, and the list is post-processing of counts that are epsilon-DP. Or g is empty in D: with the same noise for all
 * other groups the lists agree unless g is listed, which has the probability P(1 + Z >= threshold) <= delta, so no event
 * differs by more than delta. The threshold is the least whole number for which this holds, the mass at the threshold
 * itself counted: P(Z >= k) = p^k/(1 + p) with p = exp(-epsilon), for k >= 0.
 *
 * What is released of the listed groups adds its epsilon in the first case and nothing in the second: a mechanism that
 * spends (e, d) on each is, with the list, (epsilon + e, max(delta, d))-DP.
 *
 * @param epsilon at least 2^-40.
 * @param delta greater than 0 and less than 1.
 */
export function partitionSelection(epsilon: number, delta: number): PartitionSelection {
  const s = Math.floor(epsilon * grain); // a scaling by a power of two is exact, so the rate is at most epsilon
  const rate = s / grain;
  const threshold = 1 + leastShift(rate, Math.log(delta) - margin);
  const atLeast = (k: number) => Math.exp(logTail(rate, k));
  return {
    noise: discreteLaplace(s, grain),
    threshold,
    chance: (size) => (size < 1 ? 0 : size < threshold ? atLeast(threshold - size) : 1 - atLeast(size - threshold + 1)),
  };
}

/** ln P(Z >= k), k >= 0. */
function logTail(rate: number, k: number): number {
  return -k * rate - Math.log1p(Math.exp(-rate));
}

/** The least whole k >= 0 with ln P(Z >= k) <= logDelta. */
function leastShift(rate: number, logDelta: number): number {
  let k = Math.max(0, Math.floor((-logDelta - Math.log1p(Math.exp(-rate))) / rate) - 1);
  while (logTail(rate, k) > logDelta) k++;
  return k;
}

/** The places of the groups that are listed, in the order of `places`; each group that holds records draws once. */
export async function selected(
  { noise, threshold }: PartitionSelection,
  sizes: readonly number[],
  places: readonly number[],
  entropy: Entropy,
  signal?: AbortSignal,
): Promise<number[]> {
  const pause = pauses(signal);
  const listed: number[] = [];
  for (const place of places) {
    await pause();
    if (sizes[place] >= 1 && sizes[place] + noise.draw(entropy) >= threshold) listed.push(place);
  }
  return listed;
}
