/** One row: features in [-1, 1] and whether the income is above 50,000. */
export interface Record {
  readonly features: readonly number[];
  readonly label: number;
}

/** Records one after the other; record i has the features `values[at]` of `columns[at]` for at from starts[i] to starts[i+1]. */
export interface Dataset {
  readonly width: number;
  readonly starts: Uint32Array;
  readonly columns: Uint16Array;
  readonly values: Float64Array;
  readonly labels: Uint8Array;
}

export interface Parts {
  readonly training: Dataset;
  readonly validation: Dataset;
}

export const width: number;
export function person(line: string): Record | undefined;
export function recordsOf(lines: readonly string[]): Record[];
export function datasetOf(records: readonly Record[], features?: number): Dataset;
export function validates(line: string): boolean;
export function partsOf(text: string): Parts;
