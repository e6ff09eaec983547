import { type Entropy, secureEntropy } from '../random/entropy.js';
import { drawLaplace } from '../random/exponential.js';
import { fractionOf, product, quotient } from '../random/fraction.js';
import { check, checkPositive } from './checks.js';
import { noisyOnGrid } from './score-grid.js';

/** The scores of records are rounded, each by itself, to this; the sum of 2^27 of them is an exact double. */
const unit = 2 ** -26;
const mostRecords = 2 ** 27;

/**
 * The average of the scores of a validation set with Laplace noise: what one run of a candidate scores, when its model does
 * not depend on that set. Source: Liu, Talwar (2019), on hyper-parameter selection.
 *
 * Cost: epsilon, pure, for the validation set; neighbours differ in one replaced record, so the number of records is
 * public. Why: a record moves the average by at most 1/n whatever the model, and the answer is the real number average +
 * Laplace(1/(n*epsilon)) rounded once to a public grid. For the training set it is post-processing of the model. A selection rule
 * multiplies the cost of a run for each of the two sets by itself; who may be in both pays the sum.
 *
 * The answer may be below 0 or above 1: cutting it off would make ties of the best.
 *
 * @param scores one per record of the validation set, of its own record and the model only; at least one and at most 2^27. Less
 *   than 0 and NaN count as 0, more than 1 as 1.
 * @param epsilon what one score costs; finite, greater than 0.
 * @throws ScumbleError `option_invalid` or `epsilon_invalid`.
 */
export function noisyScore(scores: ArrayLike<number>, epsilon: number, entropy: Entropy = secureEntropy()): number {
  const n = scores.length;
  check('scores', n >= 1 && n <= mostRecords, `a list of 1 to ${mostRecords} numbers`, `one of ${n}`);
  checkPositive('epsilon', epsilon, 'epsilon_invalid');
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.round(Math.min(Math.max(scores[i], 0), 1) / unit) || 0;
  const average = quotient(product(fractionOf(sum), fractionOf(unit)), fractionOf(n));
  const scale = quotient(fractionOf(1), product(fractionOf(n), fractionOf(epsilon)));
  return noisyOnGrid(average, scale, drawLaplace(entropy));
}
