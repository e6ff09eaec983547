import { ScumbleError } from '../errors.js';
import { type Entropy, secureEntropy } from '../random/entropy.js';
import { aboveThreshold } from './above-threshold.js';
import { checkCount, checkPositive, checkShare } from './checks.js';
import { type Cost, checkCost, sumOfCosts } from './cost.js';
import { coupling } from './coupling.js';
import { computedSensitivity } from './log-odds.js';
import { checkMaxRuns } from './max-runs.js';

/** Options of {@link planSampledSparseVector}. */
export interface SampledSparseVectorOptions {
  /** What one run of any candidate costs. */
  readonly run: Cost;
  /** Which chance of passing counts as high, strictly between 0 and 1. */
  readonly percentile: number;
  /** The largest number of queries. */
  readonly queries: number;
  /** The cost of all answers together; finite, greater than 0 … */
  readonly epsilon: number;
  /** … and the chance that samples of neighbours are further apart than is paid for; strictly between 0 and 1. */
  readonly delta: number;
  /** How much further apart, in epsilons, samples may be than the chances; strictly between 0 and 1. */
  readonly slack: number;
  /** The chance that an answer is wrong by more than the noise is wide; strictly between 0 and 1. */
  readonly beta: number;
  /** The largest number of runs that all queries together may take. */
  readonly maxRuns: number;
}

/** What a sparse vector on samples will do, and what it costs. */
export interface SampledSparseVectorPlan {
  /** Runs for each query. */
  readonly samples: number;
  /** Runs for all queries: the most that there are. */
  readonly runs: number;
  /** What is added to counts, Delta. */
  readonly offset: number;
  /** How far the log odds of samples of neighbours may be apart. */
  readonly sensitivity: number;
  /** As in the options. */
  readonly percentile: number;
  /** As in the options. */
  readonly queries: number;
  /** The cost of the whole … */
  readonly epsilon: number;
  /** … with what the candidates themselves fail by. */
  readonly delta: number;
}

/**
 * Samples, offset and cost of {@link sampledSparseVector}. Source: Liu, Talwar (2019), Lemma 4.3 and Theorem 4.4, with the
 * constants of sparse-vector.proof.md. The number of runs is very large, and only utility depends on it.
 *
 * @throws ScumbleError `option_invalid`, `epsilon_invalid` or `delta_invalid`; also where more than `maxRuns` are needed.
 */
export function planSampledSparseVector(options: SampledSparseVectorOptions): SampledSparseVectorPlan {
  const { run, percentile, queries, epsilon, delta, slack, beta, maxRuns } = options;
  checkCost(run, 'run.');
  checkShare('percentile', percentile);
  checkCount('queries', queries);
  checkPositive('epsilon', epsilon, 'epsilon_invalid');
  checkShare('delta', delta, 'delta_invalid');
  checkShare('slack', slack);
  checkShare('beta', beta);
  checkCount('maxRuns', maxRuns);
  // Four events a query: counts and what is left of them, in both directions.
  const offset = coupling(slack, delta / (4 * queries));
  const sensitivity = 2 * (run.epsilon + slack);
  const logKappa = -slack + ((6 * sensitivity) / epsilon) * Math.log(beta / (queries + 1));
  const logSamples = Math.log((2 * offset) / Math.min(percentile, 1 - percentile)) - logKappa;
  const samples = Math.ceil(Math.exp(logSamples));
  const runs = samples * queries;
  checkMaxRuns('The sparse vector', runs, maxRuns, logSamples + Math.log(queries));
  return Object.freeze({
    ...{ samples, runs, offset, sensitivity, percentile, queries, epsilon },
    delta: Math.min(1, sumOfCosts(delta, runs * run.delta)),
  });
}

/** A sparse vector on candidates that are sampled. */
export interface SampledSparseVector {
  /**
   * Whether the chance of passing is above the percentile, by noisy comparison of a sample. The first `true` is the last
   * answer, and so is that of the last query planned.
   *
   * @param passes one fresh run of the candidate: whether its score reaches the threshold. Called as often as planned.
   * @throws ScumbleError `budget_exceeded` after the last answer.
   */
  next(passes: () => boolean | Promise<boolean>): Promise<boolean>;
}

/**
 * The sparse vector on percentiles of private candidates, each known by a sample of runs: halts at the first candidate whose
 * chance of passing is above the percentile. Source: Liu, Talwar (2019), Theorem 4.4.
 *
 * Cost: that of the plan, (epsilon, delta); the relation is that of the candidates. Why: save with probability delta, counts
 * of neighbours, each with Delta added, are a factor e^(epsilon1 + slack) apart, also when drawn independently, so the log
 * odds of a sample are a query of sensitivity 2*(epsilon1 + slack) (sparse-vector.proof.md).
 */
export function sampledSparseVector(
  plan: SampledSparseVectorPlan,
  entropy: Entropy = secureEntropy(),
): SampledSparseVector {
  const { samples, offset, percentile } = plan;
  const odds = (passing: number) => Math.log(passing + offset) - Math.log(samples - passing + offset);
  const vector = aboveThreshold(
    {
      sensitivity: computedSensitivity(plan.sensitivity),
      threshold: odds(samples * percentile),
      epsilon: plan.epsilon,
    },
    entropy,
  );
  let left = plan.queries;
  return {
    async next(passes) {
      if (left-- <= 0)
        throw new ScumbleError('budget_exceeded', 'The sparse vector has had its last query; start a new one.');
      let passing = 0;
      for (let i = 0; i < samples; i++) if (await passed(passes)) passing++;
      const above = vector.next(odds(passing));
      if (above) left = 0;
      return above;
    },
  };
}

/** A run that fails does not pass: told by the run alone, like any other outcome. */
async function passed(passes: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await passes();
  } catch {
    return false;
  }
}
