// Gillenwater, Joseph, Kulesza 2021, figure 5: the t of CSmooth that makes the variance least, against the quantile. Chosen
// on synthetic data alone, as it must be: on private data the choice would leak.
import { positionOf } from '../dist/quantiles/smooth.js';
import { bestSigma } from '../dist/quantiles/smooth-noise.js';
import { largestPair } from '../dist/quantiles/smooth-sensitivity.js';
import { gaussian } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { evenly } from './metrics.mjs';
import { optionsOf, whole } from './options.mjs';

const n = 1000;
const gridSize = 50;

/** The t on the grid, from a hundredth of the total epsilon to all of it, with the least variance of the noise. */
function bestT(sorted, q, epsilon, total) {
  const position = positionOf(q, n);
  const left = { position: [-1], index: [-100] };
  const right = { position: [], index: [] };
  for (let i = 0; i <= position; i++) {
    left.position.push(i);
    left.index.push(sorted[i]);
  }
  for (let j = position; j < n; j++) {
    right.position.push(j);
    right.index.push(sorted[j]);
  }
  right.position.push(n);
  right.index.push(100);
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < gridSize; i++) {
    const t = total * 10 ** (-2 + (2 * i) / (gridSize - 1));
    const sigma = bestSigma(epsilon, t);
    const variance = 2 * Math.log(largestPair(left, right, t)) + 5 * sigma ** 2 - 2 * Math.log(epsilon - t / sigma);
    if (variance < least) [best, least] = [t, variance];
  }
  return best;
}

export function tunedT(args) {
  const { trials } = optionsOf(args, { trials: { ...whole, default: '40' } });
  const data = Array.from({ length: trials }, (_, trial) => gaussian(n, trial, 1).sort());
  const rows = [];
  for (const total of [1, 0.1])
    for (const m of [1, 2, 3, 5, 9, 15, 29]) {
      const means = evenly(m).map((q) => {
        const chosen = data.map((sorted) => bestT(sorted, q, total / Math.sqrt(m), total));
        return chosen.reduce((a, b) => a + b, 0) / trials;
      });
      for (const [j, t] of means.entries()) rows.push({ total: `epsilon ${total}`, m: `m = ${m}`, q: evenly(m)[j], t });
      console.error(`epsilon ${total}, m = ${m}: ${means.map((t) => t.toPrecision(2)).join(' ')}`);
    }
  writeFigure('tuned-t', rows, {
    title: 'The t of CSmooth with the least variance',
    subtitle: `n = ${n.toLocaleString('en-US')} records of N(0, 1), bounds -100 to 100, mean of ${trials} trials`,
    x: { key: 'q', label: 'quantile' },
    y: { key: 't', label: 't, mean over trials' },
    series: 'm',
    facet: 'total',
    log: true,
  });
}
