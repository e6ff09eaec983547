import { createLattice } from '../dist/lattice/lattice.js';
import { smoothSensitivities } from '../dist/quantiles/smooth-sensitivity.js';
import { locate } from '../dist/ranks/locate.js';
import { sourceOf } from '../dist/ranks/memory.js';
import { figure, minima, normalColumn } from './measure.mjs';

const smoothness = 0.001;

/** (g) Smooth sensitivity of the median from a ready rank profile, against the double maximum that defines it. */
export async function run() {
  const lattice = createLattice([-100, 100]);
  const numbers = normalColumn(4000);
  const view = await (await sourceOf(numbers)).open({ lattice, nulls: 'lower' });
  const profile = await locate(view, lattice, { low: 0, high: 1 });
  const sorted = numbers.toSorted().map((x) => Math.round((x - lattice.lower) / lattice.step));
  const position = 2000;
  const milliseconds = await minima({
    fast: () => () => smoothSensitivities(profile, [{ position, smoothness }]),
    double: () => () => doubleMaximum(sorted, lattice.size, position),
  });
  return {
    title: 'smooth sensitivity of the median of 4,000 records, against the double maximum',
    figures: [figure('search against double maximum', milliseconds.fast / milliseconds.double, 0.1)],
    milliseconds,
  };
}

function doubleMaximum(sorted, size, position) {
  const n = sorted.length;
  const value = (k) => (k < 0 ? 0 : k >= n ? size - 1 : sorted[k]);
  let most = 0;
  for (let i = -1; i <= position; i++)
    for (let j = position; j <= n; j++)
      most = Math.max(most, (value(j) - value(i)) * Math.exp(-smoothness * Math.max(j - i - 1, 0)));
  return most;
}
