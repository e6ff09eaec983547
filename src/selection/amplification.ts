import { must, mustBePositive, mustBeShare } from './checked.js';
import { sumOfCosts } from './run-cost.js';

/** How often to repeat a private algorithm, and what that costs. */
export interface Repetition {
  /** The chance to stop after a run that is not the last. */
  readonly gamma: number;
  /** The largest number of runs; infinite without a cap. */
  readonly cap: number;
  /** At least the expected number of runs. */
  readonly expectedRuns: number;
  /** The cost of the whole. */
  readonly epsilon: number;
}

export interface RepetitionOptions {
  /** What one run costs, pure, with the computation of its quality; finite, greater than 0. */
  readonly runEpsilon: number;
  /** The chance that one run is good; strictly between 0 and 1. */
  readonly chance: number;
  /** The chance that the answer is not; strictly between 0 and 1. */
  readonly beta: number;
}

/**
 * Repeats a private algorithm that is good with some chance until it is good but for `beta`, when nobody knows how good is
 * good: the best of a random number of runs. Gupta, Ligett, McSherry, Roth, Talwar (2010) needed the square of as many runs.
 *
 * Cost: 3*epsilon1 (Liu, Talwar 2019, Theorem 3.2); the relation is that of the algorithm. With gamma = beta*chance the chance
 * that no run is good is gamma*(1 - chance)/(gamma + chance - gamma*chance), at most beta.
 *
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function amplifyBest(options: RepetitionOptions): Repetition {
  const { runEpsilon, chance, beta } = checked(options);
  const gamma = beta * chance;
  return Object.freeze({
    ...{ gamma, cap: Number.POSITIVE_INFINITY, expectedRuns: 1 / gamma },
    epsilon: sumOfCosts(2 * runEpsilon, runEpsilon),
  });
}

/**
 * The same when it is public from which quality on a run is good: the first such run.
 *
 * Cost: 2*epsilon1 + capSlack (Liu, Talwar 2019, Theorem 3.1). With gamma = beta*chance/(1 + capSlack/2) the chance of no
 * answer is at most beta.
 *
 * @param options with `capSlack`, greater than 0 and at most 1: what the cap costs.
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function amplifyUntilGood(options: RepetitionOptions & { readonly capSlack: number }): Repetition {
  const { runEpsilon, chance, beta } = checked(options);
  const { capSlack } = options;
  must(capSlack > 0 && capSlack <= 1, 'capSlack', 'a number greater than 0 and at most 1', capSlack);
  const gamma = (beta * chance) / (1 + capSlack / 2);
  return Object.freeze({
    ...{ gamma, cap: capFor(gamma, capSlack), expectedRuns: 1 / chance },
    epsilon: sumOfCosts(2 * runEpsilon, capSlack),
  });
}

function checked(options: RepetitionOptions): RepetitionOptions {
  mustBePositive('runEpsilon', options.runEpsilon, 'epsilon_invalid');
  mustBeShare('chance', options.chance);
  mustBeShare('beta', options.beta);
  return options;
}

/** The least cap on the runs of thresholding that costs no more than this slack (Liu, Talwar 2019, Theorem 3.1). */
export function capFor(gamma: number, slack: number): number {
  return Math.ceil(Math.max(Math.log(2 / slack) / gamma, 1 + 1 / (Math.E * gamma)));
}
