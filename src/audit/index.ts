export { type ApproximateQuantilesAudit, auditApproximateQuantiles } from './approximate-quantiles.js';
export { type ExhaustiveRequest, type ExhaustiveResult, exhaustiveAudit, type LogLaw } from './exhaustive.js';
export { auditJointExp } from './joint-exp.js';
export type { QuantilesAudit, QuantilesAuditResult } from './quantiles-audit.js';
