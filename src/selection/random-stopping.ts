import { negativeBinomialRule } from './negative-binomial.js';
import type { StoppingRule } from './stopping-rule.js';

/**
 * The best of K runs, where after each a coin of chance gamma says whether it was the last: Liu and Talwar, "Private
 * Selection from Private Candidates" (2019), Theorem 1.3 (3.2). Three times the epsilon of a run at most.
 *
 * For runs that are (epsilon, delta)-DP the whole is (epsilon + 2*ln rho, delta/g)-DP, where `g = gamma + delta*(1-gamma)` and
 * `rho = (e^epsilon + g)/(1 + g*e^epsilon)`; smaller than the theorem's 3*epsilon, and attained: selection.proof.md.
 *
 * @param gamma the chance to stop after a run, from 1e-12 to 1; 1/gamma runs are expected.
 * @throws ScumbleError `option_invalid`.
 */
export function randomStopping({ gamma }: { readonly gamma: number }): StoppingRule {
  return negativeBinomialRule('random-stopping', 1, gamma);
}
