import { describe, expect, it } from 'vitest';
import { createLattice } from '../../src/index.js';
import { jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';
import { locate } from '../../src/ranks/locate.js';
import { sourceOf } from '../../src/ranks/memory.js';

const n = 1000;
const lattice = createLattice([-100, 100]);

const uniform = (entropy: Entropy) => (entropy.word() + 0.5) / 2 ** 32;
const normal = (entropy: Entropy) =>
  Math.sqrt(-2 * Math.log(uniform(entropy))) * Math.cos(2 * Math.PI * uniform(entropy));
const populations = {
  'N(0, 5)': (entropy: Entropy) => 5 * normal(entropy),
  'U(-5, 5)': (entropy: Entropy) => 10 * uniform(entropy) - 5,
};

/** Average missed points: how many more or fewer records lie above the released value than above the true quantile. */
function missedPoints(sorted: Float64Array, quantiles: readonly number[], released: readonly number[]): number {
  const above = (value: number) => sorted.reduce((count, x) => count + Number(x > value), 0);
  const missed = quantiles.map((q, j) => Math.abs(above(sorted[Math.floor((n - 1) * q)]) - above(released[j])));
  return missed.reduce((a, b) => a + b) / quantiles.length;
}

/** The mean over data sets of the population and releases of each, in the way of the paper's first figure. */
async function meanMissedPoints(population: (entropy: Entropy) => number, m: number, sets: number, releases: number) {
  const quantiles = Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
  const cost = { quantiles: quantiles.map(gridQuantile), epsilon: 1, relation: 'swap', rowsPerUnit: 1 } as const;
  const entropy = unsafeSeededEntropy(m);
  let sum = 0;
  for (let set = 0; set < sets; set++) {
    const data = Float64Array.from({ length: n }, () => population(entropy)).sort();
    const view = await (await sourceOf(data)).open({ lattice, nulls: 'lower' });
    const profile = await locate(view, lattice, { low: quantiles[0], high: quantiles[m - 1] });
    const law = await jointExp(profile, jointExpSettings(cost, defaultInterpolation));
    for (let i = 0; i < releases; i++) sum += missedPoints(data, quantiles, law.sample(entropy).map(lattice.value));
  }
  return sum / (sets * releases);
}

describe.each(Object.entries(populations))('missed points of %s at n = 1000, epsilon 1', (_, population) => {
  it.each([
    [1, 2.05, 100, 80],
    [5, 4.3, 40, 40],
    [10, 6.1, 30, 30],
    [20, 8.7, 22, 20],
    [30, 13.3, 18, 20],
  ])('for m = %d are %d, as published', async (m, published, sets, releases) => {
    const mean = await meanMissedPoints(population, m, sets, releases);
    expect(Math.abs(mean / published - 1)).toBeLessThan(0.15);
  });
});
