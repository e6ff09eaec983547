import type { Numbers, RankSource } from '../../src/index.js';
import { sourceOf } from '../../src/ranks/memory.js';

export const deciles = { quantiles: 'deciles', bounds: [-100, 100], epsilon: 1 } as const;

/** Records spread evenly from -50 to 50. */
export const evenly = (n: number) => Float64Array.from({ length: n }, (_, i) => -50 + (100 * i) / n);

/** A source of one's own over numbers in memory. */
export async function sourceLike(numbers: Numbers, extra: Partial<RankSource> = {}): Promise<RankSource> {
  const { open } = await sourceOf(numbers);
  return { open, ...extra };
}
