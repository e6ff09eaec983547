import { type Entropy, secureEntropy } from '../random/entropy.js';
import { aboveThreshold } from './above-threshold.js';
import type { ScoreRange } from './candidate.js';
import { check, checkCount, checkPositive, checkShare } from './checks.js';
import { type Cost, checkCost, sumOfCosts } from './cost.js';
import { coupling } from './coupling.js';
import { gridThreshold, reached } from './grid-threshold.js';
import { computedSensitivity } from './log-odds.js';
import { checkMaxRuns } from './max-runs.js';

/** Options of {@link planThresholdSearch}. */
export interface ThresholdSearchOptions {
  /** What one run of any candidate costs. */
  readonly run: Cost;
  /** The share of runs that shall reach the threshold, strictly between 0 and 1. */
  readonly percentile: number;
  /** Thresholds divide the range of scores in so many equal parts; from 2 to 2^20. */
  readonly grid: number;
  /** The cost of the search; finite, greater than 0 … */
  readonly epsilon: number;
  /** … and the chance that samples of neighbours are further apart than is paid for; strictly between 0 and 1. */
  readonly delta: number;
  /** How much further apart, in epsilons, samples may be than the chances; strictly between 0 and 1. */
  readonly slack: number;
  /** The chance of a threshold that is too low, or too high; strictly between 0 and 1. */
  readonly beta: number;
  /** The largest number of runs. */
  readonly maxRuns: number;
}

/** What a search for a threshold will do, and what it costs. */
export interface ThresholdSearchPlan {
  /** Runs, N. */
  readonly samples: number;
  /** What is added to counts, Delta. */
  readonly offset: number;
  /** How far the logarithms of counts of neighbours may be apart, S. */
  readonly sensitivity: number;
  /** How far the level is lowered so that the search is not too late, Lambda. */
  readonly lead: number;
  /** As in the options. */
  readonly percentile: number;
  /** As in the options. */
  readonly grid: number;
  /** A run reaches the threshold found with at least this chance, but for a probability of beta + delta/4. */
  readonly leastChance: number;
  /** The cost of the search … */
  readonly epsilon: number;
  /** … with what the candidates themselves fail by. */
  readonly delta: number;
}

/** A count is kept for each threshold. */
const mostGrid = 2 ** 20;

/** The plan of a search, and the logarithm of its number of runs, which may be far more than a double holds. */
export interface UnboundedSearch extends ThresholdSearchPlan {
  readonly logSamples: number;
  readonly logLeastChance: number;
}

/** As {@link planThresholdSearch}, however many runs it needs. */
export function unboundedSearch(options: Omit<ThresholdSearchOptions, 'maxRuns'>): UnboundedSearch {
  const { run, percentile, grid, epsilon, delta, slack, beta } = options;
  checkCost(run, 'run.');
  checkShare('percentile', percentile);
  check('grid', Number.isInteger(grid) && grid >= 2 && grid <= mostGrid, `a whole number from 2 to ${mostGrid}`, grid);
  checkPositive('epsilon', epsilon, 'epsilon_invalid');
  checkShare('delta', delta, 'delta_invalid');
  checkShare('slack', slack);
  checkShare('beta', beta);
  // Two events a threshold: the counts, in both directions.
  const offset = coupling(slack, delta / (2 * grid));
  const sensitivity = run.epsilon + slack;
  const width = (6 * sensitivity) / epsilon;
  // How far apart the level and a chance that passes may be, in logarithms.
  const spread = width * (Math.log(grid + 1) - 2 * Math.log(beta));
  const logSamples = Math.log((3 * offset) / percentile) + slack / 2 + spread;
  const logLeastChance =
    Math.log(Math.exp(-slack / 2) * (Math.exp(-slack / 2) - 1 / 3)) - spread + Math.log(percentile);
  const samples = Math.ceil(Math.exp(logSamples));
  return {
    ...{ samples, offset, sensitivity, percentile, grid, epsilon, logSamples, logLeastChance },
    lead: slack / 2 - width * Math.log(beta),
    leastChance: Math.exp(logLeastChance),
    delta: Math.min(1, sumOfCosts(delta, samples * run.delta)),
  };
}

/**
 * Samples, offset and cost of {@link searchThreshold}. Source: Liu, Talwar (2019), Theorem 4.6, with the constants of
 * sparse-vector.proof.md.
 *
 * @throws ScumbleError `option_invalid`, `epsilon_invalid` or `delta_invalid`; also where more than `maxRuns` are needed.
 */
export function planThresholdSearch({ maxRuns, ...options }: ThresholdSearchOptions): ThresholdSearchPlan {
  const { logSamples, logLeastChance: _, ...plan } = unboundedSearch(options);
  checkCount('maxRuns', maxRuns);
  checkMaxRuns('The search for a threshold', plan.samples, maxRuns, logSamples);
  return Object.freeze(plan);
}

/**
 * Finds, privately, a threshold near the largest that a share `percentile` of all runs reach, on a grid over the range of scores.
 * Source: Liu, Talwar (2019), Theorem 4.6: one sample serves all thresholds, from the largest downwards, until a sparse
 * vector finds the share that passes large enough; the least score is the answer when none is.
 *
 * Cost: that of the plan, (epsilon, delta); the relation is that of the candidates. Why: as for `sampledSparseVector`, with
 * ln(N*share + Delta) as the query; it only rises as the threshold falls, which is why one side is enough: the
 * sensitivity is epsilon1 + slack. A union bound over thresholds needs no independence, so the sample is used again.
 *
 * @param scores of as many fresh runs of the candidates as planned; what is below the range or NaN reaches no threshold.
 * @returns a threshold: a run counted for it if and only if its score is at least that double.
 * @throws ScumbleError `option_invalid` when the number of scores is not that of the plan.
 */
export function searchThreshold(
  plan: ThresholdSearchPlan,
  scores: ArrayLike<number>,
  range: ScoreRange = { min: 0, max: 1 },
  entropy: Entropy = secureEntropy(),
): number {
  check('scores', scores.length === plan.samples, `a list of ${plan.samples} numbers`, `one of ${scores.length}`);
  const thresholds = Float64Array.from({ length: plan.grid + 1 }, (_, k) => gridThreshold(k, plan.grid, range));
  const counts = Array<number>(plan.grid + 1).fill(0);
  for (let i = 0; i < plan.samples; i++) counts[reached(scores[i], thresholds)]++;
  return thresholds[thresholdFor(plan, counts, entropy)];
}

/** The number k of the threshold found, from how many runs reached each threshold and no higher one. */
export function thresholdFor(plan: ThresholdSearchPlan, counts: readonly number[], entropy: Entropy): number {
  const { samples, offset, sensitivity, lead, percentile, grid, epsilon } = plan;
  const vector = aboveThreshold(
    {
      sensitivity: computedSensitivity(sensitivity),
      threshold: Math.log(samples * percentile + offset) - lead,
      epsilon,
    },
    entropy,
  );
  let passing = 0;
  for (let k = grid; k >= 1; k--) {
    passing += counts[k];
    if (vector.next(Math.log(passing + offset))) return k;
  }
  return 0;
}
