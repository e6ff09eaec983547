import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { uniformBelow } from '../../src/random/exact.js';
import { studentTail } from '../../src/random/student-t.js';
import { planSmoothScore, type SmoothScorePlan, smoothScore } from '../../src/selection/smooth-score.js';
import { bestOf } from '../support/best-of.js';
import { chiSquareZ } from '../support/chi-square.js';

const options = { candidates: 3, runEpsilon: 1, smoothness: 0.002, beta: 0.1 };

/** The log density of a score: the Student law of 3 degrees of freedom, moved and stretched. */
function logDensity(
  x: number,
  score: number,
  sensitivity: number,
  { admissible, shift }: Pick<SmoothScorePlan, 'admissible' | 'shift'>,
) {
  const scale = sensitivity / admissible;
  const z = (x - score) / scale + shift;
  return -2 * Math.log1p((z * z) / 3) - Math.log(scale);
}

/** The largest loss over neighbours as far apart as the smoothness b allows. */
function worst(noise: Pick<SmoothScorePlan, 'admissible' | 'shift'>, b: number): number {
  let loss = 0;
  for (const stretch of [-b, 0, b])
    for (const direction of [-1, 0, 1]) {
      const other = Math.exp(stretch);
      const moved = direction * Math.min(1, other);
      for (let i = -4000; i <= 4000; i++) {
        const x = Math.sinh(i / 400) / noise.admissible;
        loss = Math.max(loss, Math.abs(logDensity(x, 0, 1, noise) - logDensity(x, moved, other, noise)));
      }
    }
  return loss;
}

describe('a score of smooth sensitivity', () => {
  it.each([
    [1, 0.002, 3],
    [0.5, 0.0005, 10],
    [4, 0.02, 2],
  ])(
    'costs at most epsilon, and not much less: epsilon %d, smoothness %d, %d candidates',
    (runEpsilon, smoothness, candidates) => {
      const plan = planSmoothScore({ candidates, runEpsilon, smoothness, beta: 0.1 });
      const loss = worst(plan, smoothness);
      expect(loss).toBeLessThanOrEqual(runEpsilon);
      expect(loss).toBeGreaterThan(0.6 * runEpsilon);
    },
  );

  it('catches noise for twice the shift, sensitivities further apart, and the local sensitivity', () => {
    const plan = planSmoothScore(options);
    expect(worst({ ...plan, admissible: 2 * plan.admissible }, options.smoothness)).toBeGreaterThan(1.2);
    expect(worst(plan, 30 * options.smoothness)).toBeGreaterThan(1.2);
    // A local sensitivity may be ten times that of a neighbour.
    expect(worst(plan, Math.log(10))).toBeGreaterThan(4);
  });

  it('is drawn by its law', () => {
    const { admissible, shift } = { admissible: 0.4, shift: 1.7 };
    const [score, sensitivity] = [0.6, 0.05];
    const scale = sensitivity / admissible;
    const centre = score - shift * scale;
    const edges = Array.from({ length: 31 }, (_, i) => centre + (i - 15) / 20);
    const tail = (x: number) =>
      x >= centre ? studentTail((x - centre) / scale) : 1 - studentTail((centre - x) / scale);
    const above = [1, ...edges.map(tail), 0];
    const entropy = unsafeSeededEntropy(51);
    const seen = Array<number>(32).fill(0);
    for (let i = 0; i < 5000; i++) {
      const answer = smoothScore(score, sensitivity, { admissible, shift }, entropy);
      seen[edges.filter((edge) => answer >= edge).length]++;
    }
    const law = above.slice(1).map((p, i) => above[i] - p);
    expect(Math.abs(chiSquareZ(seen, law))).toBeLessThan(5);
  });

  it('is the score itself where no neighbour differs, and minus infinity where there is none', () => {
    const noise = { admissible: 1, shift: 3 };
    expect(smoothScore(0.625, 0, noise)).toBe(0.625);
    for (const [score, sensitivity] of [
      [Number.NaN, 1],
      [1, Number.NaN],
      [1, -1],
      [1, Number.POSITIVE_INFINITY],
    ])
      expect(smoothScore(score, sensitivity, noise)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('the plan of scores of smooth sensitivity', () => {
  it('fails in each of three ways with at most beta', () => {
    const { gamma, draws, shift } = planSmoothScore(options);
    expect((1 - gamma) ** draws).toBeLessThanOrEqual(0.1);
    expect(draws * studentTail(shift)).toBeLessThanOrEqual(0.1);
    expect(draws * studentTail(shift * 0.999)).toBeGreaterThan(0.1);
    expect(gamma).toBeCloseTo(0.1 / 6, 15);
  });

  it('spends all of the budget on shift, stretch and what the lowering costs', () => {
    const { admissible, shift } = planSmoothScore(options);
    const used = (2 / Math.sqrt(3)) * (admissible + shift * Math.expm1(0.002)) + 3 * 0.002;
    expect(used).toBeLessThanOrEqual(1);
    expect(used).toBeGreaterThan(1 - 1e-9);
  });

  it.each([
    [{ smoothness: 0.5 }, /smoothness must be smaller/],
    [{ smoothness: 0 }, /smoothness/],
    [{ candidates: 1.5 }, /candidates/],
    [{ beta: 0 }, /beta/],
    [{ runEpsilon: -1 }, /runEpsilon/],
  ])('refuses %j', (wrong, sentence) => {
    expect(() => planSmoothScore({ ...options, ...wrong })).toThrow(sentence);
  });

  it('keeps what it promises, but for 3*beta', () => {
    const plan = planSmoothScore({ ...options, runEpsilon: 3, smoothness: 0.01 });
    const candidates = [
      { score: 0.9, sensitivity: 1e-3 },
      { score: 0.2, sensitivity: 0.05 },
      { score: 0.1, sensitivity: 0.3 },
    ];
    const promised = 0.9 - (plan.shift * 1e-3) / plan.admissible;
    expect(promised).toBeGreaterThan(0.2);
    const entropy = unsafeSeededEntropy(52);
    let poor = 0;
    for (let i = 0; i < 150; i++) {
      const { index } = bestOf(entropy, plan.gamma, () => {
        const index = uniformBelow(entropy, 3);
        const { score, sensitivity } = candidates[index];
        return { index, score: smoothScore(score, sensitivity, plan, entropy) };
      });
      if (candidates[index].score < promised) poor++;
    }
    expect(poor).toBeLessThanOrEqual(150 * 0.3 + 4 * Math.sqrt(150 * 0.3 * 0.7));
  });
});
