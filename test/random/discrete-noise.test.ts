import { describe, expect, it } from 'vitest';
import { bernoulliExp, bernoulliExpFraction } from '../../src/random/bernoulli-exp.js';
import { discreteGaussian } from '../../src/random/discrete-gaussian.js';
import { discreteLaplace } from '../../src/random/discrete-laplace.js';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bigUniformBelow, uniformBelow } from '../../src/random/exact.js';
import type { Noise } from '../../src/random/noise.js';
import { chiSquareZ } from '../support/chi-square.js';

/** How far a count of successes is from what p predicts, in standard deviations. */
function deviations(draws: number, p: number, draw: () => boolean): number {
  let seen = 0;
  for (let i = 0; i < draws; i++) if (draw()) seen++;
  return Math.abs(seen - draws * p) / Math.sqrt(draws * p * (1 - p));
}

describe('a coin of chance exp(-x)', () => {
  it.each([
    [0n, 1n],
    [1n, 3n],
    [999n, 1000n],
    [1n, 1n],
    [7n, 2n],
    [10n ** 40n / 3n, 10n ** 40n],
    [25n * 10n ** 39n, 10n ** 40n],
  ])('falls as it should for x = %s/%s', (n, d) => {
    const entropy = unsafeSeededEntropy(5);
    const p = Math.exp(-Number(n) / Number(d));
    if (n === 0n) expect(bernoulliExp(entropy, n, d)).toBe(true);
    else expect(deviations(40_000, p, () => bernoulliExp(entropy, n, d))).toBeLessThan(5);
  });

  it('never fails at 0 and is as rare as e^-40 says at 40', () => {
    const entropy = unsafeSeededEntropy(6);
    for (let i = 0; i < 1000; i++) expect(bernoulliExpFraction(entropy, 0, 2 ** 53)).toBe(true);
    for (let i = 0; i < 1000; i++) expect(bernoulliExp(entropy, 40n, 1n)).toBe(false);
  });

  it('uses the alternating series: the number of the first failing coin decides', () => {
    const words = (list: number[]): Entropy => ({ word: () => list.shift()! });
    // x = 1/2: coin 1 needs the bit 0; coin 2 needs a 0 for the chance 1/2 first.
    const [zero, one] = [0, 2 ** 31];
    expect(bernoulliExpFraction(words([one]), 1, 2)).toBe(true);
    expect(bernoulliExpFraction(words([zero, one]), 1, 2)).toBe(false);
    expect(bernoulliExpFraction(words([zero, zero, one]), 1, 2)).toBe(false);
    expect(bernoulliExpFraction(words([zero, zero, zero, one]), 1, 2)).toBe(true);
  });
});

it('uniform integers keep to their range at every width, and big ones are uniform', () => {
  const entropy = unsafeSeededEntropy(7);
  for (let width = 0; width <= 53; width++)
    for (const n of [2 ** width - 1, 2 ** width, 2 ** width + 1].filter((n) => n >= 1 && n <= 2 ** 53)) {
      let most = 0;
      for (let i = 0; i < 200; i++) most = Math.max(most, uniformBelow(entropy, n));
      expect(most).toBeLessThan(n);
      // 200 draws reach the upper half, but with probability 2^-100 for even n.
      expect(most).toBeGreaterThanOrEqual(Math.floor(n / 2) - (n === 3 ? 1 : 0));
    }
  const third = (2n ** 100n + 1n) / 3n;
  const seen = [0, 0, 0, 0];
  for (let i = 0; i < 30_000; i++) seen[Number(bigUniformBelow(entropy, 2n ** 100n) / third)]++;
  expect(Math.abs(chiSquareZ(seen.slice(0, 3), [1 / 3, 1 / 3, 1 / 3]))).toBeLessThan(5);
});

const laws: [string, Noise][] = [
  ['Laplace of rate 1', discreteLaplace(1, 1)],
  ['Laplace of rate 0.3', discreteLaplace(3, 10)],
  ['Laplace of rate 2^-2, over 2^40', discreteLaplace(2 ** 38, 2 ** 40)],
  ['Laplace of rate 3.5', discreteLaplace(7, 2)],
  ['Laplace of rate 1/40', discreteLaplace(1, 40)],
  ['Gaussian of parameter 1', discreteGaussian(1n, 1n)],
  ['Gaussian of parameter 0.3', discreteGaussian(3n, 10n)],
  ['Gaussian of parameter 1/9', discreteGaussian(1n, 9n)],
  ['Gaussian of parameter 30', discreteGaussian(30n, 1n)],
  ['Gaussian of parameter 4.0000001', discreteGaussian(40000001n, 10000000n)],
  ['Gaussian of parameter 1000.5', discreteGaussian(2001n, 2n)],
];

describe.each(laws)('the discrete %s', (_, noise) => {
  const reach = Math.ceil(60 * Math.sqrt(noise.variance)) + 60;
  const support = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const chances = support.map((x) => Math.exp(noise.logProbability(x)));

  it('has a law that sums to 1, with the variance it says', () => {
    expect(chances.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    const variance = support.reduce((sum, x, i) => sum + x * x * chances[i], 0);
    expect(variance / noise.variance).toBeCloseTo(1, 9);
  });

  it('is drawn by its law', () => {
    const entropy = unsafeSeededEntropy(8);
    const seen = support.map(() => 0);
    const draws = 20_000;
    let sum = 0;
    for (let i = 0; i < draws; i++) {
      const x = noise.draw(entropy);
      seen[x + reach]++;
      sum += x;
    }
    expect(Math.abs(chiSquareZ(seen, chances))).toBeLessThan(5);
    expect(Math.abs(sum)).toBeLessThan(5 * Math.sqrt(noise.variance * draws));
    // The tails, which the chi-square pools: as many beyond 3 deviations as there should be.
    const cut = 3 * Math.sqrt(noise.variance);
    const beyond = support.reduce((p, x, i) => (Math.abs(x) > cut ? p + chances[i] : p), 0);
    const far = support.reduce((count, x, i) => (Math.abs(x) > cut ? count + seen[i] : count), 0);
    expect(Math.abs(far - draws * beyond)).toBeLessThan(5 * Math.sqrt(draws * beyond) + 5);
  });
});

describe('noise at the ends of its range', () => {
  const draws = (noise: Noise, count: number) => {
    const entropy = unsafeSeededEntropy(9);
    return Array.from({ length: count }, () => noise.draw(entropy));
  };
  const mean = (list: number[]) => list.reduce((a, b) => a + b) / list.length;

  it('is almost surely 0 when it is narrow', () => {
    expect(draws(discreteLaplace(100, 1), 1000).every((x) => x === 0)).toBe(true);
    expect(draws(discreteGaussian(1n, 1000n), 300).every((x) => x === 0)).toBe(true);
    expect(discreteGaussian(1n, 1000n).logProbability(0)).toBeCloseTo(0, 12);
    expect(discreteLaplace(100, 1).logProbability(1)).toBeCloseTo(-100, 9);
  });

  it.each([
    ['Laplace', discreteLaplace(1, 2 ** 46), Math.SQRT1_2],
    ['Gaussian', discreteGaussian(2n ** 88n, 1n), Math.sqrt(2 / Math.PI)],
  ])('%s is whole numbers of the right size when it is wide', (_, noise, ratio) => {
    const list = draws(noise, 2000);
    expect(list.every(Number.isSafeInteger)).toBe(true);
    // All residues occur, so no low bits are lost.
    expect(new Set(list.map((x) => Math.abs(x % 8))).size).toBe(8);
    expect(mean(list.map(Math.abs)) / Math.sqrt(noise.variance) / ratio).toBeGreaterThan(0.9);
    expect(mean(list.map(Math.abs)) / Math.sqrt(noise.variance) / ratio).toBeLessThan(1.1);
  });
});
