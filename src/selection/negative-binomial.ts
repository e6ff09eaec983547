import { check, checkGamma } from './checks.js';
import { logMassChange } from './repetition-rdp.js';
import { logRho } from './rho.js';
import { type StoppingRule, stoppingRule } from './stopping-rule.js';
import { truncatedNegativeBinomial } from './truncated-negative-binomial.js';

/** Options of {@link negativeBinomial}. */
export interface NegativeBinomialOptions {
  /** Above -1 and up to 20; between -0.001 and 0.001 only 0. */
  readonly eta: number;
  /** From 1e-12 to 1: the smaller, the more runs. */
  readonly gamma: number;
}

/**
 * The best of a truncated negative binomial number of runs: Papernot and Steinke, "Hyperparameter Tuning with Renyi
 * Differential Privacy" (2022), Definition 1 and Theorem 2. The smaller eta, the less it costs and the more the number of runs
 * spreads; eta = 1 is {@link randomStopping}, eta = 0 {@link logarithmic}.
 *
 * For runs that are (epsilon, delta)-DP the whole is (epsilon + (1+eta)*ln rho, 1 - E[(1-delta)^K])-DP, rho as in
 * {@link randomStopping}; at most (2+eta)*epsilon. The Renyi curve is Theorem 2 with one term of its published script left out, which
 * is not proved: selection.proof.md.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function negativeBinomial({ eta, gamma }: NegativeBinomialOptions): StoppingRule {
  return negativeBinomialRule('negative-binomial', eta, gamma);
}

/** The best of a logarithmic number of runs: {@link negativeBinomial} with eta = 0, `Pr[K = k] = (1-gamma)^k/(k*ln(1/gamma))`. */
export function logarithmic({ gamma }: { readonly gamma: number }): StoppingRule {
  return negativeBinomialRule('logarithmic', 0, gamma);
}

/** The rule by any of its names. */
export function negativeBinomialRule(name: string, eta: number, gamma: number): StoppingRule {
  checkEta(eta);
  checkGamma(gamma);
  const count = truncatedNegativeBinomial(eta, gamma);
  return stoppingRule({
    name,
    count,
    epsilon: (each, delta) => each + (1 + eta) * logRho(each, gamma + delta * (1 - gamma)),
    renyi(run) {
      const change = (1 + eta) * logMassChange(run, gamma);
      return (a) => run(a) + change + Math.log(count.expected) / (a - 1);
    },
  });
}

/** Draws for an eta near 0 would take 1/|eta| times as long, and the costs hardly differ from those of 0. */
export function checkEta(eta: number): void {
  const allowed = 'above -1 and at most 20, and either 0 or at least 0.001 in size';
  check('eta', eta > -1 && eta <= 20 && (eta === 0 || Math.abs(eta) >= 0.001), allowed);
}
