import { check } from './checks.js';
import type { StoppingRule } from './stopping-rule.js';

/** An outcome of one run. */
export interface Outcome<Output> {
  readonly output: Output;
  /** Runs are compared by it; a failed run has -Infinity. */
  readonly score: number;
  readonly probability: number;
}

/** The law of a selection from runs with a finite number of outcomes. */
export interface SelectionLaw<Output> {
  /** The outcomes of a run, with the probability that the selection returns them. */
  readonly outcomes: readonly Outcome<Output>[];
  /** The probability that it returns none. */
  readonly bottom: number;
  /** The expected number of runs that are performed. */
  readonly draws: number;
}

/**
 * The exact law of a stopping rule on the law of one run; probabilities have full relative precision, however small. Of
 * equal scores the one drawn first is returned (or the last, or any: selection.proof.md, lemma 1, has the same law).
 *
 * @param run its probabilities add up to 1, within 1e-9.
 * @throws ScumbleError `option_invalid`, also where the rule would never end.
 */
export function lawOf<Output>(rule: StoppingRule, run: readonly Outcome<Output>[]): SelectionLaw<Output> {
  const total = run.reduce((sum, { probability }) => sum + probability, 0);
  check('run', Math.abs(total - 1) <= 1e-9 && run.every((o) => o.probability >= 0), 'probabilities that add up to 1');
  check('run', !run.some(({ score }) => Number.isNaN(score)), 'outcomes with scores that are not NaN');
  const mass = (holds: (score: number) => boolean) =>
    run.reduce((sum, { score, probability }) => (holds(score) ? sum + probability / total : sum), 0);
  const { tau, count } = rule;
  if (tau === undefined) {
    const outcomes = run.map((outcome) => {
      const equal = mass((score) => score === outcome.score);
      const best = count.between(
        mass((score) => score < outcome.score),
        equal,
        mass((score) => score > outcome.score),
      );
      return { ...outcome, probability: equal === 0 ? 0 : (outcome.probability / total / equal) * best };
    });
    return { outcomes, bottom: count.none, draws: count.expected };
  }
  const fails = mass((score) => score < tau);
  const passes = mass((score) => score >= tau);
  check('run', passes > 0 || count.expected < Number.POSITIVE_INFINITY, 'one that can reach tau, as gamma is 0');
  const found = count.between(fails, passes, 0);
  const outcomes = run.map((outcome) => ({
    ...outcome,
    probability: outcome.score >= tau ? (outcome.probability / total / passes) * found : 0,
  }));
  // Wald's identity: a performed run reaches the threshold with chance `passes`, and at most one does.
  return { outcomes, bottom: count.between(0, fails, passes), draws: passes > 0 ? found / passes : count.expected };
}

/** The law of one run that first picks a candidate uniformly. */
export function mixture<Output>(candidates: readonly (readonly Outcome<Output>[])[]): Outcome<Output>[] {
  return candidates.flatMap((outcomes) =>
    outcomes.map((outcome) => ({ ...outcome, probability: outcome.probability / candidates.length })),
  );
}
