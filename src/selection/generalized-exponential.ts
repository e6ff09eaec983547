import { type Entropy, secureEntropy } from '../random/entropy.js';
import { drawLaplace } from '../random/exponential.js';
import { difference, fractionOf, product, quotient } from '../random/fraction.js';
import { checkCount, checkPositive, checkShare } from './checks.js';
import { noisyOnGrid } from './score-grid.js';

/** Options of {@link planGeneralizedExponential}. */
export interface GeneralizedExponentialOptions {
  /** How many candidates there are, each as likely to be run. */
  readonly candidates: number;
  /** What one run costs; finite, greater than 0. */
  readonly runEpsilon: number;
  /** A third of the chance that the answer is worse than promised; strictly between 0 and 1. */
  readonly beta: number;
}

/** How to choose among scores of different sensitivities. */
export interface GeneralizedExponentialPlan {
  /** The chance to stop after a run, for random stopping. */
  readonly gamma: number;
  /** More runs than this have at most probability beta. */
  readonly draws: number;
  /** By how many sensitivities each score is lowered, c. */
  readonly shift: number;
}

/**
 * The generalised exponential mechanism: a score that is lowered by c times its own sensitivity, with noise of that
 * sensitivity, chosen by random stopping. Source: Liu, Talwar (2019); Raskhodnikova, Smith (2016) for the problem.
 *
 * Cost: that of random stopping over candidates of `runEpsilon`. But for a probability of 3*beta the score of the answer
 * is at least max over i of (score_i - c*sensitivity_i): the error goes with the sensitivity of the best, where without the shift
 * the wildest candidate wins by its noise (sparse-vector.proof.md). With equal sensitivities the exponential mechanism is better.
 *
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function planGeneralizedExponential(options: GeneralizedExponentialOptions): GeneralizedExponentialPlan {
  const { candidates, runEpsilon, beta } = options;
  checkCount('candidates', candidates);
  checkPositive('runEpsilon', runEpsilon, 'epsilon_invalid');
  checkShare('beta', beta);
  const { gamma, draws } = stoppingFor(candidates, beta);
  return Object.freeze({ gamma, draws, shift: Math.log(draws / (2 * beta)) / runEpsilon });
}

/** Random stopping that runs each of the candidates with noise of the right sign, and runs not too long, but for beta each. */
export function stoppingFor(candidates: number, beta: number): { gamma: number; draws: number } {
  const gamma = beta / (2 * candidates);
  return { gamma, draws: Math.ceil(-Math.log(beta) / gamma) };
}

/**
 * One run of a candidate: its score on the private data, lowered by `shift` sensitivities, with Laplace noise.
 *
 * Cost: `runEpsilon`, pure; the relation is that of the sensitivity. The noise is exact, rounded once to a public grid.
 *
 * @param score on the private data. Not finite counts as minus infinity, as it does for every neighbour.
 * @param sensitivity the public bound of how far neighbours move the computed score; finite, greater than 0.
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function generalizedScore(
  score: number,
  sensitivity: number,
  { runEpsilon, shift }: { readonly runEpsilon: number; readonly shift: number },
  entropy: Entropy = secureEntropy(),
): number {
  checkPositive('sensitivity', sensitivity);
  checkPositive('runEpsilon', runEpsilon, 'epsilon_invalid');
  if (!Number.isFinite(score)) return Number.NEGATIVE_INFINITY;
  const reach = fractionOf(sensitivity);
  const centre = difference(fractionOf(score), product(fractionOf(shift), reach));
  return noisyOnGrid(centre, quotient(reach, fractionOf(runEpsilon)), drawLaplace(entropy));
}
