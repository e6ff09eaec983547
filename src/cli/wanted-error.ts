import type { Plan } from '../quantiles/plan.js';

/** Digits of an epsilon that a person copies. */
const digits = 3;

/**
 * An epsilon for a wanted rank error as a short decimal: that which was found rounded up, and further up should the plan there not
 * keep to the error; with that plan.
 */
export async function shortEpsilonFor(
  least: number,
  rankError: number,
  planAt: (epsilon: number) => Plan | Promise<Plan>,
): Promise<{ epsilon: string; plan: Plan }> {
  for (let epsilon = shortAbove(least); ; epsilon = shortAbove(epsilon * (1 + 10 ** -digits))) {
    const plan = await planAt(epsilon);
    if (plan.forecast.expectedRankError.every((error) => error <= rankError)) return { epsilon: String(epsilon), plan };
  }
}

/** The least decimal of three digits that is not below x. */
export function shortAbove(x: number): number {
  const nearest = Number(x.toPrecision(digits));
  if (nearest >= x) return nearest;
  const [units, exponent] = x.toExponential(digits - 1).split('e');
  return Number(`${(Number(units) + 10 ** (1 - digits)).toFixed(digits - 1)}e${exponent}`);
}
