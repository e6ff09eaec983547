import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScumbleError } from '../../src/errors.js';
import { hardStopping } from '../../src/selection/hard-stopping.js';
import { lawOf, mixture, type Outcome } from '../../src/selection/law.js';
import { logarithmic, negativeBinomial } from '../../src/selection/negative-binomial.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import { threshold } from '../../src/selection/threshold.js';
import { capped, geometricPmf, poissonPmf, scores, tnbPmf } from './support.js';

const run = scores(0.5, 0.3, 0.2);
const probabilities = (law: { outcomes: readonly Outcome<unknown>[] }) => law.outcomes.map((o) => o.probability);
const close = (a: readonly number[], b: readonly number[], digits = 11) => {
  expect(a.length).toBe(b.length);
  a.forEach((x, i) => {
    expect(x).toBeCloseTo(b[i], digits);
  });
};

describe('figures', () => {
  it('of thresholding', () => {
    const law = lawOf(threshold({ tau: 2, gamma: 0.1, cap: 30 }), run);
    close([...probabilities(law), law.bottom], [0, 0, 0.714248230206, 0.285751769794]);
    expect(law.draws).toBeCloseTo((1 - 0.72 ** 30) / 0.28, 12);
    const hundred = (k: number, p: number) =>
      mixture(Array.from({ length: k }, (_, i) => scores(i === 0 ? 1 - p : 1, i === 0 ? p : 0)));
    const ten = lawOf(threshold({ tau: 1, gamma: 0.0025, cap: 1199 }), hundred(10, 0.5));
    expect(ten.draws).toBeCloseTo(19.09, 2);
    expect(ten.bottom).toBeCloseTo(0.04535, 5);
    const more = lawOf(threshold({ tau: 1, gamma: 5e-5, cap: 105967 }), hundred(100, 0.5));
    expect(more.draws).toBeCloseTo(198.03, 2);
    expect(more.bottom).toBeCloseTo(0.009852, 6);
  });

  it('of random stopping', () => {
    const rule = randomStopping({ gamma: 0.1 });
    const law = lawOf(rule, run);
    const neighbour = lawOf(rule, scores(0.6, 0.3, 0.1));
    close(probabilities(law), [0.0909090909091, 0.194805194805, 0.714285714286]);
    close(probabilities(neighbour), [0.130434782609, 0.343249427918, 0.526315789474]);
    const losses = law.outcomes.map((o, i) => Math.abs(Math.log(o.probability / neighbour.outcomes[i].probability)));
    expect(Math.max(...losses)).toBeCloseTo(0.5664573, 7);
  });

  it('of the hard stop', () => {
    close(
      probabilities(lawOf(hardStopping({ gamma: 0.1, cap: 23 }), run)),
      [0.090909100514, 0.195178882003, 0.713912017483],
    );
  });

  it('of expected numbers of runs', () => {
    const means = [-0.5, 0, 0.5, 1, 2].map((eta) => negativeBinomial({ eta, gamma: 0.01 }).runs.expected);
    close(means, [5.5, 21.4976, 55, 100, 198.0198], 4);
  });
});

/** The law by its definition: the sum over k of Pr[K = k] times that of the best, or the first that passes, of k draws. */
function naive(pmf: readonly number[], outcomes: readonly Outcome<number>[], tau?: number): number[] {
  const below = (score: number) => outcomes.reduce((sum, o) => (o.score < score ? sum + o.probability : sum), 0);
  const masses = outcomes.map(({ score, probability }) => {
    const at = outcomes.reduce((sum, o) => (o.score === score ? sum + o.probability : sum), 0);
    return pmf.reduce((sum, chance, k) => {
      if (tau === undefined) return sum + chance * ((below(score) + at) ** k - below(score) ** k) * (probability / at);
      let first = 0;
      for (let j = 0; j < k; j++) first += below(tau) ** j * probability;
      return score >= tau ? sum + chance * first : sum;
    }, 0);
  });
  return [...masses, 1 - masses.reduce((a, b) => a + b, 0)];
}

const random = fc
  .array(fc.record({ weight: fc.double({ min: 0.01, max: 1, noNaN: true }), score: fc.integer({ min: -3, max: 3 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((rows) => {
    const total = rows.reduce((sum, { weight }) => sum + weight, 0);
    return rows.map(({ weight, score }, output) => ({ output, score, probability: weight / total }));
  });

describe('the closed forms', () => {
  const most = 400;
  const rules = [
    ['threshold', threshold({ tau: 0, gamma: 0.2 }), geometricPmf(0.2, most)],
    ['threshold with a cap', threshold({ tau: 0, gamma: 0.2, cap: 7 }), capped(geometricPmf(0.2, most), 7)],
    ['random stopping', randomStopping({ gamma: 0.2 }), geometricPmf(0.2, most)],
    ['one run', randomStopping({ gamma: 1 }), [0, 1]],
    ['hard stopping', hardStopping({ gamma: 0.2, cap: 9 }), capped(geometricPmf(0.2, most), 9)],
    ['hard stopping at once', hardStopping({ gamma: 0.2, cap: 1 }), [0, 1]],
    ['negative binomial of eta 2', negativeBinomial({ eta: 2, gamma: 0.2 }), tnbPmf(2, 0.2, most)],
    ['negative binomial of eta 1/2', negativeBinomial({ eta: 0.5, gamma: 0.2 }), tnbPmf(0.5, 0.2, most)],
    ['negative binomial of eta -1/2', negativeBinomial({ eta: -0.5, gamma: 0.2 }), tnbPmf(-0.5, 0.2, most)],
    ['logarithmic', logarithmic({ gamma: 0.2 }), tnbPmf(0, 0.2, most)],
    ['poisson', poisson({ mean: 3 }), poissonPmf(3, 100)],
    ['poisson of a mean below 1', poisson({ mean: 0.3 }), poissonPmf(0.3, 100)],
  ] as const;

  it.each(rules)('%s: agree with the definition, and with the expected number of runs', (_, rule, pmf) => {
    expect(pmf.reduce((sum, p, k) => sum + k * p, 0)).toBeCloseTo(rule.runs.expected, 9);
    expect(pmf[0]).toBeCloseTo(rule.count.none, 12);
    fc.assert(
      fc.property(random, (outcomes) => {
        const law = lawOf(rule, outcomes);
        close([...probabilities(law), law.bottom], naive(pmf, outcomes, rule.tau), 10);
        expect([...probabilities(law), law.bottom].reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        expect(law.draws).toBeLessThanOrEqual(rule.runs.expected * (1 + 1e-12));
      }),
      { numRuns: 50 },
    );
  });

  it.each(rules)('%s: keep their precision for tiny masses', (_, rule) => {
    // A class cut into two has the mass of both, in which a loss of digits would show.
    for (const tiny of [1e-8, 1e-20, 1e-100])
      for (const better of [0, 1e-30, 0.3]) {
        const equal = (share: number) => rule.count.between(0.5 - better / 2, tiny * share, 0.5 + better / 2);
        const density = equal(1) / tiny;
        expect(equal(1e-3) / (tiny * 1e-3) / density).toBeCloseTo(1, 6);
        expect(density).toBeGreaterThan(0);
      }
  });

  it('are total at the edges', () => {
    expect(lawOf(threshold({ tau: 1, gamma: 0 }), scores(0.999, 0.001))).toMatchObject({ bottom: 0, draws: 1000 });
    const never = lawOf(threshold({ tau: 1, gamma: 0.25 }), scores(1, 0));
    expect([...probabilities(never), never.bottom, never.draws]).toEqual([0, 0, 1, 4]);
    expect(lawOf(threshold({ tau: 5, gamma: 0.25 }), scores(0.5, 0.5))).toMatchObject({ bottom: 1, draws: 4 });
    expect(lawOf(threshold({ tau: 5, gamma: 0.25, cap: 3 }), run).draws).toBeCloseTo(1 + 0.75 + 0.75 ** 2, 12);
    const first = lawOf(threshold({ tau: Number.NEGATIVE_INFINITY, gamma: 0.25 }), run);
    close([...probabilities(first), first.bottom, first.draws], [0.5, 0.3, 0.2, 0, 1]);
    const failed = lawOf(randomStopping({ gamma: 0.1 }), [
      { output: 'x', score: Number.NEGATIVE_INFINITY, probability: 1 },
    ]);
    expect(failed.outcomes[0].probability).toBeCloseTo(1, 12);
    for (const rule of [
      randomStopping({ gamma: 1e-9 }),
      logarithmic({ gamma: 1e-9 }),
      hardStopping({ gamma: 1e-9, cap: 1e11 }),
    ])
      expect(probabilities(lawOf(rule, run)).reduce((a, b) => a + b)).toBeCloseTo(1, 9);
  });

  it('of many candidates, alike, are those of one', () => {
    const law = lawOf(randomStopping({ gamma: 1e-5 }), mixture(Array.from({ length: 1e5 }, () => run)));
    expect(law.outcomes.filter((o) => o.score === 2).reduce((sum, o) => sum + o.probability, 0)).toBeCloseTo(
      lawOf(randomStopping({ gamma: 1e-5 }), run).outcomes[2].probability,
      9,
    );
  });

  it.each([
    [scores(0.5, 0.4), 'add up'],
    [scores(1.5, -0.5), 'add up'],
    [[{ output: 0, score: Number.NaN, probability: 1 }], 'NaN'],
  ])('refuse %j', (outcomes, message) => {
    expect(() => lawOf(randomStopping({ gamma: 0.5 }), outcomes)).toThrow(message);
  });

  it('refuse a threshold that nothing reaches and no coin ends', () => {
    expect(() => lawOf(threshold({ tau: 9, gamma: 0 }), run)).toThrow(ScumbleError);
  });
});
