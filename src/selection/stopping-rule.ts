import { ScumbleError } from '../errors.js';
import { pureEpsilon, type RdpCurve } from '../privacy/rdp.js';
import type { Entropy } from '../random/entropy.js';
import type { ScoreRange } from './candidate.js';
import { type Cost, checkCost } from './cost.js';
import type { RunCount } from './run-count.js';

/** How a threshold is found before the runs that it is for. */
export interface ThresholdSearch {
  /** So many runs are made for it, whatever the data. */
  readonly samples: number;
  /** Draws the threshold, privately, from their scores; -Infinity for a run that failed. */
  thresholdOf(scores: Float64Array, range: ScoreRange, entropy: Entropy): number;
}

/**
 * How many runs of private candidates there are and which of them is the answer: with a threshold the first whose score
 * reaches it, else the best, of K runs; BOTTOM when there is none. The rule says what that costs. Its parameters are public
 * constants, never computed from the data, and neither is K shown to anyone.
 */
export interface StoppingRule {
  /** As in the command: `threshold`, `random-stopping`, … */
  readonly name: string;
  /** The first run with a score of at least tau ends the selection; only for {@link threshold}. */
  readonly tau?: number;
  /** Only for `unknownThreshold`: instead of tau. */
  readonly search?: ThresholdSearch;
  /** How many runs there are, whatever the data, those of a search included. */
  readonly runs: {
    /** A mean that no data exceed. */
    readonly expected: number;
    /** The most; Infinity where there is no limit. */
    readonly most: number;
  };
  /** The law of K; the runs of a search are not counted. */
  readonly count: RunCount;
  /** An exact draw of K, made before the first run; Infinity for a threshold without a coin. */
  drawRuns(entropy: Entropy): number;
  /**
   * What the whole costs when every run is (epsilon, delta)-DP in its output and score together; rounded up.
   *
   * @throws ScumbleError `epsilon_invalid` or `delta_invalid`, also where the rule cannot serve such runs.
   */
  total(run: Cost): Cost;
  /**
   * What every run may cost so that the whole costs no more than `total`: the largest delta, and with it the largest epsilon; rounded
   * down.
   *
   * @throws ScumbleError as {@link total} does; `option_invalid` where a rule is planned from the cost of a run, as `unknownThreshold`.
   */
  perRun(total: Cost): Cost;
  /**
   * The Renyi curve of the whole, for runs (output and score together) with the curve `run`. Infinity where the
   * rule promises nothing, as at orders of at most 1; what {@link total} says of pure runs holds at every order.
   */
  totalRdp(run: RdpCurve): RdpCurve;
}

/** What a theorem says of a rule. */
export interface Theorem {
  readonly name: string;
  readonly tau?: number;
  readonly count: RunCount;
  /** The epsilon of the whole, when each run is, but for a chance of delta, one of a pure mechanism of this epsilon. */
  readonly epsilon: (each: number, delta: number) => number;
  /** The Renyi divergence of the whole at orders above 1. */
  readonly renyi: (run: RdpCurve) => (order: number) => number;
}

/** Far more than the roundings of any of the formulas. */
const margin = 1 + 2 ** -40;

/** The rule of a theorem; the parts that all share are in selection.proof.md, "Every rule". */
export function stoppingRule({ name, tau, count, epsilon, renyi }: Theorem): StoppingRule {
  const { expected, most } = count;
  // Of no more than so many runs, the whole is a post-processing.
  const atMost = (bound: number, each: number) =>
    most < Number.POSITIVE_INFINITY ? Math.min(bound, most * each) : bound;
  const deltaOf = (delta: number) => (delta === 0 ? 0 : count.between(1 - delta, delta, 0) * margin);
  const epsilonOf = (each: number, delta: number) => atMost(epsilon(each, delta), each) * margin;
  const checked = (cost: Cost) => {
    checkCost(cost);
    if (cost.delta === 0 || expected < Number.POSITIVE_INFINITY) return;
    throw new ScumbleError(
      'delta_invalid',
      'Without a coin (gamma 0) runs must have delta 0: a threshold that runs until it is reached would find a bad run for sure.',
      { delta: cost.delta },
    );
  };
  return Object.freeze({
    name,
    ...(tau !== undefined && { tau }),
    runs: Object.freeze({ expected, most }),
    count: Object.freeze(count),
    drawRuns: count.draw,
    total(run: Cost): Cost {
      checked(run);
      return { epsilon: epsilonOf(run.epsilon, run.delta), delta: Math.min(1, deltaOf(run.delta)) };
    },
    perRun(total: Cost): Cost {
      checked(total);
      const delta = total.delta === 0 ? 0 : largest(1 - 2 ** -53, (each) => deltaOf(each) <= total.delta);
      return { epsilon: largest(total.epsilon, (each) => epsilonOf(each, delta) <= total.epsilon), delta };
    },
    totalRdp(run: RdpCurve): RdpCurve {
      const each = pureEpsilon(run);
      const divergence = renyi(run);
      const pure = each < Number.POSITIVE_INFINITY ? epsilonOf(each, 0) : Number.POSITIVE_INFINITY;
      const curve = (order: number) => {
        const bound = order > 1 ? atMost(divergence(order), run(order)) * margin : Number.POSITIVE_INFINITY;
        return Number.isNaN(bound) ? pure : Math.min(pure, bound);
      };
      return Object.assign(curve, run.orders && { orders: run.orders });
    },
  });
}

/** The largest double from 0 to `top` that holds, for what holds up to some point; 0 if none does. */
function largest(top: number, holds: (x: number) => boolean): number {
  let [low, high] = [0, top];
  if (holds(high)) return high;
  for (let mid = high / 2; low < mid && mid < high; mid = low + (high - low) / 2) {
    if (holds(mid)) low = mid;
    else high = mid;
  }
  return low;
}
