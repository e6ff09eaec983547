// Bounds or scale wrong by a factor R: the error of a Cauchy prior grows with log(1 + R^2), that of bounds with log R.
import { quantiles } from '../dist/index.js';
import { gaussian } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { evenly, missedPoints as missed } from './metrics.mjs';
import { optionsOf, whole } from './options.mjs';

/** With few records the mass of a wrong prior beyond the data weighs against the ranks in between. */
const sizes = [50, 200, 1000];
const factors = [1, 10, 1e3, 1e6];

export async function unbounded(args) {
  const { trials } = optionsOf(args, { trials: { ...whole, default: '200' } });
  const list = evenly(5);
  const rows = [];
  for (const n of sizes)
    for (const factor of factors) {
      const priors = {
        'cauchy, scale too wide': { prior: { family: 'cauchy', location: 0, scale: 5 * factor } },
        'cauchy, location off': { prior: { family: 'cauchy', location: 5 * factor, scale: 5 } },
        'bounds too wide': { bounds: [-20 * factor, 20 * factor] },
      };
      for (const [method, known] of Object.entries(priors)) {
        let sum = 0;
        for (let trial = 0; trial < trials; trial++) {
          const x = gaussian(n, trial);
          const options = { quantiles: list, relation: 'swap', epsilon: 1, method: 'joint-exp', unsafeSeed: trial };
          const { values } = await quantiles(x, { step: 2 ** -20, ...options, ...known });
          sum += missed(x.toSorted(), list, values);
        }
        rows.push({ data: `n = ${n.toLocaleString('en-US')}`, method, factor, missed: sum / trials });
        console.error(`n = ${n}, ${method} by ${factor}: ${(sum / trials).toFixed(2)} missed points on average`);
      }
    }
  writeFigure('unbounded', rows, {
    title: 'What a wrong prior costs',
    subtitle: `5 quantiles of Gaussian records (sd 5), epsilon 1, swap, ${trials} trials`,
    x: { key: 'factor', label: 'wrong by a factor', scale: { type: 'log', ticks: factors, inset: 24 } },
    y: { key: 'missed', label: 'missed points, average over quantiles and trials' },
    series: 'method',
    facet: 'data',
  });
}
