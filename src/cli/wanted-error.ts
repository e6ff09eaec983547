import { epsilonFor } from '../quantiles/epsilon-for.js';
import { epsilonOn } from '../quantiles/epsilon-on.js';
import type { QuantilesOptions } from '../quantiles/options.js';
import type { Plan } from '../quantiles/plan.js';
import type { Basis } from './reference.js';

/** Digits of an epsilon that a person copies. */
const digits = 3;

/**
 * The epsilon for a wanted rank error as a short decimal: rounded up, and further up should the plan there not keep to the
 * error.
 */
export async function shortEpsilonFor(
  options: Omit<QuantilesOptions, 'epsilon'>,
  rankError: number,
  { reference, facts }: Basis,
  planAt: (epsilon: number) => Plan | Promise<Plan>,
): Promise<string> {
  const least = reference
    ? await epsilonOn(reference, options, rankError, facts)
    : epsilonFor(options, rankError, facts);
  for (let epsilon = shortAbove(least); ; epsilon = shortAbove(epsilon * (1 + 10 ** -digits))) {
    const { forecast } = await planAt(epsilon);
    if (forecast.expectedRankError.every((error) => error <= rankError)) return String(epsilon);
  }
}

/** The least decimal of three digits that is not below x. */
export function shortAbove(x: number): number {
  const nearest = Number(x.toPrecision(digits));
  if (nearest >= x) return nearest;
  const [units, exponent] = x.toExponential(digits - 1).split('e');
  return Number(`${(Number(units) + 10 ** (1 - digits)).toFixed(digits - 1)}e${exponent}`);
}
