import { createLattice } from '../dist/lattice/lattice.js';
import { uniformMeasure } from '../dist/lattice/measure.js';
import { methods } from '../dist/quantiles/methods.js';
import { expandQuantiles } from '../dist/quantiles/quantile-list.js';
import { secureEntropy } from '../dist/random/entropy.js';
import { locate } from '../dist/ranks/locate.js';
import { sourceOf } from '../dist/ranks/memory.js';
import { figure, minima, normalColumn } from './measure.mjs';

/** (f) The other methods from a ready rank profile, percentiles on a lattice of 2^40 points. */
export async function run() {
  const releases = {
    'approximate-quantiles, n = 1e5': await ready('approximate-quantiles', 1e5),
    'approximate-quantiles, n = 1e7': await ready('approximate-quantiles', 1e7),
    'agg-tree, n = 1e7': await ready('agg-tree', 1e7),
  };
  for (const release of Object.values(releases)) for (let warm = 0; warm < 20; warm++) await release();
  const milliseconds = await minima(
    Object.fromEntries(Object.entries(releases).map(([name, run]) => [name, () => run])),
  );
  const [small, large] = ['n = 1e5', 'n = 1e7'].map((n) => milliseconds[`approximate-quantiles, ${n}`]);
  return {
    title: 'percentiles, epsilon 1, add-remove, from a ready rank profile',
    figures: [
      figure('approximate-quantiles: n = 1e7 against n = 1e5', large / small, 1.5),
      figure('approximate-quantiles: n = 1e7 in milliseconds', large, 20),
      figure('agg-tree: 2^40 points in milliseconds', milliseconds['agg-tree, n = 1e7'], 50),
    ],
    milliseconds,
  };
}

/** A first release counts what is needed; later ones find most of it known. */
async function ready(name, n) {
  const method = methods.find((one) => one.name === name);
  const lattice = createLattice([-100, 100]);
  const quantiles = expandQuantiles('percentiles');
  const request = {
    quantiles,
    epsilon: 1,
    delta: 0,
    relation: 'add-remove',
    rowsPerUnit: 1,
    measure: uniformMeasure(lattice.size),
  };
  const view = await (await sourceOf(normalColumn(n))).open({ lattice, nulls: 'drop' });
  const profile = await locate(view, lattice, { low: quantiles[0], high: quantiles[quantiles.length - 1] });
  const entropy = secureEntropy();
  return () => method.release(request, profile, entropy);
}
