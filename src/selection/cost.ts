import { check } from './checks.js';

/** What a mechanism costs: (epsilon, delta)-DP, under whichever neighbouring relation the runs are. */
export interface Cost {
  /** Finite, at least 0. */
  readonly epsilon: number;
  /** At least 0; less than 1 for a run. */
  readonly delta: number;
}

/** @throws ScumbleError `epsilon_invalid` or `delta_invalid`, naming `of` too. */
export function checkCost({ epsilon, delta }: Cost, of = ''): void {
  const finite = epsilon >= 0 && epsilon < Number.POSITIVE_INFINITY;
  check(`${of}epsilon`, finite, 'a finite number of at least 0', epsilon, 'epsilon_invalid');
  check(`${of}delta`, delta >= 0 && delta < 1, 'at least 0 and less than 1', delta, 'delta_invalid');
}

/** The sum of costs, rounded up; of a single one it is that. */
export function sumOfCosts(...costs: readonly number[]): number {
  const paid = costs.filter((cost) => cost > 0);
  return paid.reduce((a, b) => a + b, 0) * (paid.length > 1 ? 1 + 2 ** -50 : 1);
}
