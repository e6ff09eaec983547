// Gillenwater, Joseph, Kulesza 2021, figure 3: the average number of missed points against the number of quantiles.
import { parseArgs } from 'node:util';
import { quantiles } from '../dist/index.js';
import { column, gaussian, sample, uniform } from './data.mjs';
import { writeFigure } from './figure.mjs';

const n = 1000;
const counts = [1, 2, 3, 5, 7, 10, 15, 20, 25, 29];

/** The average over the quantiles of | #{x > truth} - #{x > output} |, truth being the value at index floor((n-1)*q). */
function missed(sorted, list, outputs) {
  const above = (v) => sorted.length - sorted.findLastIndex((x) => x <= v) - 1;
  const errors = list.map((q, j) => Math.abs(above(sorted[Math.floor((n - 1) * q)]) - above(outputs[j])));
  return errors.reduce((a, b) => a + b, 0) / errors.length;
}

export async function missedPoints(args) {
  const { values } = parseArgs({
    args,
    options: { trials: { type: 'string', default: '20' }, epsilon: { type: 'string', default: '1' } },
  });
  const trials = Number(values.trials);
  const epsilon = Number(values.epsilon);
  const ratings = column('goodreads/books_numeric.csv', 'average_rating');
  const pages = column('goodreads/books_numeric.csv', 'num_pages');
  const sets = {
    'Gaussian, sd 5': (seed) => gaussian(n, seed),
    'uniform, -5 to 5': (seed) => uniform(n, seed),
    ...(ratings && { 'book ratings': (seed) => sample(ratings, n, seed) }),
    // In hundreds, as in the paper: the bounds are -100 to 100 everywhere.
    ...(pages && { 'book pages / 100': (seed) => sample(pages, n, seed).map((x) => x / 100) }),
  };
  if (!ratings) console.error('goodreads/books_numeric.csv is absent (SCUMBLE_DATA): without its two columns');
  const rows = [];
  for (const [data, draw] of Object.entries(sets))
    for (const m of counts) {
      const list = Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
      let sum = 0;
      for (let trial = 0; trial < trials; trial++) {
        const x = draw(trial);
        const options = { quantiles: list, epsilon, bounds: [-100, 100], relation: 'swap', unsafeSeed: trial };
        sum += missed(x.toSorted(), list, (await quantiles(x, options)).values);
      }
      rows.push({ data, method: 'joint-exp', m, missed: sum / trials });
      console.error(`${data}: ${m} quantiles, ${(sum / trials).toFixed(2)} missed points on average`);
    }
  writeFigure('missed-points', rows, {
    title: 'Missed points against the number of quantiles',
    subtitle: `n = ${n}, epsilon ${epsilon}, swap, bounds -100 to 100, ${trials} trials`,
    x: { key: 'm', label: 'quantiles' },
    y: { key: 'missed', label: 'missed points, average over quantiles and trials' },
    series: 'method',
    facet: 'data',
  });
}
