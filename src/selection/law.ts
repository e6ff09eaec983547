import { check } from './checks.js';
import type { RunCount } from './run-count.js';
import type { StoppingRule } from './stopping-rule.js';

/** An outcome of one run. */
export interface Outcome<Output> {
  /** What the run gives. */
  readonly output: Output;
  /** Runs are compared by it; a failed run has -Infinity. */
  readonly score: number;
  /** From 0 to 1. */
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
  const masses = new Map<number, number>();
  for (const { score, probability } of run) masses.set(score, (masses.get(score) ?? 0) + probability / total);
  const classes = [...masses].sort(([a], [b]) => a - b);
  const { tau, count, search } = rule;
  check('rule', !search, 'one without a search of its own for the threshold');
  if (tau === undefined) {
    const shares = bestOf(count, classes);
    const outcomes = run.map((o) => ({ ...o, probability: (o.probability / total) * shares.get(o.score)! }));
    return { outcomes, bottom: count.none, draws: count.expected };
  }
  // A run that failed reaches no threshold.
  const reaches = (score: number) => score >= tau && score > Number.NEGATIVE_INFINITY;
  const mass = (passing: boolean) =>
    classes.reduce((sum, [score, m]) => (reaches(score) === passing ? sum + m : sum), 0);
  const [fails, passes] = [mass(false), mass(true)];
  check('run', passes > 0 || count.expected < Number.POSITIVE_INFINITY, 'one that can reach tau, as gamma is 0');
  const found = count.between(fails, passes, 0);
  // Wald's identity: a performed run reaches the threshold with chance `passes`, and at most one does.
  const draws = passes > 0 ? found / passes : count.expected;
  const outcomes = run.map((o) => ({ ...o, probability: reaches(o.score) ? (o.probability / total) * draws : 0 }));
  return { outcomes, bottom: count.between(0, fails, passes), draws };
}

/** By score, the chance that the best of K runs has it, over the chance that one run has. */
function bestOf(count: RunCount, ascending: readonly (readonly [score: number, mass: number])[]): Map<number, number> {
  const better = ascending.map(() => 0);
  for (let i = ascending.length - 1; i > 0; i--) better[i - 1] = better[i] + ascending[i][1];
  let worse = 0;
  return new Map(
    ascending.map(([score, mass], i) => {
      const share = mass === 0 ? 0 : count.between(worse, mass, better[i]) / mass;
      worse += mass;
      return [score, share];
    }),
  );
}

/** The law of one run that first picks a candidate uniformly. */
export function mixture<Output>(candidates: readonly (readonly Outcome<Output>[])[]): Outcome<Output>[] {
  return candidates.flatMap((outcomes) =>
    outcomes.map((outcome) => ({ ...outcome, probability: outcome.probability / candidates.length })),
  );
}
