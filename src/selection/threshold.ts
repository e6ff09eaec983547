import { check, checkCount, checkGamma, checkPositive } from './checks.js';
import { geometricCount } from './geometric.js';
import { leastCap } from './least-cap.js';
import { logMassChange } from './repetition-rdp.js';
import { logRho } from './rho.js';
import { type StoppingRule, stoppingRule } from './stopping-rule.js';

/** Options of {@link threshold}. */
export interface ThresholdOptions {
  /** A score of at least this ends the selection. A public constant, or released privately before; -Infinity takes the first run that does not fail. */
  readonly tau: number;
  /** The chance to give up after a run that fails, from 1e-12 to 1; or 0, without a cap, for runs with delta 0. */
  readonly gamma: number;
  /** The most runs. Default: no limit. {@link thresholdCap} finds the least one for a slack. */
  readonly cap?: number | undefined;
}

/**
 * The first run that reaches a known threshold; after each that does not, a coin of chance gamma gives up. Liu and Talwar, "Private
 * Selection from Private Candidates" (2019), Theorem 1.2 (3.1): twice the epsilon of a run at most, and what a cap adds.
 *
 * For runs that are (epsilon, delta)-DP the whole is (epsilon + ln rho + slack, delta/g)-DP, where `g = gamma + delta*(1-gamma)`,
 * `rho = (e^epsilon + g)/(1 + g*e^epsilon)` and the slack is `-ln(1 - (1-gamma)^cap)`. Smaller than the theorem's, whose delta is
 * `3*e^(2*epsilon+slack)*delta/gamma`, and attained: selection.proof.md.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function threshold({ tau, gamma, cap = Number.POSITIVE_INFINITY }: ThresholdOptions): StoppingRule {
  check('tau', tau < Number.POSITIVE_INFINITY, 'a number or -Infinity', tau);
  if (gamma !== 0) checkGamma(gamma);
  if (cap !== Number.POSITIVE_INFINITY) {
    checkCount('cap', cap);
    check('gamma', gamma > 0, 'above 0 where there is a cap: to give up for sure after so many runs costs that many');
  }
  const slack = thresholdSlack(gamma, cap);
  return stoppingRule({
    name: 'threshold',
    tau,
    count: geometricCount(gamma, cap),
    epsilon: (each, delta) => each + logRho(each, gamma + delta * (1 - gamma)) + slack,
    renyi(run) {
      const change = logMassChange(run, gamma);
      return (a) => run(a) + change - Math.log(gamma) / (a - 1) + (1 + 1 / (a - 1)) * slack;
    },
  });
}

/** What a cap adds to epsilon: `-ln(1 - (1-gamma)^cap)`. */
export function thresholdSlack(gamma: number, cap: number): number {
  return cap === Number.POSITIVE_INFINITY ? 0 : -Math.log(-Math.expm1(cap * Math.log1p(-gamma)));
}

/** The least cap that adds at most `slack` > 0 to the epsilon of {@link threshold}. */
export function thresholdCap(gamma: number, slack: number): number {
  checkGamma(gamma);
  checkPositive('slack', slack);
  return leastCap((cap) => thresholdSlack(gamma, cap) <= slack);
}
