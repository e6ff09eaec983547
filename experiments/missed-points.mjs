// Gillenwater, Joseph, Kulesza 2021, figures 3 and 6 and the appendix: missed points and distance error against the
// number of quantiles, for each method. Kaplan, Schnapp, Stemmer 2022: the same with up to 120 quantiles, --counts.
import { quantiles } from '../dist/index.js';
import { relations } from '../dist/privacy/guarantee.js';
import { zcdpEpsilon } from '../dist/privacy/zcdp.js';
import { methodNames } from '../dist/quantiles/methods.js';
import { column, gaussian, sample, uniform } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { distance, evenly, missedPoints as missed } from './metrics.mjs';
import { listOf, oneOf, optionsOf, positive, UsageError, whole } from './options.mjs';

const n = 1000;
/** For the methods that spend one. */
const delta = 1e-6;
/** As in the papers, where that is not what the method does by itself at this epsilon. */
const forms = {
  // Fits the curves of the last version best.
  'agg-tree 10^3': () => ({ method: 'agg-tree', branching: 10, height: 3 }),
  // CSmooth at rho = epsilon^2/2, which is a larger epsilon at this delta.
  'csmooth zCDP': (epsilon) => ({ method: 'csmooth', epsilon: zcdpEpsilon(epsilon ** 2 / 2, delta) }),
};

export async function missedPoints(args) {
  const names = [...methodNames, ...Object.keys(forms)];
  const {
    trials,
    epsilon,
    methods,
    counts,
    relation,
    data: begin,
  } = optionsOf(args, {
    trials: { ...whole, default: '20' },
    epsilon: { ...positive, default: '1' },
    methods: { ...listOf(oneOf(names)), default: names.join() },
    counts: { ...listOf(whole), default: '1,2,3,5,7,10,15,20,25,29' },
    relation: { ...oneOf(relations), default: 'swap' },
    data: { read: (text) => text, default: '' },
  });
  const ratings = column('goodreads/books_numeric.csv', 'average_rating');
  const pages = column('goodreads/books_numeric.csv', 'num_pages');
  if (!ratings) console.error('goodreads/books_numeric.csv is absent (SCUMBLE_DATA): without its two columns');
  const sets = {
    'Gaussian, sd 5': (seed) => gaussian(n, seed),
    'uniform, -5 to 5': (seed) => uniform(n, seed),
    ...(ratings && { 'book ratings': (seed) => sample(ratings, n, seed) }),
    // In hundreds, as in the paper: the bounds are -100 to 100 everywhere.
    ...(pages && { 'book pages / 100': (seed) => sample(pages, n, seed).map((x) => x / 100) }),
  };
  const chosen = Object.entries(sets).filter(([name]) => name.startsWith(begin));
  if (chosen.length === 0)
    throw new UsageError(`--data must be how one of these begins: ${Object.keys(sets).join('; ')}; not "${begin}".`);
  const rows = [];
  for (const [data, draw] of chosen)
    for (const method of methods)
      for (const m of counts) {
        const list = evenly(m);
        const row = { data, method, m, missed: 0, distance: 0 };
        for (let trial = 0; trial < trials; trial++) {
          const x = draw(trial);
          const options = {
            quantiles: list,
            bounds: [-100, 100],
            relation,
            epsilon,
            delta,
            ...(forms[method]?.(epsilon) ?? { method }),
          };
          const outputs = (await quantiles(x, { ...options, unsafeSeed: trial })).values;
          const sorted = x.toSorted();
          row.missed += missed(sorted, list, outputs) / trials;
          row.distance += distance(sorted, list, outputs) / trials;
        }
        rows.push(row);
        console.error(`${data}, ${method}, ${m} quantiles: ${row.missed.toFixed(2)} missed points on average`);
      }
  const figure = {
    subtitle: `n = ${n.toLocaleString('en-US')}, epsilon ${epsilon}, delta ${delta.toExponential()} where it is spent, ${relation}, bounds -100 to 100, ${trials} trials`,
    x: { key: 'm', label: 'number of quantiles' },
    series: 'method',
    facet: 'data',
    log: true,
  };
  const many = counts.at(-1) > 30 ? `-to-${counts.at(-1)}` : '';
  const at = `epsilon-${epsilon}${relation === 'swap' ? '' : `-${relation}`}${many}`;
  writeFigure(`missed-points-${at}`, rows, {
    ...figure,
    title: 'Missed points against the number of quantiles',
    y: { key: 'missed', label: 'missed points, average over quantiles and trials' },
  });
  writeFigure(`distance-${at}`, rows, {
    ...figure,
    title: 'Distance error against the number of quantiles',
    y: { key: 'distance', label: 'distance to the true quantile, average over quantiles and trials' },
  });
}
