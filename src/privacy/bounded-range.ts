import { logFactorial } from './log-factorial.js';

/**
 * The delta of the non-adaptive composition of m mechanisms that are each `each`-bounded-range, at overall `epsilon`.
 *
 * Source: Dong, Durfee, Rogers, "Optimal Differential Privacy Composition for Exponential Mechanisms" (ICML 2020),
 * Theorem 3. An `each`-bounded-range mechanism is dominated by one with two outcomes, of loss t and t - each; losses of a
 * composition add up, and the worst common t is one of m + 1 candidates.
 */
export function boundedRangeDelta(m: number, each: number, epsilon: number): number {
  let worst = 0;
  for (let l = 0; l <= m; l++) {
    const t = Math.min(each, Math.max(0, (epsilon + (l + 1) * each) / (m + 1)));
    worst = Math.max(worst, deltaAt(m, each, epsilon, t));
  }
  return worst;
}

/** All terms are positive; each is formed in logarithms, so m may be large. */
function deltaAt(m: number, each: number, epsilon: number, t: number): number {
  const whole = Math.log(-Math.expm1(-each));
  const logHigh = -t + Math.log(-Math.expm1(t - each)) - whole;
  const logLow = Math.log(-Math.expm1(-t)) - whole;
  let sum = 0;
  for (let i = 0; i <= m; i++) {
    const loss = m * t - i * each;
    if (loss <= epsilon) break;
    const logChance =
      logFactorial(m) - logFactorial(i) - logFactorial(m - i) + power(logHigh, m - i) + power(logLow, i);
    sum += Math.exp(logChance + loss) * -Math.expm1(epsilon - loss);
  }
  return sum;
}

/** k * ln p, also where p is zero. */
function power(logP: number, k: number): number {
  return k === 0 ? 0 : k * logP;
}

/** Covers the rounding of the sums, at most some 1e-12 for m up to 1000. */
const margin = 1e-9;

/** Budgets of the last few questions: the search takes seconds for a thousand mechanisms. */
const budgets = new Map<string, number>();

/**
 * The largest bounded range that m mechanisms may have each, within 1e-6 from below, so that together they are
 * (epsilon, delta)-DP. At least epsilon/m, which basic composition allows (a quotient that is rounded up is covered by what
 * the caller sets aside for rounding). delta(each) is monotone: a bounded range is also any larger one.
 */
export function boundedRangeBudget(m: number, epsilon: number, delta: number): number {
  const key = `${m},${epsilon},${delta}`;
  const budget = budgets.get(key) ?? search(m, epsilon, delta);
  budgets.set(key, budget);
  if (budgets.size > 32) budgets.delete(budgets.keys().next().value!);
  return budget;
}

function search(m: number, epsilon: number, delta: number): number {
  let low = epsilon / m;
  let high = 2 * epsilon + 1;
  while (high > low * (1 + 1e-6)) {
    const mid = (low + high) / 2;
    if (boundedRangeDelta(m, mid, epsilon) * (1 + margin) <= delta) low = mid;
    else high = mid;
  }
  return low;
}
