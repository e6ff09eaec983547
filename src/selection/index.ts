export { type Candidate, failed, type Outcome, type Run, type ScoreRange } from './candidate.js';
export { type Selection, type SelectOptions, select } from './select.js';
export type { Saved, SelectionState } from './state.js';
export type { Cost, StoppingRule } from './stopping-rule.js';
