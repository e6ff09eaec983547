import { check, checkCount, checkShare, minGamma } from './checks.js';
import type { Cost } from './cost.js';
import { checkEta } from './negative-binomial.js';
import type { RunCount } from './run-count.js';
import type { StoppingRule } from './stopping-rule.js';
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
  return largestGamma('failure', failure, p, (gamma) => truncatedNegativeBinomial(eta, gamma));
}

/** The largest gamma for which all K runs fail with at most this probability, when one succeeds with the chance p. */
export function largestGamma(option: string, failure: number, p: number, count: (gamma: number) => RunCount): number {
  const fails = (gamma: number) => count(gamma).between(0, 1 - p, p);
  const least = fails(minGamma);
  check(option, least <= failure, `at least ${least.toPrecision(3)} for runs that succeed so seldom`, failure);
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
  checkCount('candidates', candidates);
  checkShare('failure', failure);
  return 1 / (2 * candidates);
}

/** A line of {@link costTable}. */
export interface CostRow {
  /** Its name. */
  readonly rule: string;
  /** The mean number of runs, which no data exceed. */
  readonly expected: number;
  /** The largest possible number of runs. */
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
