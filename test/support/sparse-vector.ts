import type { SparseVectorNoise } from '../../src/selection/above-threshold.js';

export const laplaceTail = (z: number) => (z >= 0 ? Math.exp(-z) / 2 : 1 - Math.exp(z) / 2);
export const laplaceDensity = (z: number) => Math.exp(-Math.abs(z)) / 2;

/** The integral of `inner` against the noise of the threshold up to `most`, by a fine midpoint sum. */
export function overThreshold(noise: SparseVectorNoise, inner: (nu: number) => number, most = Infinity): number {
  const [from, to] = [-40 * noise.threshold, Math.min(most, 40 * noise.threshold)];
  const steps = 2000;
  const step = (to - from) / steps;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const nu = from + (i + 0.5) * step;
    sum += laplaceDensity(nu / noise.threshold) * inner(nu);
  }
  return (sum * step) / noise.threshold;
}

/** The chance of exactly these answers to the queries (at a threshold of 0) when the noise of the threshold is nu. */
export function answersGiven(
  nu: number,
  queries: readonly number[],
  answers: readonly boolean[],
  scale: number,
): number {
  return answers.reduce((chance, above, i) => {
    const over = (nu - queries[i]) / scale;
    return chance * laplaceTail(above ? over : -over);
  }, 1);
}

/** Answers of a run that halts at query i, or never (i = length). */
export function haltedAt(i: number, length: number): boolean[] {
  return Array.from({ length: Math.min(i + 1, length) }, (_, j) => j === i);
}

/** Every way to choose one of the items so many times. */
export function* words<T>(items: readonly T[], length: number): Generator<T[]> {
  if (length === 0) yield [];
  else for (const rest of words(items, length - 1)) for (const item of items) yield [item, ...rest];
}

/** The largest |ln ratio| of two laws. */
export function lossOf(p: readonly number[], q: readonly number[]): number {
  return Math.max(...p.map((x, i) => (x === q[i] ? 0 : Math.abs(Math.log(x / q[i])))));
}

/** The smallest delta at epsilon, both ways. */
export function deltaOf(p: readonly number[], q: readonly number[], epsilon: number): number {
  const above = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, x, i) => sum + Math.max(0, x - Math.exp(epsilon) * b[i]), 0);
  return Math.max(above(p, q), above(q, p));
}
