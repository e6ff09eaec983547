import { ScumbleError } from '../errors.js';
import { checkCapSlack, checkCount, checkPositive, checkShare } from './checks.js';
import { type Cost, checkCost, sumOfCosts } from './cost.js';
import { geometricCount } from './geometric.js';
import { checkMaxRuns } from './max-runs.js';
import { largestGamma } from './parameters.js';
import type { StoppingRule } from './stopping-rule.js';
import { threshold, thresholdCap } from './threshold.js';
import { searchThreshold, unboundedSearch } from './threshold-search.js';

/** Options of {@link unknownThreshold}. */
export interface UnknownThresholdOptions {
  /** What one run of any candidate costs. */
  readonly run: Cost;
  /** How many candidates there are. */
  readonly candidates: number;
  /** Thresholds divide the range of scores in so many equal parts; from 2 to 2^20. */
  readonly grid: number;
  /** What the search for a threshold costs, epsilon3; finite, greater than 0. */
  readonly searchEpsilon: number;
  /** How much further apart, in epsilons, samples of the search may be than the chances; strictly between 0 and 1. */
  readonly couplingSlack: number;
  /** What the cap on the runs after the search costs, epsilon0; greater than 0, at most 1. */
  readonly capSlack: number;
  /** The chance that samples of neighbours are further apart than is paid for; strictly between 0 and 1. */
  readonly delta: number;
  /** The chance of no answer, where the search went well, and of a search that did not; strictly between 0 and 1. */
  readonly beta: number;
  /** The largest number of runs, at most 2^30. A rule that may need more is refused, with the number. */
  readonly maxRuns: number;
}

/** The scores of the search are held in memory. */
const mostRuns = 2 ** 30;

/**
 * The combined algorithm: finds a threshold on one sample of runs, then runs afresh until a score reaches it. Source: Liu,
 * Talwar (2019), Theorem 4.7; its own split of the budget needs 1e30 runs where one with a much larger `searchEpsilon`
 * than `run.epsilon + couplingSlack` needs 1e7, so the three parts are apart here. Random stopping is nearly always better.
 *
 * Cost: that of the search, and that of {@link threshold} with the gamma and the cap; at most (2*epsilon1 + epsilon3 + epsilon0). Why:
 * the threshold is as private as the search and is an input to thresholding, by basic composition; runs of the search
 * do not serve again. The delta is that of both, with one delta of a run for each run of the search (sparse-vector.proof.md).
 *
 * With K candidates and a share of 1/(2K), the threshold is at least the best candidate's median less one step of the grid. Then
 * a run reaches it with the `leastChance` of the search, and gamma is the largest that leaves a chance of beta for no answer.
 *
 * @throws ScumbleError `option_invalid`, `epsilon_invalid` or `delta_invalid`; with the number where more than `maxRuns` may
 *   be needed.
 */
export function unknownThreshold(options: UnknownThresholdOptions): StoppingRule {
  const { run, candidates, grid, searchEpsilon, couplingSlack, capSlack, delta, beta, maxRuns } = options;
  checkCost(run, 'run.');
  checkCount('candidates', candidates);
  checkPositive('searchEpsilon', searchEpsilon, 'epsilon_invalid');
  checkShare('couplingSlack', couplingSlack);
  checkCapSlack(capSlack);
  checkCount('maxRuns', maxRuns, mostRuns);
  const { logSamples, logLeastChance, ...plan } = unboundedSearch({
    ...{ run, grid, delta, beta },
    percentile: 1 / (2 * candidates),
    epsilon: searchEpsilon,
    slack: couplingSlack,
  });
  // About; gamma itself is found only where it is not far too small.
  const logCap = Math.log(-Math.log(-Math.expm1(-capSlack))) - Math.log(beta) - logLeastChance;
  const capOf = (gamma: number) => thresholdCap(gamma, capSlack);
  const gamma =
    logCap < Math.log(mostRuns)
      ? largestGamma('beta', beta, plan.leastChance, (at) => geometricCount(at, capOf(at)))
      : 0;
  const cap = gamma > 0 ? capOf(gamma) : Number.POSITIVE_INFINITY;
  const most = plan.samples + cap;
  const logMost = Math.max(logSamples, logCap) + Math.log1p(Math.exp(-Math.abs(logSamples - logCap)));
  checkMaxRuns('The combined algorithm', most, maxRuns, logMost);

  const after = threshold({ tau: Number.NEGATIVE_INFINITY, gamma, cap });
  return Object.freeze({
    name: 'unknown-threshold',
    search: Object.freeze({
      ...plan,
      thresholdOf: (...[scores, range, entropy]: Parameters<NonNullable<StoppingRule['search']>['thresholdOf']>) =>
        searchThreshold(plan, scores, range, entropy),
    }),
    runs: Object.freeze({ expected: plan.samples + after.runs.expected, most }),
    count: after.count,
    drawRuns: after.drawRuns,
    total(each: Cost): Cost {
      checkCost(each);
      checkPlanned('epsilon', each, run);
      checkPlanned('delta', each, run);
      const rest = after.total(each);
      return {
        epsilon: sumOfCosts(searchEpsilon, rest.epsilon),
        delta: Math.min(1, sumOfCosts(delta, plan.samples * each.delta, rest.delta)),
      };
    },
    perRun(): Cost {
      const sentence =
        'The rule unknown-threshold is planned for the cost of a run; unknownThresholdRun finds that for a total.';
      throw new ScumbleError('option_invalid', sentence, { option: 'total' });
    },
    // The search has a delta for any run, and so no Renyi divergence.
    totalRdp: () => () => Number.POSITIVE_INFINITY,
  });
}

/**
 * What a run may cost so that {@link unknownThreshold}, planned for it, costs no more than `total` and needs no more than `maxRuns`
 * runs: the largest epsilon, with a delta of 0. A run that costs less needs fewer of them.
 *
 * @throws ScumbleError what `unknownThreshold` throws, with the number of runs; `epsilon_invalid` or `delta_invalid` when the parts of
 *   the search and the cap alone cost more than the total.
 */
export function unknownThresholdRun(options: Omit<UnknownThresholdOptions, 'run'>, total: Cost): Cost {
  checkCost(total);
  const wholeOf = (epsilon: number) =>
    unknownThreshold({ ...options, run: { epsilon, delta: 0 } }).total({ epsilon, delta: 0 });
  // Of runs that cost nothing the cap costs nothing; what it costs of others shows in those that cost next to nothing.
  const nothing = total.epsilon * 2 ** -40;
  const least = wholeOf(nothing);
  for (const part of ['epsilon', 'delta'] as const)
    if (least[part] > total[part])
      throw new ScumbleError(
        `${part}_invalid`,
        `The search and the cap alone cost ${part} ${least[part]}, more than the total of ${total[part]}.`,
        {
          [part]: total[part],
        },
      );
  const keeps = (epsilon: number) => {
    try {
      return wholeOf(epsilon).epsilon <= total.epsilon;
    } catch (error) {
      // Too many runs.
      if (error instanceof ScumbleError && error.code === 'option_invalid') return false;
      throw error;
    }
  };
  let [low, high] = [nothing, total.epsilon];
  for (let i = 0; i < 60; i++) {
    const mid = (low + high) / 2;
    if (keeps(mid)) low = mid;
    else high = mid;
  }
  return { epsilon: low, delta: 0 };
}

/** The noise of the search is that for the runs that were planned. */
function checkPlanned(part: 'epsilon' | 'delta', each: Cost, planned: Cost): void {
  if (each[part] <= planned[part]) return;
  const sentence = `The rule unknown-threshold is planned for runs of ${part} ${planned[part]}; a run of ${part} ${each[part]} needs a plan of its own.`;
  throw new ScumbleError(`${part}_invalid`, sentence, { [part]: each[part] });
}
