import { pureEpsilon, rdpLogDelta } from '../privacy/rdp.js';
import { check } from './checks.js';
import { poissonCount } from './poisson-count.js';
import { type StoppingRule, stoppingRule } from './stopping-rule.js';

/**
 * The best of a Poisson number of runs, BOTTOM if there are none: Papernot and Steinke 2022, Theorem 6, in a form that holds
 * for every mean. With the delta d that the runs have at epsilon `ln(1 + 1/(a-1))`, the Renyi divergence of order a is at most
 * `ln(e^-mean + mean*exp((a-1)*(r_a + mean*d)))/(a-1)`. The published form lacks `e^-mean`; for means below 1 it is false.
 *
 * Runs that are (epsilon, delta)-DP give (epsilon + m*tanh(epsilon/2), 1 - e^(-mean*delta))-DP, `m = mean*(1-delta)`: linear in the
 * mean, so a rule for Renyi accounting first of all. Proofs in selection.proof.md.
 *
 * @param mean how many runs are expected: above 0, at most 1e6.
 * @throws ScumbleError `option_invalid`.
 */
export function poisson({ mean }: { readonly mean: number }): StoppingRule {
  check('mean', mean > 0 && mean <= 1e6, 'above 0 and at most 1e6');
  return stoppingRule({
    name: 'poisson',
    count: poissonCount(mean),
    epsilon: (each, delta) => each + mean * (1 - delta) * Math.tanh(each / 2),
    renyi: (run) => (a) => {
      const epsilon = Math.log1p(1 / (a - 1));
      // A pure bound below that epsilon leaves no delta.
      const delta = pureEpsilon(run) <= epsilon ? 0 : Math.min(1, Math.exp(rdpLogDelta(run, epsilon)));
      const some = Math.log(mean) + (a - 1) * (run(a) + mean * delta);
      const [high, low] = some > -mean ? [some, -mean] : [-mean, some];
      return (high + Math.log1p(Math.exp(low - high))) / (a - 1);
    },
  });
}
