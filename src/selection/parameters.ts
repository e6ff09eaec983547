import { check, minGamma } from './checks.js';
import { checkEta } from './negative-binomial.js';
import type { Cost, StoppingRule } from './stopping-rule.js';
import { truncatedNegativeBinomial } from './truncated-negative-binomial.js';

/** What a selection from several candidates shall achieve. */
export interface Wish {
  /** How many candidates there are; each run picks one of them uniformly. */
  readonly candidates: number;
  /**
   * With what probability at most no run is as good as the best candidate's median: then the answer is worse, or BOTTOM for a
   * threshold at that median. Between 0 and 1.
   */
  readonly failure: number;
}

/**
 * The largest gamma, and so the fewest runs, that grants a wish: a run is as good with a chance p of at least 1/(2*candidates), and
 * all K fail with probability `E[(1-p)^K]`. For {@link threshold} and {@link randomStopping} (eta = 1, the default) that is
 * `gamma*(1-p)/(p + gamma*(1-p))`; a cap adds its own share, at most `(1-gamma)^cap`.
 *
 * @param eta as in {@link negativeBinomial}; 0 for {@link logarithmic}. The smaller, the less can be had.
 * @throws ScumbleError `option_invalid`, also where even the least gamma fails more often.
 */
export function gammaFor({ candidates, failure, eta = 1 }: Wish & { readonly eta?: number | undefined }): number {
  const p = chanceOfBest(candidates, failure);
  checkEta(eta);
  const fails = (gamma: number) => truncatedNegativeBinomial(eta, gamma).between(0, 1 - p, p);
  const least = fails(minGamma);
  check('failure', least <= failure, `at least ${least.toPrecision(3)} with this eta and so many candidates`);
  let [low, high] = [minGamma, 1];
  if (fails(high) <= failure) return high;
  while (high > low * (1 + 1e-12)) {
    const mid = Math.sqrt(low * high);
    if (fails(mid) <= failure) low = mid;
    else high = mid;
  }
  return low;
}

/** The least mean with which {@link poisson} grants a wish: `e^(-mean*p) = failure`. */
export function poissonMeanFor({ candidates, failure }: Wish): number {
  return -Math.log(failure) / chanceOfBest(candidates, failure);
}

function chanceOfBest(candidates: number, failure: number): number {
  check('candidates', Number.isSafeInteger(candidates) && candidates >= 1, 'a whole number, at least 1');
  check('failure', failure > 0 && failure < 1, 'above 0 and below 1');
  return 1 / (2 * candidates);
}

/** A line of {@link costTable}. */
export interface CostRow {
  readonly rule: string;
  /** Runs: the mean that no data exceed, and the largest possible number. */
  readonly expected: number;
  readonly most: number;
  /** What every run may cost for the whole to cost the total. */
  readonly run: Cost;
  /** What the whole then costs: no more than was asked for. */
  readonly total: Cost;
}

/** Compares rules at the same total cost. */
export function costTable(rules: readonly StoppingRule[], total: Cost): CostRow[] {
  return rules.map((rule) => {
    const run = rule.perRun(total);
    return { rule: rule.name, ...rule.runs, run, total: rule.total(run) };
  });
}
