import { type Cost, checkCost, sumOfCosts } from './cost.js';
import type { StoppingRule } from './stopping-rule.js';

/** What a run, or a selection, costs people in either set. */
export interface SetCosts {
  /** Who is in the training set only. */
  readonly training: Cost;
  /** Who is in the validation set only. */
  readonly validation: Cost;
}

/** The same for who may be in either set. */
export interface ForBoth {
  /** What a person in both sets pays. */
  readonly both: Cost;
}

/**
 * What hyper-parameter selection costs, when a run trains a model on one private set and scores it on another, as with
 * `noisyScore`. Source: Liu, Talwar (2019), on hyper-parameter selection.
 *
 * Why: with the other set fixed, a run is as private for each set as its part says: the score is post-processing of the model, and
 * for any model the score is private. A rule multiplies each by itself. For who is in both sets a run composes its two
 * parts, and the rule multiplies that: no more than the sum of the other two, since the cost of every rule is concave in that of a run.
 *
 * @param run what the model costs the training set, and the score the validation set. Neighbours as each of them has.
 * @returns what the whole costs, with `both` for who is in either set: the guarantee to state where sets may share people.
 * @throws ScumbleError `epsilon_invalid` or `delta_invalid`, as `rule.total` does.
 */
export function validationCosts(rule: StoppingRule, run: SetCosts): SetCosts & ForBoth {
  checkCost(run.training, 'training.');
  checkCost(run.validation, 'validation.');
  const { training, validation } = run;
  const epsilon = sumOfCosts(training.epsilon, validation.epsilon);
  const delta = sumOfCosts(training.delta, validation.delta);
  return Object.freeze({
    training: rule.total(training),
    validation: rule.total(validation),
    both: rule.total({ epsilon, delta }),
  });
}
