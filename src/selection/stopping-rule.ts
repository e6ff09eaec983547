import type { Entropy } from '../random/entropy.js';

/** What a run, or all of a selection, costs. */
export interface Cost {
  readonly epsilon: number;
  readonly delta: number;
}

/** When a selection stops and what it costs: public constants only. */
export interface StoppingRule {
  readonly name: string;
  readonly tau?: number | undefined;
  readonly runs: { readonly expected: number; readonly most: number };
  drawRuns(entropy: Entropy): number;
  total(run: Cost): Cost;
  perRun(total: Cost): Cost;
}
