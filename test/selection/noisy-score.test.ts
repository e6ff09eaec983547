import { describe, expect, it } from 'vitest';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { noisyScore } from '../../src/selection/noisy-score.js';
import { chiSquareZ } from '../support/chi-square.js';
import { laplaceTail } from '../support/sparse-vector.js';

/** The law of the answer on the cells between some edges: a Laplace number of this scale about the average. */
function lawOf(scores: readonly number[], scale: number, edges: readonly number[]): number[] {
  const average = scores.reduce((a, b) => a + b, 0) / scores.length;
  const above = [1, ...edges.map((edge) => laplaceTail((edge - average) / scale)), 0];
  return above.slice(1).map((p, i) => above[i] - p);
}

const edges = Array.from({ length: 25 }, (_, i) => (i - 8) / 8);

describe('the noisy score of a validation set', () => {
  it.each([
    [[0, 1, 1, 0.5], 2],
    [[0.25], 0.5],
    [Array.from({ length: 40 }, (_, i) => (i % 4) / 4), 0.3],
  ])('is the average with Laplace noise of scale 1/(n*epsilon): %j', (scores, epsilon) => {
    const entropy = unsafeSeededEntropy(31);
    const seen = [...edges, 0].map(() => 0);
    for (let i = 0; i < 5000; i++) {
      const answer = noisyScore(scores, epsilon, entropy);
      expect(Number.isInteger(answer * 2 ** 40)).toBe(true);
      seen[edges.filter((edge) => answer >= edge).length]++;
    }
    expect(Math.abs(chiSquareZ(seen, lawOf(scores, 1 / (scores.length * epsilon), edges)))).toBeLessThan(5);
  });

  it.each([
    ['that of the mechanism', 1, true],
    ['that of a set twice as large', 0.5, false],
  ])('passes the audit under swap with the right noise only: %s', async (_, factor, passes) => {
    const epsilon = 0.7;
    const n = 3;
    const { loss } = await exhaustiveAudit({
      records: n,
      lattice: 3,
      relation: 'swap',
      outputs: [0, 5, 10, 15, 20, 25],
      // Records score 0, 1/2 or 1; only sets of the public size are asked for.
      law: (records) => (cell) =>
        records.length < n
          ? 0
          : Math.log(
              lawOf(
                records.map((record) => record / 2),
                factor / (n * epsilon),
                edges,
              )[cell],
            ),
    });
    if (passes) expect(loss).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
    else expect(loss).toBeGreaterThan(1.5 * epsilon);
  });

  it('lets no record count for more than 1 or less than 0, whatever it scores', () => {
    const twin = () => unsafeSeededEntropy(32);
    const plain = noisyScore([0, 1, 0, 0, 1], 1, twin());
    const odd = [Number.NaN, 1e300, -1e300, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    expect(noisyScore(odd, 1, twin())).toBe(plain);
    expect(noisyScore(Float64Array.from(odd), 1, twin())).toBe(plain);
  });

  it('is not cut off, which would make ties', () => {
    const entropy = unsafeSeededEntropy(33);
    const answers = Array.from({ length: 100 }, () => noisyScore([1, 1], 1, entropy));
    expect(answers.some((answer) => answer > 1)).toBe(true);
    expect(new Set(answers).size).toBe(100);
  });

  it.each([
    [[], 1, 'option_invalid'],
    [{ length: 2 ** 28 }, 1, 'option_invalid'],
    [[1], 0, 'epsilon_invalid'],
    [[1], Number.NaN, 'epsilon_invalid'],
  ])('refuses scores %j at epsilon %d', (scores, epsilon, code) => {
    expect(() => noisyScore(scores as number[], epsilon)).toThrow(expect.objectContaining({ code }));
  });
});
