import { type Entropy, secureEntropy } from '../random/entropy.js';
import { bernoulli } from '../random/exact.js';
import { capFor } from './amplification.js';
import { must, mustBePositive, mustBeShare, mustCount } from './checked.js';
import { mustAfford } from './max-runs.js';
import { mustBeRunCost, type RunCost, sumOfCosts } from './run-cost.js';
import { searchThreshold, type ThresholdSearchPlan, unboundedSearch } from './threshold-search.js';

export interface UnknownThresholdOptions {
  /** What one run of any candidate costs. */
  readonly run: RunCost;
  /** How many candidates there are. */
  readonly candidates: number;
  /** Thresholds are the multiples of 1/grid from 0 to 1; from 2 to 2^20. */
  readonly grid: number;
  /** What the search for a threshold costs, epsilon3; finite, greater than 0. */
  readonly searchEpsilon: number;
  /** How much further apart, in epsilons, samples of the search may be than the chances; strictly between 0 and 1. */
  readonly couplingSlack: number;
  /** What the cap on the runs after the search costs, epsilon0; greater than 0, at most 1. */
  readonly capSlack: number;
  /** The chance that samples of neighbours are further apart than is paid for; strictly between 0 and 1. */
  readonly delta: number;
  /** The chance of an answer that is worse than promised, or none; strictly between 0 and 1. */
  readonly beta: number;
  /** The largest number of runs. */
  readonly maxRuns: number;
}

/** What the combined algorithm will do, and what it costs. */
export interface UnknownThresholdPlan {
  readonly search: ThresholdSearchPlan;
  /** The chance to stop after a run that falls short. */
  readonly gamma: number;
  /** The largest number of runs after the search. */
  readonly cap: number;
  /** The largest number of runs of both steps. */
  readonly runs: number;
  /** The cost of the whole: 2*epsilon1 + epsilon3 + epsilon0 … */
  readonly epsilon: number;
  /** … with what the candidates themselves fail by. */
  readonly delta: number;
}

/**
 * Runs and cost of {@link selectAboveUnknown}. Source: Liu, Talwar (2019), Theorem 4.7; its own split of the budget needs 1e30
 * runs where one with a much larger `searchEpsilon` than `run.epsilon + couplingSlack` needs 1e7, so the three parts
 * are apart here. To choose at random when to stop is nearly always better.
 *
 * With K candidates and a share of 1/(2K), the threshold is at least the best candidate's median less 1/grid. Then a run
 * reaches it with the `leastChance` of the search, so that gamma = beta*leastChance leaves a chance of about beta for none.
 * The cap is ceil(max(ln(2/epsilon0)/gamma, 1 + 1/(e*gamma))) (Theorem 3.1).
 *
 * @throws ScumbleError `option_invalid`, `epsilon_invalid` or `delta_invalid`; with the number where more than `maxRuns` are
 *   needed.
 */
export function planUnknownThreshold(options: UnknownThresholdOptions): UnknownThresholdPlan {
  const { run, candidates, grid, searchEpsilon, couplingSlack, capSlack, delta, beta, maxRuns } = options;
  mustBeRunCost(run);
  mustCount('candidates', candidates);
  mustBePositive('searchEpsilon', searchEpsilon, 'epsilon_invalid');
  mustBeShare('couplingSlack', couplingSlack);
  must(capSlack > 0 && capSlack <= 1, 'capSlack', 'a number greater than 0 and at most 1', capSlack);
  mustCount('maxRuns', maxRuns);
  const { logSamples, logLeastChance, ...search } = unboundedSearch({
    ...{ run, grid, delta, beta },
    percentile: 1 / (2 * candidates),
    epsilon: searchEpsilon,
    slack: couplingSlack,
  });
  const gamma = beta * search.leastChance;
  const cap = capFor(gamma, capSlack);
  const logCap = Math.log(Math.max(Math.log(2 / capSlack), 1 / Math.E)) - Math.log(beta) - logLeastChance;
  const logRuns = Math.max(logSamples, logCap) + Math.log1p(Math.exp(-Math.abs(logSamples - logCap)));
  mustAfford('The combined algorithm', search.samples + cap, logRuns, maxRuns);
  const failing = run.delta / (gamma + run.delta * (1 - gamma));
  return Object.freeze({
    ...{ search: Object.freeze(search), gamma, cap, runs: search.samples + cap },
    epsilon: sumOfCosts(2 * run.epsilon, searchEpsilon, capSlack),
    delta: Math.min(1, sumOfCosts(search.delta, failing)),
  });
}

/** What one run of the candidates gives. */
export interface Scored<Output> {
  readonly output: Output;
  /** From 0 to 1. */
  readonly score: number;
}

/**
 * The combined algorithm: finds a threshold on one sample of runs, then runs afresh until a score reaches it. Source: Liu,
 * Talwar (2019), Theorem 4.7.
 *
 * Cost: that of the plan, (2*epsilon1 + epsilon3 + epsilon0, delta); the relation is that of the candidates. Why: the threshold
 * is as private as the search and is an input to thresholding, by basic composition. Runs of the search must not serve the
 * second step again.
 *
 * @param run one fresh run: a candidate drawn uniformly, its output and score.
 * @returns a run that reached the threshold; undefined when none did. How many runs there were is private.
 */
export async function selectAboveUnknown<Output>(
  plan: UnknownThresholdPlan,
  run: () => Scored<Output> | Promise<Scored<Output>>,
  entropy: Entropy = secureEntropy(),
): Promise<Scored<Output> | undefined> {
  const threshold = await searchThreshold(plan.search, async () => (await run()).score, entropy);
  for (let left = plan.cap; left > 0; left--) {
    const found = await run();
    if (found.score >= threshold) return found;
    if (bernoulli(entropy, plan.gamma)) return undefined;
  }
  return undefined;
}
