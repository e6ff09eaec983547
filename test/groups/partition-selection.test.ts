import { describe, expect, it } from 'vitest';
import { partitionSelection, selected } from '../../src/groups/partition-selection.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { chiSquareZ } from '../support/chi-square.js';

/** P(1 + Z >= threshold) summed term by term from the far end. */
function naiveChance(epsilon: number, size: number, threshold: number): number {
  const p = Math.exp(-epsilon);
  let sum = 0;
  for (let z = Math.ceil(740 / epsilon); z >= threshold - size; z--) sum += p ** Math.abs(z);
  return (sum * (1 - p)) / (1 + p);
}

describe('the threshold', () => {
  it.each([
    [1, 1e-6],
    [0.1, 1e-6],
    [0.01, 1e-9],
    [5, 1e-3],
    [0.3, 0.4],
    [1, 0.9],
    [3, 1e-300],
  ])('at epsilon %d and delta %d is the least that one record passes with at most delta', (epsilon, delta) => {
    const { threshold } = partitionSelection(epsilon, delta);
    expect(naiveChance(epsilon, 1, threshold)).toBeLessThanOrEqual(delta);
    if (threshold > 1) expect(naiveChance(epsilon, 1, threshold - 1)).toBeGreaterThan(delta);
  });

  it('counts the mass at the threshold itself', () => {
    const epsilon = Math.LN2;
    // P(Z >= 3) = 2^-3/(1 + 1/2) = 1/12
    expect(partitionSelection(epsilon, 1 / 12 + 1e-6).threshold).toBe(4);
    expect(partitionSelection(epsilon, 1 / 12 - 1e-6).threshold).toBe(5);
  });

  it('is a whole number also for the least epsilon and delta', () => {
    for (const [epsilon, delta] of [
      [2 ** -40, 5e-324],
      [2 ** -36, 1e-12],
      [100, 5e-324],
    ])
      expect(Number.isSafeInteger(partitionSelection(epsilon, delta).threshold)).toBe(true);
  });
});

describe('the law', () => {
  const epsilon = 0.4;
  const selection = partitionSelection(epsilon, 0.05);
  const sizes = [0, 1, 2, 4, 6, 7, 8, 9, 11, 15, 30];

  it('is that of its definition', () => {
    for (const size of sizes)
      expect(selection.chance(size)).toBeCloseTo(size === 0 ? 0 : naiveChance(epsilon, size, selection.threshold), 12);
  });

  it('is what is drawn, and groups are drawn independently', async () => {
    const entropy = unsafeSeededEntropy(3);
    const draws = 4000;
    const seen = sizes.map(() => 0);
    const pairs = [0, 0, 0, 0];
    const places = [...sizes.keys()];
    const [one, other] = [sizes.indexOf(7), sizes.indexOf(8)];
    for (let i = 0; i < draws; i++) {
      const listed = await selected(selection, sizes, places, entropy);
      for (const place of listed) seen[place]++;
      pairs[(listed.includes(one) ? 1 : 0) + (listed.includes(other) ? 2 : 0)]++;
    }
    expect(seen[0]).toBe(0);
    for (const [place, size] of sizes.entries()) {
      const p = selection.chance(size);
      if (size > 0) expect(Math.abs(chiSquareZ([seen[place], draws - seen[place]], [p, 1 - p]))).toBeLessThan(5);
    }
    const [p, q] = [selection.chance(7), selection.chance(8)];
    expect(Math.abs(chiSquareZ(pairs, [(1 - p) * (1 - q), p * (1 - q), (1 - p) * q, p * q]))).toBeLessThan(5);
  });

  it('gives what is drawn in the order asked, without groups that hold nothing', async () => {
    const large = [0, 1e6, 0, 1e6, 1e6];
    expect(await selected(selection, large, [4, 3, 2, 1, 0], unsafeSeededEntropy(1))).toEqual([4, 3, 1]);
    const signal = AbortSignal.abort();
    const many = Array<number>(300_000).fill(5);
    const stopped = selected(selection, many, [...many.keys()], unsafeSeededEntropy(1), signal);
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  });
});
