import type { Dataset } from './people.mjs';

/** A private candidate's parameters. */
export interface Settings {
  readonly rate: number;
  readonly clip: number;
  readonly ridge: number;
}

/** Laws to draw from; each call gives a function that draws. */
export interface NoiseSource {
  gaussian(variance: bigint): () => number;
  laplace(s: number, t: number): () => number;
}

export interface Steps {
  readonly rho: number;
  readonly steps: number;
  readonly units: number;
}

export function gradientSum(
  data: Dataset,
  weights: ArrayLike<number>,
  scale: { readonly clip: number; readonly units: number },
): Float64Array;
export function stepVariance(steps: Steps): bigint;
export function train(
  data: Dataset,
  settings: Settings,
  plan: Steps & { readonly people: number },
  noise: Pick<NoiseSource, 'gaussian'>,
): Float64Array;
export function accuracy(data: Dataset, weights: ArrayLike<number>): number;
export function noisyAccuracy(
  data: Dataset,
  weights: ArrayLike<number>,
  price: { readonly epsilon: number; readonly people: number },
  noise: Pick<NoiseSource, 'laplace'>,
): number;
