export interface FftProgram {
  readonly single: readonly Float64Array[];
  readonly any: readonly Float64Array[];
  readonly last: Float64Array;
  readonly logTotal: number;
  sample(uniform: () => number): number[];
}

export function jointExpByFft(data: {
  readonly sorted: Float64Array;
  readonly lower: number;
  readonly upper: number;
  readonly quantiles: readonly number[];
  readonly rate: number;
}): FftProgram;
