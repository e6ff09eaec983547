import { hardStopping, hardStoppingCap } from '../../src/selection/hard-stopping.js';
import { logarithmic, negativeBinomial } from '../../src/selection/negative-binomial.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';
import { threshold, thresholdCap } from '../../src/selection/threshold.js';

/** Rules whose cost is attained by some runs, in the limit. */
export const tight: [string, StoppingRule][] = [0.3, 0.01].flatMap((gamma): [string, StoppingRule][] => [
  [`threshold, gamma ${gamma}`, threshold({ tau: 1, gamma })],
  [`random stopping, gamma ${gamma}`, randomStopping({ gamma })],
  [`eta 2, gamma ${gamma}`, negativeBinomial({ eta: 2, gamma })],
  [`eta 1/2, gamma ${gamma}`, negativeBinomial({ eta: 0.5, gamma })],
  [`eta -1/2, gamma ${gamma}`, negativeBinomial({ eta: -0.5, gamma })],
  [`logarithmic, gamma ${gamma}`, logarithmic({ gamma })],
]);
tight.push(
  ['one run', randomStopping({ gamma: 1 })],
  ['one run until the threshold', threshold({ tau: 1, gamma: 1, cap: 3 })],
  ['one run and a hard stop', hardStopping({ gamma: 0.1, cap: 1 })],
  ['poisson of mean 0.4', poisson({ mean: 0.4 })],
  ['poisson of mean 5', poisson({ mean: 5 })],
);

/** Rules with a cap: their slack is a bound, for any run. */
export const capped: [string, StoppingRule][] = [0.3, 0.01].flatMap((gamma): [string, StoppingRule][] => [
  [`threshold, cap 2, gamma ${gamma}`, threshold({ tau: 1, gamma, cap: 2 })],
  [`threshold, cap 5, gamma ${gamma}`, threshold({ tau: 1, gamma, cap: 5 })],
  [`threshold, slack 0.1, gamma ${gamma}`, threshold({ tau: 1, gamma, cap: thresholdCap(gamma, 0.1) })],
  [`hard stop, cap 3, gamma ${gamma}`, hardStopping({ gamma, cap: 3 })],
  [`hard stop, least cap, gamma ${gamma}`, hardStopping({ gamma, cap: hardStoppingCap(gamma, 10) })],
  [`hard stop, slack 0.01, gamma ${gamma}`, hardStopping({ gamma, cap: hardStoppingCap(gamma, 0.01) })],
]);
