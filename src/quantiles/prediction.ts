import { ScumbleError } from '../errors.js';
import { type Lattice, latticeIndex } from '../lattice/lattice.js';
import { compilePrior, type Prior } from '../lattice/prior.js';
import { expandQuantiles } from './quantile-list.js';

/**
 * How good a prior is as a prediction of a quantile: the measures of Khodak, Amin, Dick, Vassilvitskii,
 * "Learning-Augmented Private Algorithms for Multiple Quantile Release" (ICML 2023). They depend on the records, exactly:
 * for public data, experiments and proofs, never for a release.
 */
export interface Prediction {
  /** Records in any order, in the column's unit; NaN is dropped. */
  readonly values: ArrayLike<number>;
  /** Strictly between 0 and 1. */
  readonly quantile: number;
  /** The prior whose quality is asked for. */
  readonly prior: Prior;
  /** The points that could be released. */
  readonly lattice: Lattice;
  /**
   * Of the exponential mechanism for this quantile, whose weights are exp(-epsilon/2 * gap); greater than 0. Default:
   * infinite, which asks for the mass of the best outputs alone.
   */
  readonly epsilon?: number | undefined;
}

/**
 * The prediction error U = -ln(Psi), where Psi is the mean of exp(-epsilon/2 * gap) over the prior: at least 0, and 0 for a
 * prior with all its mass where the gap is 0. The gap of an output is how far the number of records below it is from
 * floor(q*n), less the smallest that any output has (ties leave no other).
 *
 * @returns in nats; infinite where no double holds Psi's logarithm.
 * @throws ScumbleError `quantiles_invalid`, `epsilon_invalid` or `prior_invalid`.
 */
export function predictionError(prediction: Prediction): number {
  return -logSum(logWeights(prediction).map(({ log }) => log));
}

/**
 * The expected gap of the exponential mechanism for this quantile with this prior, in records.
 *
 * @throws ScumbleError `quantiles_invalid`, `epsilon_invalid` or `prior_invalid`.
 */
export function expectedGap(prediction: Prediction): number {
  const weights = logWeights(prediction);
  const total = logSum(weights.map(({ log }) => log));
  return weights.reduce((sum, { gap, log }) => sum + gap * Math.exp(log - total), 0);
}

/** The error of several predictions together, U = ln(sum of exp(U_i)): 1/Psi is the sum of 1/Psi_i. */
export function totalPredictionError(errors: readonly number[]): number {
  return logSum(errors);
}

/** The same as a mean, -ln of the harmonic mean of the Psi_i: ln(m) less than the total. */
export function meanPredictionError(errors: readonly number[]): number {
  return logSum(errors) - Math.log(errors.length);
}

/** The cells between records as outputs, with their gaps and ln(prior mass * exp(-epsilon/2 * gap)). */
function logWeights({ values, quantile, prior, lattice, epsilon = Number.POSITIVE_INFINITY }: Prediction) {
  expandQuantiles([quantile]);
  if (!(epsilon > 0))
    throw new ScumbleError('epsilon_invalid', `The epsilon must be a number greater than 0, not ${epsilon}.`);
  const measure = compilePrior(prior, lattice);
  const records = Float64Array.from(values, (x) => latticeIndex(lattice, x))
    .filter((k) => !Number.isNaN(k))
    .sort();
  const target = floorTimes(quantile, records.length);
  // The outputs from `first` to a record's own index have the rank of the records before it.
  const cells: { first: number; last: number; gap: number }[] = [];
  let first = 0;
  for (const [rank, last] of [...records, lattice.size - 1].entries())
    if (last >= first) {
      cells.push({ first, last, gap: Math.abs(rank - target) });
      first = last + 1;
    }
  const least = Math.min(...cells.map(({ gap }) => gap));
  const logTotal = Math.log(measure.mass(0, lattice.size - 1));
  return cells.map((cell) => {
    const gap = cell.gap - least;
    const penalty = gap === 0 ? 0 : (epsilon / 2) * gap;
    return { gap, log: Math.log(measure.mass(cell.first, cell.last)) - logTotal - penalty };
  });
}

/** floor(q*n) of the decimal q, not of the double just below it: 29 for 0.29 of 100. */
function floorTimes(q: number, n: number): number {
  return Math.floor(q * n * (1 + 2 ** -50));
}

/** ln(sum of exp(x)), without overflow. */
function logSum(logs: readonly number[]): number {
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(most)) return most;
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}
