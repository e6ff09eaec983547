import { sparseVectorNoise } from '../../src/selection/above-threshold.js';
import { haltingLaw } from '../../src/selection/halting-law.js';
import type { ThresholdSearchPlan } from '../../src/selection/threshold-search.js';
import { multinomial, raised } from './candidates.js';

/** Thresholds from 0 to 1, each with the chance that it is found: a sum over all samples. `scores[k]` is that of a score of k/grid. */
export function searchLaw(plan: ThresholdSearchPlan, scores: readonly number[]): number[] {
  const noise = sparseVectorNoise(plan.sensitivity, plan.epsilon);
  const level = Math.log(plan.samples * plan.percentile + plan.offset) - plan.lead;
  const law = scores.map(() => 0);
  for (const [counts, chance] of multinomial(plan.samples, scores)) {
    const passing = counts.map((_, k) => counts.slice(k).reduce((a, b) => a + b));
    const queries = passing.slice(1).reverse();
    const { above, never } = haltingLaw(
      queries.map((count) => Math.log(count + plan.offset)),
      level,
      noise,
    );
    law[0] += chance * never;
    above.forEach((part, i) => {
      law[plan.grid - i] += chance * part;
    });
  }
  return law;
}

/** Scores on the grid that are at least as likely to be high as an epsilon-DP neighbour's can be. */
export function raisedScores(scores: readonly number[], epsilon: number): number[] {
  const passing = scores.map((_, k) =>
    k === 0
      ? 1
      : raised(
          scores.slice(k).reduce((a, b) => a + b),
          epsilon,
        ),
  );
  return passing.map((p, k) => p - (passing[k + 1] ?? 0));
}
