// Khodak, Amin, Dick, Vassilvitskii 2023, figure 1: the largest gap against the number of quantiles, for the binary tree of
// exponential mechanisms and trees of K(m) children with either adaptation of the prior.
import { createLattice, latticeIndex, quantiles } from '../dist/index.js';
import { relations } from '../dist/privacy/guarantee.js';
import { optimalBranching } from '../dist/quantiles/tree-plan.js';
import { unsafeSeededEntropy } from '../dist/random/entropy.js';
import { column, gaussian, sample } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { globalRankNotPrivate } from './global-rank-not-private.mjs';
import { evenly, gap } from './metrics.mjs';
import { oneOf, optionsOf, whole } from './options.mjs';

const n = 1000;
const counts = [1, 3, 5, 9, 15, 22, 29, 49, 70, 99];
const forms = {
  'binary (AQ)': () => ({ branching: 2, power: 0, adaptation: 'conditional' }),
  'K-ary (edge-based)': (m) => ({ branching: optimalBranching(m), power: 1.5, adaptation: 'edge' }),
  'K-ary (conditional)': (m) => ({ branching: optimalBranching(m), power: 1.5, adaptation: 'conditional' }),
};

export async function kAry(args) {
  const {
    runs,
    relation,
    'global-rank-not-private': notPrivate,
  } = optionsOf(args, {
    runs: { ...whole, default: '40' },
    relation: { ...oneOf(relations), default: 'add-remove' },
    'global-rank-not-private': false,
  });
  const ages = column('adult/adult.data', 0);
  if (!ages) console.error('adult/adult.data is absent (SCUMBLE_DATA): without its ages');
  // Uniform priors on these bounds; ages are whole numbers, which the library is told and the published program is not.
  const sets = {
    'Gaussian, sd 1': { draw: (seed) => gaussian(n, seed, 1), bounds: [-10, 10], step: 2 ** -30 },
    ...(ages && { 'ages of Adult': { draw: (seed) => sample(ages, n, seed), bounds: [10, 120], step: 1 } }),
  };
  const rows = [];
  for (const epsilon of [1, 0.1])
    for (const [data, set] of Object.entries(sets))
      for (const [tree, form] of Object.entries(forms))
        for (const m of counts) {
          const list = evenly(m);
          let sum = 0;
          for (let run = 0; run < runs; run++) {
            const x = set.draw(run);
            const asked = { quantiles: list, epsilon, relation, ...form(m) };
            const answers = notPrivate ? replayNotPrivate(x, asked, set, run) : await release(x, asked, set, run);
            const sorted = x.toSorted();
            sum += Math.max(...list.map((q, j) => gap(sorted, q, answers[j])));
          }
          rows.push({ data: `${data}, epsilon ${epsilon}`, tree, m, maxGap: sum / runs });
          console.error(`${data}, epsilon ${epsilon}, ${tree}, ${m} quantiles: largest gap ${(sum / runs).toFixed(1)}`);
        }

  writeFigure(notPrivate ? 'k-ary-global-rank-not-private' : `k-ary-${relation}`, rows, {
    title: notPrivate
      ? 'NOT PRIVATE: the published program, global ranks in every node'
      : 'Trees of exponential mechanisms: binary or K-ary',
    subtitle: `n = ${n.toLocaleString('en-US')}, ${notPrivate ? 'not private at the stated epsilon' : relation}, uniform priors, ${runs} runs`,
    x: { key: 'm', label: 'number of quantiles', scale: { ticks: [1, 25, 50, 75, 99] } },
    y: { key: 'maxGap', label: 'largest gap over the quantiles, average over runs' },
    series: 'tree',
    facet: 'data',
  });
}

async function release(x, asked, { bounds, step }, seed) {
  return (await quantiles(x, { ...asked, bounds, step, method: 'approximate-quantiles', unsafeSeed: seed })).values;
}

/** With plain ranks, so ties are what they are in the published program: outputs lie between values. */
function replayNotPrivate(x, asked, { bounds }, seed) {
  const lattice = createLattice(bounds, 2 ** -30);
  const entropy = unsafeSeededEntropy(seed);
  const unit = () => (entropy.word() + (entropy.word() + 0.5) / 2 ** 32) / 2 ** 32;
  const records = Array.from(x, (value) => latticeIndex(lattice, value)).sort((a, b) => a - b);
  const settings = { ...asked, size: lattice.size, massBelow: (k) => k };
  return globalRankNotPrivate(records, settings, unit).map(lattice.value);
}
