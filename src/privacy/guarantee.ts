/**
 * Which data sets are neighbours: one record more or less (`add-remove`, the size is private) or one record replaced
 * (`swap`, the size is public).
 */
export type Relation = 'add-remove' | 'swap';

export const relations: readonly Relation[] = ['add-remove', 'swap'];

/** Whose presence is protected: each `row` by itself, or all rows (at most `maxRows`) that share a value of a column. */
export type PrivacyUnit = 'row' | { readonly column: string; readonly maxRows: number };

/** What a release promises: (epsilon, delta)-differential privacy for neighbours that differ in one unit. */
export interface Guarantee {
  readonly relation: Relation;
  readonly unit: PrivacyUnit;
  readonly epsilon: number;
  readonly delta: number;
}

/** How many rows one unit can change: the factor by which its sensitivity grows. */
export function rowsPerUnit(unit: PrivacyUnit): number {
  return unit === 'row' ? 1 : unit.maxRows;
}
