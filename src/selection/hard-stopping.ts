import { check, checkCap, checkGamma } from './checks.js';
import { geometricCount } from './geometric.js';
import { leastCap } from './least-cap.js';
import { logMassChange } from './repetition-rdp.js';
import { logRho } from './rho.js';
import { type StoppingRule, stoppingRule } from './stopping-rule.js';

/** Options of {@link hardStopping}. */
export interface HardStoppingOptions {
  /** The chance to stop after a run, from 1e-12 to 1. */
  readonly gamma: number;
  /** The most runs; {@link hardStoppingCap} finds the least one for a slack. */
  readonly cap: number;
}

/**
 * {@link randomStopping} with `cap` runs at most: Liu and Talwar 2019, Theorem 3.2 with its hard stop. From a cap of 2/gamma - 1 on
 * it costs the slack eta more, for every order of the Renyi curve too; a smaller cap costs `cap` runs. Runs with a delta cost
 * the chance that one of the K is bad. The theorem's own form for those, with sqrt(2*delta), is not used: selection.proof.md.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function hardStopping({ gamma, cap }: HardStoppingOptions): StoppingRule {
  checkGamma(gamma);
  checkCap(cap);
  const count = geometricCount(gamma, cap);
  const slack = hardStoppingSlack(gamma, cap);
  return stoppingRule({
    name: 'hard-stopping',
    count,
    epsilon: (each, delta) => each + 2 * logRho(each, gamma + delta * (1 - gamma)) + slack,
    renyi(run) {
      const change = 2 * logMassChange(run, gamma) + slack;
      return (a) => run(a) + change + Math.log(count.expected) / (a - 1);
    },
  });
}

/**
 * What a cap adds to epsilon: `ln(1 + gamma*T*(1-gamma)^(T-1)) - ln(1 - (1-gamma)^T)` for T >= 2/gamma - 1, else
 * Infinity.
 */
export function hardStoppingSlack(gamma: number, cap: number): number {
  if (cap < 2 / gamma - 1) return Number.POSITIVE_INFINITY;
  const logGo = Math.log1p(-gamma);
  const last = cap === 1 ? 1 : Math.exp((cap - 1) * logGo);
  return Math.log1p(gamma * cap * last) - Math.log(-Math.expm1(cap * logGo));
}

/** The least cap that adds at most `slack` > 0 to the epsilon of {@link hardStopping}. */
export function hardStoppingCap(gamma: number, slack: number): number {
  checkGamma(gamma);
  check('slack', slack > 0, 'above 0');
  return leastCap((cap) => hardStoppingSlack(gamma, cap) <= slack);
}
