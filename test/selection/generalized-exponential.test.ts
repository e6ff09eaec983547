import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { uniformBelow } from '../../src/random/exact.js';
import { generalizedScore, planGeneralizedExponential } from '../../src/selection/generalized-exponential.js';
import { bestOf } from '../support/best-of.js';
import { chiSquareZ } from '../support/chi-square.js';
import { laplaceDensity, laplaceTail } from '../support/sparse-vector.js';

describe('the plan of the generalised exponential mechanism', () => {
  it('has the parameters of the theorem, the number of runs rounded up', () => {
    const { gamma, draws, shift } = planGeneralizedExponential({ candidates: 5, runEpsilon: 0.5, beta: 0.1 });
    expect(gamma).toBeCloseTo(0.01, 15);
    expect(draws).toBe(231); // ceil(100*ln 10)
    expect(shift).toBeCloseTo(2 * Math.log(1155), 12);
  });

  it.each([
    [1, 0.1],
    [30, 0.1],
    [4, 0.9],
  ])('fails in each of three ways with at most beta: %d candidates, beta %d', (candidates, beta) => {
    const { gamma, draws, shift } = planGeneralizedExponential({ candidates, runEpsilon: 2, beta });
    expect((1 - gamma) ** draws).toBeLessThanOrEqual(beta);
    expect(draws * laplaceTail(2 * shift)).toBeLessThanOrEqual(beta * (1 + 1e-12));
    const p = 1 / (2 * candidates);
    expect((gamma * (1 - p)) / (gamma + p - gamma * p)).toBeLessThanOrEqual(beta);
  });

  it.each([
    [{ candidates: 0 }, 'candidates'],
    [{ runEpsilon: 0 }, 'runEpsilon'],
    [{ beta: 1 }, 'beta'],
  ])('refuses %j', (wrong, name) => {
    const options = { candidates: 2, runEpsilon: 1, beta: 0.1, ...wrong };
    expect(() => planGeneralizedExponential(options)).toThrow(name);
  });
});

describe('a score lowered by its sensitivity', () => {
  it('is drawn by its law', () => {
    const entropy = unsafeSeededEntropy(41);
    const [score, sensitivity, runEpsilon, shift] = [0.3, 0.2, 0.8, 2.5];
    const centre = score - shift * sensitivity;
    const edges = Array.from({ length: 21 }, (_, i) => centre + (i - 10) / 10);
    const above = [1, ...edges.map((edge) => laplaceTail(((edge - centre) * runEpsilon) / sensitivity)), 0];
    const seen = Array<number>(22).fill(0);
    for (let i = 0; i < 5000; i++) {
      const answer = generalizedScore(score, sensitivity, { runEpsilon, shift }, entropy);
      seen[edges.filter((edge) => answer >= edge).length]++;
    }
    const law = above.slice(1).map((p, i) => above[i] - p);
    expect(Math.abs(chiSquareZ(seen, law))).toBeLessThan(5);
  });

  it('costs epsilon for a change of one sensitivity, and twice that for two', () => {
    const density = (x: number, score: number) => laplaceDensity(((x - score) * 0.8) / 0.2);
    const loss = (change: number) =>
      Math.max(...[-3, 0, 0.1, 0.2, 3].map((x) => Math.abs(Math.log(density(x, 0) / density(x, change)))));
    expect(loss(0.2)).toBeCloseTo(0.8, 12);
    expect(loss(0.4)).toBeCloseTo(1.6, 12);
  });

  it('is minus infinity for what is not a finite number', () => {
    for (const score of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(generalizedScore(score, 1, { runEpsilon: 1, shift: 0 })).toBe(Number.NEGATIVE_INFINITY);
    expect(() => generalizedScore(0, 0, { runEpsilon: 1, shift: 0 })).toThrow(/sensitivity/);
  });
});

describe('a selection among scores of different sensitivities', () => {
  const [runEpsilon, beta] = [2, 0.1];
  // A good and steady candidate, and nine wild and poor ones.
  const candidates = [
    { score: 0.9, sensitivity: 0.005 },
    ...Array.from({ length: 9 }, () => ({ score: 0.1, sensitivity: 1 })),
  ];
  const plan = planGeneralizedExponential({ candidates: 10, runEpsilon, beta });

  /** How often the answer is worse than the theorem says. */
  const failures = (shift: number) => {
    const entropy = unsafeSeededEntropy(42);
    const promised = 0.9 - plan.shift * 0.005;
    let poor = 0;
    for (let i = 0; i < 100; i++) {
      const { index } = bestOf(entropy, plan.gamma, () => {
        const index = uniformBelow(entropy, candidates.length);
        const { score, sensitivity } = candidates[index];
        return { index, score: generalizedScore(score, sensitivity, { runEpsilon, shift }, entropy) };
      });
      if (candidates[index].score < promised) poor++;
    }
    return poor;
  };

  it('keeps what it promises, but for 3*beta; without the shift the wild ones win', () => {
    expect(failures(plan.shift)).toBeLessThanOrEqual(30 + 4 * Math.sqrt(100 * 0.3 * 0.7));
    expect(failures(plan.shift)).toBeLessThan(15);
    expect(failures(0)).toBeGreaterThan(50);
  });
});
