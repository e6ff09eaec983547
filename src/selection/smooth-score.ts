import { type Entropy, secureEntropy } from '../random/entropy.js';
import { difference, fractionOf, product, quotient } from '../random/fraction.js';
import { drawStudent, studentTail } from '../random/student-t.js';
import { check, checkCount, checkPositive, checkShare } from './checks.js';
import { stoppingFor } from './generalized-exponential.js';
import { noisyOnGrid } from './score-grid.js';

/** Options of {@link planSmoothScore}. */
export interface SmoothScoreOptions {
  /** How many candidates there are, each as likely to be run. */
  readonly candidates: number;
  /** What one run costs; finite, greater than 0. */
  readonly runEpsilon: number;
  /** b: the sensitivities of neighbours are within a factor e^b; greater than 0, and small. */
  readonly smoothness: number;
  /** A third of the chance that the answer is worse than promised; strictly between 0 and 1. */
  readonly beta: number;
}

/** How to choose among scores of smooth sensitivity. */
export interface SmoothScorePlan {
  /** The chance to stop after a run, for random stopping. */
  readonly gamma: number;
  /** More runs than this have at most probability beta. */
  readonly draws: number;
  /** By how many units of noise each score is lowered, c. */
  readonly shift: number;
  /** Smooth sensitivities per unit of noise, alpha. */
  readonly admissible: number;
}

/** The most by which the log density of the Student law of 3 degrees of freedom changes per unit of place … */
const perShift = 2 / Math.sqrt(3);
/** … and per unit of the logarithm of scale. */
const perStretch = 3;
/** Covers the handful of roundings in a parameter. */
const shy = 1 - 2 ** -40;

/**
 * The exponential mechanism with smooth sensitivity: scores that each have a sensitivity of their own, private and smooth,
 * chosen by random stopping. Source: Nissim, Raskhodnikova, Smith (2007); Liu, Talwar (2019).
 *
 * Cost: that of random stopping over candidates of `runEpsilon`, pure, because the noise is heavy-tailed: Student's of 3 degrees of
 * freedom. Laplace noise has a delta, which a selection rule multiplies. But for a probability of 3*beta, the score of the
 * answer is at least max over i of (score_i - c*S_i/alpha) (sparse-vector.proof.md). The shift is paid for when S_i changes, so that
 * the smoothness must be about 1/c times the budget.
 *
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`; also when the smoothness is too large for the budget.
 */
export function planSmoothScore(options: SmoothScoreOptions): SmoothScorePlan {
  const { candidates, runEpsilon, smoothness, beta } = options;
  checkCount('candidates', candidates);
  checkPositive('runEpsilon', runEpsilon, 'epsilon_invalid');
  checkPositive('smoothness', smoothness);
  checkShare('beta', beta);
  const { gamma, draws } = stoppingFor(candidates, beta);
  const shift = exceeded(beta / draws);
  // runEpsilon = perShift*(alpha + c*(e^b - 1)) + perStretch*b
  const admissible =
    (runEpsilon * shy - perStretch * smoothness) / perShift - shift * Math.expm1(smoothness) * (2 - shy);
  check(
    'smoothness',
    admissible > 0,
    `smaller: a shift of ${shift.toPrecision(3)} costs all of the budget`,
    smoothness,
  );
  return Object.freeze({ gamma, draws, shift, admissible: admissible * shy });
}

/** What the noise exceeds with at most this chance, rounded up. */
function exceeded(chance: number): number {
  let [low, high] = [0, 1];
  while (studentTail(high) > chance) high *= 2;
  while (high - low > 1e-9 * high) {
    const mid = (low + high) / 2;
    if (studentTail(mid) > chance) low = mid;
    else high = mid;
  }
  return high;
}

/**
 * One run of a candidate: its score on the private data, lowered by the shift, with Student noise of the width of its smooth
 * sensitivity.
 *
 * Cost: `runEpsilon` of the plan, pure; the relation is that of the smooth sensitivity. The noise is exact, rounded once to a
 * public grid. The sensitivity is private: it does not come out.
 *
 * @param score on the private data.
 * @param sensitivity S of these data: at least what any neighbour moves the computed score, at most e^b times that of any
 *   neighbour. A score or sensitivity that is not a finite number, or negative, counts as a score of minus infinity.
 */
export function smoothScore(
  score: number,
  sensitivity: number,
  { admissible, shift }: Pick<SmoothScorePlan, 'admissible' | 'shift'>,
  entropy: Entropy = secureEntropy(),
): number {
  if (!Number.isFinite(score) || !(sensitivity >= 0 && sensitivity < Number.POSITIVE_INFINITY))
    return Number.NEGATIVE_INFINITY;
  const scale = quotient(fractionOf(sensitivity), fractionOf(admissible));
  const centre = difference(fractionOf(score), product(fractionOf(shift), scale));
  return noisyOnGrid(centre, scale, drawStudent(entropy));
}
