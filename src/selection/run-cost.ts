import { must } from './checked.js';

/** What one run of any candidate costs: (epsilon, delta)-DP, of its output and score together. */
export interface RunCost {
  /** Finite, at least 0. */
  readonly epsilon: number;
  /** At least 0 and less than 1. */
  readonly delta: number;
}

/** @throws ScumbleError `epsilon_invalid` or `delta_invalid`. */
export function mustBeRunCost({ epsilon, delta }: RunCost) {
  must(epsilon >= 0 && Number.isFinite(epsilon), 'run.epsilon', 'a finite number >= 0', epsilon, 'epsilon_invalid');
  must(delta >= 0 && delta < 1, 'run.delta', 'a number of at least 0 and less than 1', delta, 'delta_invalid');
}

/** The sum of costs, rounded up; of a single one it is that. */
export function sumOfCosts(...costs: readonly number[]): number {
  const paid = costs.filter((cost) => cost > 0);
  return paid.reduce((a, b) => a + b, 0) * (paid.length > 1 ? 1 + 2 ** -50 : 1);
}
