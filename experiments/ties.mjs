// Tied data: deciles of the integer ages of Adult by every method; those that use ranks with interpolated and with plain ones.
import { createLattice } from '../dist/index.js';
import { uniformMeasure } from '../dist/lattice/measure.js';
import { approximateQuantiles, approximateQuantilesSettings } from '../dist/quantiles/approximate-quantiles.js';
import { boundedRange } from '../dist/quantiles/ind-exp.js';
import { jointExp, jointExpSettings } from '../dist/quantiles/joint-exp.js';
import { methods } from '../dist/quantiles/methods.js';
import { defaultInterpolation, plainRanks } from '../dist/quantiles/states.js';
import { gridQuantile } from '../dist/quantiles/targets.js';
import { unsafeSeededEntropy } from '../dist/random/entropy.js';
import { locate } from '../dist/ranks/locate.js';
import { sourceOf } from '../dist/ranks/memory.js';
import { column } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { evenly } from './metrics.mjs';
import { optionsOf, UsageError } from './options.mjs';

const lattice = createLattice([0, 120], 1);
const counts = [1, 3, 5, 9, 19];
const draws = 200;
const base = { epsilon: 1, delta: 1e-6, relation: 'swap', rowsPerUnit: 1, measure: uniformMeasure(lattice.size) };

/** How far a target lies outside the ranks that a value covers; `below[v]` records are less than v. */
function rankError(below, q, value) {
  const target = q * below.at(-1);
  return Math.max(0, below[value] - target, target - below[value + 1]);
}

/** Methods whose ranks may be interpolated: each gives a way to draw. */
const byRanks = {
  'joint-exp': async (request, profile, interpolation) => {
    const law = await jointExp(profile, jointExpSettings(costOf(request), interpolation));
    return (entropy) => law.sample(entropy);
  },
  'ind-exp': (request, ...rest) => separately(request, request.epsilon / request.quantiles.length, ...rest),
  'app-ind-exp': (request, ...rest) => separately(request, boundedRange(request), ...rest),
  'approximate-quantiles': async (request, profile, interpolation) => {
    const measures = request.quantiles.map(() => request.measure);
    const settings = approximateQuantilesSettings(costOf(request), interpolation, measures);
    return (entropy) => approximateQuantiles(profile, settings, entropy);
  },
};

async function separately(request, epsilon, profile, interpolation) {
  const laws = await Promise.all(
    request.quantiles.map((q) =>
      jointExp(profile, jointExpSettings(costOf({ ...request, quantiles: [q], epsilon }), interpolation)),
    ),
  );
  return (entropy) => laws.flatMap((law) => law.sample(entropy)).sort((a, b) => a - b);
}

const costOf = (request) => ({ ...request, quantiles: request.quantiles.map(gridQuantile) });

export async function ties(args) {
  optionsOf(args, {});
  const ages = column('adult/adult.data', 0);
  if (!ages) throw new UsageError('adult/adult.data is absent: set SCUMBLE_DATA.');
  const view = await (await sourceOf(ages)).open({ lattice, nulls: 'lower' });
  const profile = await locate(view, lattice, { low: 0, high: 1 });
  const below = Array.from({ length: lattice.size + 1 }, (_, value) => ages.filter((x) => x < value).length);
  const rows = [];
  const measured = async (data, method, m, drawing) => {
    const list = evenly(m);
    const draw = await drawing({ ...base, quantiles: list });
    const entropy = unsafeSeededEntropy(m);
    let sum = 0;
    for (let i = 0; i < draws; i++)
      for (const [j, value] of (await draw(entropy)).entries()) sum += rankError(below, list[j], value);
    rows.push({ data, method, m, error: sum / draws / m });
    console.error(`${method}, ${data}, ${m} quantiles: rank error ${(sum / draws / m).toFixed(2)} on average`);
  };
  for (const m of counts)
    for (const method of methods) {
      const drawing = byRanks[method.name];
      if (drawing) {
        await measured('interpolated ranks', method.name, m, (request) =>
          drawing(request, profile, defaultInterpolation),
        );
        await measured('plain ranks', method.name, m, (request) => drawing(request, profile, plainRanks));
      } else if (method.refusal({ ...base, quantiles: evenly(m) }) === undefined)
        await measured(
          'no ranks',
          method.name,
          m,
          async (request) => (entropy) => method.release(request, profile, entropy),
        );
    }
  await view.close();
  writeFigure('ties', rows, {
    title: 'Tied data: interpolated ranks, plain ones, and methods without',
    subtitle: `32,561 ages, step 1, epsilon 1, delta 1e-6 where it is spent, swap, ${draws} draws`,
    x: { key: 'm', label: 'number of quantiles', scale: { ticks: counts } },
    y: {
      key: 'error',
      label: 'rank error outside the tie, in records',
      // Linear near 0, where interpolated ranks are, and logarithmic beyond 1.
      scale: { type: 'symlog', constant: 1, ticks: [0, 1, 10, 100, 1000] },
    },
    series: 'method',
    facet: 'data',
  });
}
