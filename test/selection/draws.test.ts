import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { fractionOf } from '../../src/random/laplace-log-normal.js';
import { logBounds, powerBounds } from '../../src/selection/enclosures.js';
import { hardStopping } from '../../src/selection/hard-stopping.js';
import { lawOf } from '../../src/selection/law.js';
import { logarithmic, negativeBinomial } from '../../src/selection/negative-binomial.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';
import { threshold } from '../../src/selection/threshold.js';
import { chiSquareZ } from '../support/chi-square.js';
import { capped, geometricPmf, play, poissonPmf, scores, tnbPmf } from './support.js';

const draws = 20_000;

describe('the number of runs', () => {
  it.each<[string, StoppingRule, readonly number[]]>([
    ['random stopping', randomStopping({ gamma: 0.1 }), geometricPmf(0.1, 300)],
    ['one run', randomStopping({ gamma: 1 }), [0, 1]],
    ['hard stopping', hardStopping({ gamma: 0.1, cap: 23 }), capped(geometricPmf(0.1, 300), 23)],
    ['eta 2', negativeBinomial({ eta: 2, gamma: 0.1 }), tnbPmf(2, 0.1, 400)],
    ['eta 1/2', negativeBinomial({ eta: 0.5, gamma: 0.1 }), tnbPmf(0.5, 0.1, 300)],
    ['eta 0.001', negativeBinomial({ eta: 0.001, gamma: 0.1 }), tnbPmf(0.001, 0.1, 300)],
    ['eta -1/2', negativeBinomial({ eta: -0.5, gamma: 0.1 }), tnbPmf(-0.5, 0.1, 300)],
    ['eta -0.9', negativeBinomial({ eta: -0.9, gamma: 0.5 }), tnbPmf(-0.9, 0.5, 60)],
    ['logarithmic', logarithmic({ gamma: 0.1 }), tnbPmf(0, 0.1, 300)],
    ['logarithmic near 1', logarithmic({ gamma: 0.99 }), tnbPmf(0, 0.99, 20)],
    ['eta -1/2 near 1', negativeBinomial({ eta: -0.5, gamma: 0.99 }), tnbPmf(-0.5, 0.99, 20)],
    ['eta 1/2 near 1', negativeBinomial({ eta: 0.5, gamma: 0.99 }), tnbPmf(0.5, 0.99, 20)],
    ['poisson', poisson({ mean: 3 }), poissonPmf(3, 60)],
    ['poisson below 1', poisson({ mean: 0.3 }), poissonPmf(0.3, 40)],
    ['poisson of several parts', poisson({ mean: 150 }), poissonPmf(150, 400)],
  ])('%s has its law', (name, rule, pmf) => {
    const entropy = unsafeSeededEntropy(name.length);
    const seen = pmf.map(() => 0);
    for (let i = 0; i < draws; i++) seen[rule.drawRuns(entropy)]++;
    expect(seen.reduce((a, b) => a + b)).toBe(draws);
    expect(chiSquareZ(seen, pmf)).toBeLessThan(5);
  });

  it.each<[string, StoppingRule, (k: number) => number]>([
    ['random stopping', randomStopping({ gamma: 1e-6 }), (k) => Math.exp(k * Math.log1p(-1e-6))],
    ['logarithmic', logarithmic({ gamma: 1e-6 }), (k) => 1 - tnbPmf(0, 1e-6, k).reduce((a, b) => a + b)],
    ['eta 1/2', negativeBinomial({ eta: 0.5, gamma: 1e-6 }), (k) => 1 - tnbPmf(0.5, 1e-6, k).reduce((a, b) => a + b)],
  ])('%s has its law for a gamma of one in a million, far into the tail', (_, rule, beyond) => {
    const entropy = unsafeSeededEntropy(77);
    const edges = [0, 1, 10, 1000, 30_000, 100_000, 300_000, 1e6, 3e6, 6e6, Number.POSITIVE_INFINITY];
    const tails = edges.map((edge) => (edge === Number.POSITIVE_INFINITY ? 0 : beyond(edge)));
    const seen = edges.slice(1).map(() => 0);
    for (let i = 0; i < 5000; i++) {
      const k = rule.drawRuns(entropy);
      seen[edges.findIndex((edge) => k <= edge) - 1]++;
    }
    expect(
      chiSquareZ(
        seen,
        seen.map((_, i) => tails[i] - tails[i + 1]),
      ),
    ).toBeLessThan(5);
  });

  it('of least gammas and large means is drawn at once', () => {
    const entropy = unsafeSeededEntropy(5);
    for (const rule of [
      randomStopping({ gamma: 1e-12 }),
      logarithmic({ gamma: 1e-12 }),
      negativeBinomial({ eta: 20, gamma: 1e-12 }),
    ])
      expect(rule.drawRuns(entropy)).toBeGreaterThanOrEqual(1);
    expect(Math.abs(poisson({ mean: 1e5 }).drawRuns(entropy) - 1e5)).toBeLessThan(6 * Math.sqrt(1e5));
    expect(threshold({ tau: 0, gamma: 0 }).drawRuns(entropy)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a selection, played', () => {
  it.each<[string, StoppingRule]>([
    ['threshold', threshold({ tau: 2, gamma: 0.1 })],
    ['threshold with a cap', threshold({ tau: 2, gamma: 0.1, cap: 4 })],
    ['threshold without a coin', threshold({ tau: 1, gamma: 0 })],
    ['random stopping', randomStopping({ gamma: 0.1 })],
    ['hard stopping', hardStopping({ gamma: 0.1, cap: 5 })],
    ['negative binomial', negativeBinomial({ eta: 0.5, gamma: 0.2 })],
    ['logarithmic', logarithmic({ gamma: 0.1 })],
    ['poisson', poisson({ mean: 1.5 })],
  ])('%s follows its law and takes the expected number of runs', (name, rule) => {
    const entropy = unsafeSeededEntropy(name.length + 100);
    const law = lawOf(rule, scores(0.5, 0.3, 0.2));
    const seen = [0, 0, 0, 0];
    let total = 0;
    let squares = 0;
    for (let i = 0; i < draws; i++) {
      const { score, draws: took } = play(entropy, rule, [0.5, 0.3, 0.2]);
      seen[score < 0 ? 3 : score]++;
      total += took;
      squares += took ** 2;
    }
    expect(chiSquareZ(seen, [...law.outcomes.map((o) => o.probability), law.bottom])).toBeLessThan(5);
    const mean = total / draws;
    const error = Math.sqrt((squares / draws - mean ** 2) / draws);
    expect(Math.abs(mean - law.draws)).toBeLessThanOrEqual(5 * error + 1e-12);
  });
});

describe('enclosures', () => {
  it('of powers hold the exact value', () => {
    const x = { low: 3n << 62n, high: (3n << 62n) + 1n }; // 3/4 at 64 places
    const { low, high } = powerBounds(x, 40, 64);
    const exact = ((3n ** 40n) << 64n) / 4n ** 40n;
    expect(low <= exact && exact <= high).toBe(true);
    expect(high - low).toBeLessThan(200n);
    expect(powerBounds({ low: 0n, high: 0n }, 1, 64)).toEqual({ low: 0n, high: 0n });
  });

  it.each([1, 1.0000000001, 1.5, 2, Math.E, 1e6, 1e12])('of ln %d hold it, and more places agree', (x) => {
    const coarse = logBounds(fractionOf(x), 64);
    const fine = logBounds(fractionOf(x), 512);
    expect(Number(coarse.low) / 2 ** 64).toBeCloseTo(Math.log(x), 13);
    expect(coarse.low <= fine.high >> 448n && fine.low >> 448n <= coarse.high).toBe(true);
    expect(coarse.high - coarse.low).toBeLessThan(1000n);
    expect(fine.high - fine.low).toBeLessThan(1000n);
  });
});
