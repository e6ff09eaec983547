import { ScumbleError } from '../errors.js';
import { type Entropy, secureEntropy } from '../random/entropy.js';
import { drawLaplace } from '../random/exponential.js';
import { fractionOf } from '../random/fraction.js';
import { refine } from '../random/lazy-uniform.js';
import { check, checkPositive } from './checks.js';

/** Options of {@link aboveThreshold}. */
export interface AboveThresholdOptions {
  /**
   * The most by which a query may differ between neighbours, as a true bound of the numbers given to `next`: add twice the
   * rounding error of a computed query. Finite, greater than 0.
   */
  readonly sensitivity: number;
  /** The public threshold, in the unit of the queries; finite. */
  readonly threshold: number;
  /** The cost of all answers together, up to and with the first `true`; finite, greater than 0. */
  readonly epsilon: number;
}

/** A sparse vector at work. */
export interface AboveThreshold {
  /**
   * Whether the query is above the threshold, by noisy comparison. The first `true` is the last answer.
   *
   * @param query the value of the query on the private data. Infinities are answered without noise: a query of bounded
   *   sensitivity that is infinite is so for every neighbour. NaN counts as minus infinity.
   * @throws ScumbleError `budget_exceeded` after the first `true`.
   */
  next(query: number): boolean;
}

/** The scales of the noise of the threshold and of each query. */
export interface SparseVectorNoise {
  readonly threshold: number;
  readonly query: number;
}

/** The two scales, as real numbers: 2*sensitivity/epsilon and 4*sensitivity/epsilon. */
export function sparseVectorNoise(sensitivity: number, epsilon: number): SparseVectorNoise {
  return { threshold: (2 * sensitivity) / epsilon, query: (4 * sensitivity) / epsilon };
}

/**
 * The sparse vector: answers a sequence of queries, each chosen after the answers before it, until the first that is above
 * the threshold, and then no more. Source: Dwork, Roth, "The Algorithmic Foundations of Differential Privacy" (2014),
 * Algorithm 1, the form that is proved in Lyu, Su, Li, "Understanding the Sparse Vector Technique" (2017): noise of scale
 * 2*sensitivity/epsilon on the threshold, drawn once, and fresh noise of scale 4*sensitivity/epsilon on each query.
 *
 * Cost: epsilon, pure, for any number of queries; the relation is that of the sensitivity. Why: moving the threshold by
 * the largest change of the queries before the last, and the last query by that and its own change, turns a run on one
 * data set into the same answers on its neighbour (sparse-vector.proof.md).
 *
 * The noise is that of the theorem, real numbers: the comparison is exact, so rounding costs nothing.
 *
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function aboveThreshold(options: AboveThresholdOptions, entropy: Entropy = secureEntropy()): AboveThreshold {
  const { sensitivity, threshold, epsilon } = options;
  checkPositive('sensitivity', sensitivity);
  check('threshold', Number.isFinite(threshold), 'a finite number', threshold);
  checkPositive('epsilon', epsilon, 'epsilon_invalid');
  const level = fractionOf(threshold);
  const [cost, reach] = [fractionOf(epsilon), fractionOf(sensitivity)];
  const nu = drawLaplace(entropy);
  let halted = false;

  /** Whether query + (4*s/e)*xi > threshold + (2*s/e)*nu: 2*xi - nu against (threshold - query)*e/(2*s). */
  const isAbove = (query: number) => {
    const xi = drawLaplace(entropy);
    const { numerator, denominator } = fractionOf(query);
    const gap = level.numerator * denominator - numerator * level.denominator;
    const least = gap * cost.numerator * reach.denominator;
    const unit = 2n * reach.numerator * cost.denominator * level.denominator * denominator;
    return refine((bits) => {
      const [x, y, bar] = [xi(bits), nu(bits), least << BigInt(bits)];
      if ((2n * x.low - y.high) * unit >= bar) return true;
      return (2n * x.high - y.low) * unit <= bar ? false : undefined;
    });
  };
  return {
    next(query) {
      if (halted)
        throw new ScumbleError('budget_exceeded', 'The sparse vector has said "above" and is spent; start a new one.');
      halted = Number.isFinite(query) ? isAbove(query) : query === Number.POSITIVE_INFINITY;
      return halted;
    },
  };
}
