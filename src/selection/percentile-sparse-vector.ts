import { type Entropy, secureEntropy } from '../random/entropy.js';
import { type AboveThreshold, aboveThreshold } from './above-threshold.js';
import { checkPositive, checkShare } from './checks.js';
import { computedSensitivity, logOdds } from './log-odds.js';

/** Options of {@link percentileSparseVector}. */
export interface PercentileSparseVectorOptions {
  /**
   * What one run of any candidate costs, pure; finite, greater than 0. With a delta the logarithm of a chance could jump, and
   * nothing below would hold.
   */
  readonly runEpsilon: number;
  /** Which chance of passing counts as high, strictly between 0 and 1. */
  readonly percentile: number;
  /** The cost of all answers together; finite, greater than 0. */
  readonly epsilon: number;
}

/** A sparse vector on candidates whose chances are known. */
export interface PercentileSparseVector {
  /**
   * Whether the chance of passing, p, is above the percentile, by noisy comparison. The first `true` is the last answer.
   *
   * @param logChance ln p, minus infinity only where p is 0 for every data set that is a neighbour of a neighbour … of this.
   * @param logRest ln(1 - p), by itself and not from p: both within 2^-50 of themselves.
   * @throws ScumbleError `budget_exceeded` after the first `true`.
   */
  next(logChance: number, logRest: number): boolean;
}

/**
 * The sparse vector on percentiles of private candidates, for who knows each chance p = P(score >= tau) exactly: halts at
 * the first candidate whose p is above the percentile. Source: Liu, Talwar, "Private Selection from Private Candidates"
 * (2019), Theorem 4.1.
 *
 * Cost: epsilon, pure; the relation is that of the candidates. Why: of an epsilon1-DP candidate ln p and ln(1 - p) each move by
 * at most epsilon1, so the log odds are a query of sensitivity 2*epsilon1 (sparse-vector.proof.md). The percentile itself, without
 * noise, has an infinite loss.
 *
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function percentileSparseVector(
  options: PercentileSparseVectorOptions,
  entropy: Entropy = secureEntropy(),
): PercentileSparseVector {
  const { runEpsilon, percentile, epsilon } = options;
  checkPositive('runEpsilon', runEpsilon, 'epsilon_invalid');
  checkShare('percentile', percentile);
  const vector: AboveThreshold = aboveThreshold(
    {
      sensitivity: computedSensitivity(2 * runEpsilon),
      threshold: logOdds(Math.log(percentile), Math.log1p(-percentile)),
      epsilon,
    },
    entropy,
  );
  return { next: (logChance, logRest) => vector.next(logOdds(logChance, logRest)) };
}
