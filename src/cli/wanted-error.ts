import { epsilonFor } from '../quantiles/epsilon-for.js';
import type { QuantilesOptions } from '../quantiles/options.js';
import { planQuantiles, type SourceFacts } from '../quantiles/plan.js';

/** Digits of an epsilon that a person copies. */
const digits = 3;

/**
 * The epsilon for a wanted rank error as a short decimal: rounded up, and further up should the forecast not keep to the
 * error there.
 */
export function shortEpsilonFor(
  options: Omit<QuantilesOptions, 'epsilon'>,
  rankError: number,
  facts: SourceFacts,
): string {
  const keeps = (epsilon: number) =>
    planQuantiles({ ...options, epsilon }, facts).forecast.expectedRankError.every((error) => error <= rankError);
  let epsilon = shortAbove(epsilonFor(options, rankError, facts));
  while (!keeps(epsilon)) epsilon = shortAbove(epsilon * (1 + 10 ** -digits));
  return String(epsilon);
}

/** The least decimal of three digits that is not below x. */
export function shortAbove(x: number): number {
  const nearest = Number(x.toPrecision(digits));
  if (nearest >= x) return nearest;
  const [units, exponent] = x.toExponential(digits - 1).split('e');
  return Number(`${(Number(units) + 10 ** (1 - digits)).toFixed(digits - 1)}e${exponent}`);
}
