export { type Candidate, failed, type Outcome, type Run, type ScoreRange } from './candidate.js';
export { hardStopping, hardStoppingCap, hardStoppingSlack } from './hard-stopping.js';
export { logarithmic, negativeBinomial } from './negative-binomial.js';
export { poisson } from './poisson.js';
export { randomStopping } from './random-stopping.js';
export { type Selection, type SelectOptions, select } from './select.js';
export type { Saved, SelectionState } from './state.js';
export type { Cost, StoppingRule } from './stopping-rule.js';
export { type ThresholdOptions, threshold, thresholdCap, thresholdSlack } from './threshold.js';
