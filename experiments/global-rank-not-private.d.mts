export interface GlobalRankSettings {
  readonly quantiles: readonly number[];
  readonly epsilon: number;
  /** Lattice points. */
  readonly size: number;
  /** The prior's mass of the outputs below k, for k = 0 … size. */
  massBelow(k: number): number;
  readonly branching: number;
  readonly power: number;
  readonly adaptation: 'conditional' | 'edge';
}

export function globalRankNotPrivate(
  records: readonly number[],
  settings: GlobalRankSettings,
  unit: () => number,
): number[];

export function globalRankLawNotPrivate(records: readonly number[], settings: GlobalRankSettings): Map<string, number>;
