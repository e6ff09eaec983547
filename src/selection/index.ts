export { type RdpCurve, rdpEpsilon, rdpTable } from '../privacy/rdp.js';
export type { Entropy } from '../random/entropy.js';
export { type AboveThreshold, type AboveThresholdOptions, aboveThreshold } from './above-threshold.js';
export { type AmplifyOptions, type AmplifyUntilGoodOptions, amplifyBest, amplifyUntilGood } from './amplification.js';
export { auditSelection, type ClosePairs, closePairs, type RunPair, type SelectionAudit } from './audit.js';
export { type Candidate, failed, type Run, type RunOutcome, type ScoreRange } from './candidate.js';
export type { Cost } from './cost.js';
export {
  type GeneralizedExponentialOptions,
  type GeneralizedExponentialPlan,
  generalizedScore,
  planGeneralizedExponential,
} from './generalized-exponential.js';
export { type HardStoppingOptions, hardStopping, hardStoppingCap } from './hard-stopping.js';
export { lawOf, mixture, type Outcome, type SelectionLaw } from './law.js';
export { logarithmic, type NegativeBinomialOptions, negativeBinomial } from './negative-binomial.js';
export { noisyScore } from './noisy-score.js';
export { type CostRow, costTable, gammaFor, poissonMeanFor, type Wish } from './parameters.js';
export {
  type PercentileSparseVector,
  type PercentileSparseVectorOptions,
  percentileSparseVector,
} from './percentile-sparse-vector.js';
export { poisson } from './poisson.js';
export { randomStopping } from './random-stopping.js';
export type { RunCount } from './run-count.js';
export {
  planSampledSparseVector,
  type SampledSparseVector,
  type SampledSparseVectorOptions,
  type SampledSparseVectorPlan,
  sampledSparseVector,
} from './sampled-sparse-vector.js';
export { type Selection, type SelectOptions, select } from './select.js';
export { planSmoothScore, type SmoothScoreOptions, type SmoothScorePlan, smoothScore } from './smooth-score.js';
export type { Saved, SelectionState } from './state.js';
export type { StoppingRule, ThresholdSearch } from './stopping-rule.js';
export { type ThresholdOptions, threshold, thresholdCap } from './threshold.js';
export {
  planThresholdSearch,
  searchThreshold,
  type ThresholdSearchOptions,
  type ThresholdSearchPlan,
} from './threshold-search.js';
export { type UnknownThresholdOptions, unknownThreshold, unknownThresholdRun } from './unknown-threshold.js';
export { type ForBoth, type SetCosts, validationCosts } from './validation-costs.js';
