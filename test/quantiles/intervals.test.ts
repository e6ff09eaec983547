import { describe, expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { createLattice, latticeIndex } from '../../src/lattice/lattice.js';
import { planIntervals } from '../../src/quantiles/intervals.js';
import { jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { planQuantiles } from '../../src/quantiles/plan.js';
import { quantiles } from '../../src/quantiles/quantiles.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';

const unit = (entropy: Entropy) => (entropy.word() + 0.5) / 2 ** 32;

/** A draw, and the population's quantile. */
const populations = {
  uniform: { draw: (e: Entropy) => unit(e) * 10, quantile: (q: number) => q * 10 },
  exponential: { draw: (e: Entropy) => -Math.log(unit(e)), quantile: (q: number) => -Math.log(1 - q) },
  logistic: { draw: (e: Entropy) => logit(unit(e)), quantile: (q: number) => logit(q) },
  cauchy: { draw: (e: Entropy) => tangent(unit(e)), quantile: (q: number) => tangent(q) },
  triangular: { draw: (e: Entropy) => Math.sqrt(unit(e)), quantile: (q: number) => Math.sqrt(q) },
};
const logit = (u: number) => Math.log(u / (1 - u));
const tangent = (u: number) => Math.tan(Math.PI * (u - 0.5));

describe('confidence intervals', () => {
  const n = 10_000;
  const list = [0.1, 0.5, 0.75];
  const lattice = createLattice([-50, 50]);
  const request = { quantiles: list, epsilon: 1, relation: 'add-remove' as const, rowsPerUnit: 1, aboutRows: n };

  it.each(Object.entries(populations))(
    'cover the quantiles of a %s population as often as they say',
    async (_, { draw, quantile }) => {
      const ends = planIntervals(request, 0.9);
      const all = [...list, ...ends.flatMap(({ lower, upper }) => [lower!, upper!])].sort((a, b) => a - b);
      const settings = jointExpSettings({ ...request, quantiles: all.map(gridQuantile) }, defaultInterpolation);
      let [covered, trials] = [0, 0];
      for (let set = 0; set < 40; set++) {
        const entropy = unsafeSeededEntropy(set);
        const cells = Float64Array.from({ length: n }, () => latticeIndex(lattice, draw(entropy))).sort();
        const law = await jointExp(wholeProfile(Array.from(cells), lattice.size), settings);
        for (let i = 0; i < 5; i++) {
          const values = law.sample(entropy).map(lattice.value);
          for (const [j, { lower, upper }] of ends.entries()) {
            const truth = quantile(list[j]);
            trials++;
            if (values[all.indexOf(lower!)] <= truth && truth <= values[all.indexOf(upper!)]) covered++;
          }
        }
      }
      // 600 intervals on 40 sets of data: three standard deviations of a right coverage, with room for their dependence.
      expect(covered / trials).toBeGreaterThan(0.9 - 0.06);
    },
  );

  it.each(Object.entries(populations))(
    'cover them as often when the size of a sample of a %s population is counted with noise',
    async (_, { draw, quantile }) => {
      let [covered, trials] = [0, 0];
      for (let set = 0; set < 40; set++) {
        const entropy = unsafeSeededEntropy(100 + set);
        const values = Float64Array.from({ length: n }, () => draw(entropy));
        for (let i = 1; i <= 3; i++) {
          const options = { quantiles: list, bounds: [-50, 50], epsilon: 1, interval: 0.9 } as const;
          const { intervals } = await quantiles(values, { ...options, unsafeSeed: 10 * set + i });
          for (const [j, [from, to]] of intervals!.entries()) {
            trials++;
            if (from <= quantile(list[j]) && quantile(list[j]) <= to) covered++;
          }
        }
      }
      // 360 intervals on 40 sets of data: three standard deviations of a right coverage, with room for their dependence.
      expect(covered / trials).toBeGreaterThan(0.9 - 0.06);
    },
    60_000,
  );

  it('are at most half as wide again as sampling and the mechanism make them', () => {
    const ends = planIntervals(request, 0.95);
    const { rankError95 } = planQuantiles({ quantiles: list, bounds: [0, 1], epsilon: 1, aboutRows: n }).forecast;
    for (const [j, { lower, upper }] of ends.entries()) {
      const sampling = 2 * 1.96 * Math.sqrt(n * list[j] * (1 - list[j]));
      expect((upper! - lower!) * n).toBeLessThan(1.5 * (sampling + rankError95[j]));
      expect((upper! - lower!) * n).toBeGreaterThan(sampling);
    }
  });

  it('come with the release, around each value, in the order asked', async () => {
    const values = Float64Array.from({ length: n }, (_, i) => (i % 1000) / 10);
    const options = {
      quantiles: [0.5, 0.001, 0.5],
      bounds: [0, 100],
      step: 0.1,
      epsilon: 1,
      aboutRows: n,
      interval: 0.95,
    } as const;
    const release = await quantiles(values, options);
    expect(release.intervals).toHaveLength(3);
    expect(release.intervals![0]).toEqual(release.intervals![2]);
    for (const [j, [low, high]] of release.intervals!.entries()) {
      expect(low).toBeLessThanOrEqual(release.values[j]);
      expect(high).toBeGreaterThanOrEqual(release.values[j]);
    }
    // Ten records below it: the interval reaches the lower bound.
    expect(release.intervals![1][0]).toBe(0);
    expect(release.guarantee.epsilon).toBe(1);
  });

  it('need joint-exp', () => {
    const options = { quantiles: 'median', bounds: [0, 1], epsilon: 1, interval: 0.9 } as const;
    expect(() => planQuantiles({ ...options, method: 'ind-exp' })).toThrow(/auto or joint-exp/);
    expect(() => planQuantiles({ ...options, aboutRows: 100, method: 'ind-exp' })).toThrow(/auto or joint-exp/);
    expect(() => planQuantiles({ ...options, aboutRows: 100, interval: 95 })).toThrow(/strictly between 0 and 1/);
  });
});
