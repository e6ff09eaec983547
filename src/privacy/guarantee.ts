/**
 * Which data sets are neighbours: one record more or less (`add-remove`, the size is private) or one record replaced
 * (`swap`, the size is public).
 */
export type Relation = 'add-remove' | 'swap';

export const relations: readonly Relation[] = ['add-remove', 'swap'];

/**
 * Whose presence is protected: each `row` by itself, each unit of `count` of counted data (a row may stand for many), or
 * all rows (at most `maxRows`) that share a value of a column.
 */
export type PrivacyUnit =
  | 'row'
  | 'count'
  | {
      /** The column that tells units apart. */
      readonly column: string;
      /** The most rows of a unit that are used, at least 1; the noise pays for all of them. */
      readonly maxRows: number;
    };

/** What a release promises: (epsilon, delta)-differential privacy for neighbours that differ in one unit. */
export interface Guarantee {
  /** Which data sets are neighbours. */
  readonly relation: Relation;
  /** In what neighbours differ. */
  readonly unit: PrivacyUnit;
  /** No set of answers is more than e^epsilon times as likely for a neighbour … */
  readonly epsilon: number;
  /** … plus a probability of delta; 0 for pure differential privacy. */
  readonly delta: number;
}

/** How many records one unit can change: the factor by which its sensitivity grows. */
export function rowsPerUnit(unit: PrivacyUnit): number {
  return typeof unit === 'string' ? 1 : unit.maxRows;
}
