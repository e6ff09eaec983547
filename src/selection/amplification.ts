import { checkCapSlack, checkShare } from './checks.js';
import { geometricCount } from './geometric.js';
import { largestGamma } from './parameters.js';
import { randomStopping } from './random-stopping.js';
import type { StoppingRule } from './stopping-rule.js';
import { threshold, thresholdCap } from './threshold.js';

/** Options of {@link amplifyBest}. */
export interface AmplifyOptions {
  /** The chance that one run is good; strictly between 0 and 1. */
  readonly chance: number;
  /** The chance that the answer is not; strictly between 0 and 1. */
  readonly beta: number;
}

/**
 * Repeats a private algorithm that is good with some chance until it is good but for `beta`, when nobody knows how good is
 * good: the best of a random number of runs. Gupta, Ligett, McSherry, Roth, Talwar (2010) needed the square of as many runs.
 *
 * Cost: that of {@link randomStopping}, at most three times that of a run with its quality; the relation is that of the algorithm. Gamma
 * is the largest with which no run is good with probability at most beta, `gamma*(1 - chance)/(gamma + chance - gamma*chance)`.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function amplifyBest({ chance, beta }: AmplifyOptions): StoppingRule {
  checkShare('chance', chance);
  checkShare('beta', beta);
  return randomStopping({ gamma: largestGamma('beta', beta, chance, geometricCount) });
}

/** Options of {@link amplifyUntilGood}. */
export interface AmplifyUntilGoodOptions extends AmplifyOptions {
  /** The score from which on a run is good; public. */
  readonly tau: number;
  /** What the cap on the runs costs; greater than 0, at most 1. */
  readonly capSlack: number;
}

/**
 * The same when it is public from which score on a run is good: the first such run.
 *
 * Cost: that of {@link threshold} with a cap, at most twice that of a run and `capSlack`. The chance of no answer is at most beta.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function amplifyUntilGood({ chance, beta, tau, capSlack }: AmplifyUntilGoodOptions): StoppingRule {
  checkShare('chance', chance);
  checkShare('beta', beta);
  checkCapSlack(capSlack);
  const capOf = (gamma: number) => thresholdCap(gamma, capSlack);
  const gamma = largestGamma('beta', beta, chance, (at) => geometricCount(at, capOf(at)));
  return threshold({ tau, gamma, cap: capOf(gamma) });
}
