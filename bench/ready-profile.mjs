import { createLattice } from '../dist/lattice/lattice.js';
import { jointExp, jointExpSettings } from '../dist/quantiles/joint-exp.js';
import { expandQuantiles } from '../dist/quantiles/quantile-list.js';
import { defaultInterpolation } from '../dist/quantiles/states.js';
import { gridQuantile } from '../dist/quantiles/targets.js';
import { secureEntropy } from '../dist/random/entropy.js';
import { locate } from '../dist/ranks/locate.js';
import { sourceOf } from '../dist/ranks/memory.js';
import { figure, minima, normalColumn } from './measure.mjs';

const quantiles = expandQuantiles('count:30');

/** (a) 30 quantiles from a ready rank profile: the mechanism alone, which should not depend on the number of records. */
export async function run() {
  const small = await readyRelease(1e5);
  const large = await readyRelease(1e7);
  for (let warm = 0; warm < 20; warm++) {
    await small();
    await large();
  }
  const milliseconds = await minima({ 'n = 1e5': () => small, 'n = 1e7': () => large });
  return {
    title: 'm = 30, epsilon 1, from a ready rank profile',
    figures: [
      figure('n = 1e7 against n = 1e5', milliseconds['n = 1e7'] / milliseconds['n = 1e5'], 1.5),
      figure('n = 1e7 in milliseconds', milliseconds['n = 1e7'], 10),
    ],
    milliseconds,
  };
}

/** Counts the records around the quantiles once; the result draws from what is then known, without reading any record. */
async function readyRelease(n) {
  const lattice = createLattice([-100, 100]);
  const source = await sourceOf(normalColumn(n));
  const view = await source.open({ lattice, nulls: 'drop' });
  const profile = await locate(view, lattice, { low: quantiles[0], high: quantiles.at(-1) });
  const cost = { quantiles: quantiles.map(gridQuantile), epsilon: 1, relation: 'add-remove', rowsPerUnit: 1 };
  const settings = jointExpSettings(cost, defaultInterpolation);
  const entropy = secureEntropy();
  return async () => (await jointExp(profile, settings)).sample(entropy);
}
