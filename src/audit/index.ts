export { type ExhaustiveRequest, type ExhaustiveResult, exhaustiveAudit, type LogLaw } from './exhaustive.js';
export { auditJointExp, type JointExpAudit, type JointExpAuditResult } from './joint-exp.js';
