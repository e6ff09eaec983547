export { type ErrorCode, type ErrorGroup, ScumbleError } from './errors.js';
export type { NumbersByGroup } from './groups/memory.js';
export type { GroupsOptions } from './groups/options.js';
export { epsilonByGroup, type GroupsPlan, planByGroup, planByGroupOn } from './groups/plan.js';
export { type GroupRelease, type GroupsRelease, quantilesByGroup } from './groups/quantiles-by-group.js';
export type { GroupedSource, GroupsRequest, GroupsView } from './groups/source.js';
export { createLattice, type Lattice, latticeIndex } from './lattice/lattice.js';
export type { Prior } from './lattice/prior.js';
export type { Guarantee, PrivacyUnit, Relation } from './privacy/guarantee.js';
export * as bounds from './quantiles/bounds.js';
export { epsilonFor } from './quantiles/epsilon-for.js';
export { epsilonOn } from './quantiles/epsilon-on.js';
export type { Forecast } from './quantiles/forecast.js';
export { forecastQuantiles, planQuantilesOn } from './quantiles/forecast-on.js';
export type { Adaptation, TreeOptions } from './quantiles/method.js';
export type { MethodName } from './quantiles/methods.js';
export { maxEpsilon, type QuantilesOptions } from './quantiles/options.js';
export { type Plan, planQuantiles, type SourceFacts } from './quantiles/plan.js';
export {
  expectedGap,
  meanPredictionError,
  type Prediction,
  predictionError,
  totalPredictionError,
} from './quantiles/prediction.js';
export { publicPrior } from './quantiles/public-prior.js';
export type { QuantileList } from './quantiles/quantile-list.js';
export { type QuantilesRelease, quantiles } from './quantiles/quantiles.js';
export type { Reference } from './quantiles/reference.js';
export { counted } from './ranks/counted.js';
export type { Distribution, DistributionShape } from './ranks/distribution.js';
export type { Numbers } from './ranks/memory.js';
export type {
  BinList,
  CoarseCounts,
  FineCounts,
  IndexRange,
  RankSource,
  RankView,
  ViewRequest,
} from './ranks/source.js';
