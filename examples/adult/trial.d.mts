import type { Entropy } from '../../src/random/entropy.js';
import type { NoiseSource, Settings } from './logistic.mjs';
import type { Parts } from './people.mjs';

export interface Price {
  readonly rho: number;
  readonly epsilon: number;
}

export const plan: { readonly steps: number; readonly units: number; readonly people: number };
export function noiseFrom(entropy: Entropy): NoiseSource;
export function priceOf(cost: { readonly epsilon: number; readonly delta: number }): Price;
export function trial(
  parts: Parts,
  settings: Settings,
  price: Price,
  noise: NoiseSource,
): { readonly score: number; readonly output: { readonly weights: number[] } };
