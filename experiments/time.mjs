// Gillenwater, Joseph, Kulesza 2021, figure 4: the time of a release against the number of quantiles and of records.
import { quantiles } from '../dist/index.js';
import { methodNames } from '../dist/quantiles/methods.js';
import { gaussian } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { evenly } from './metrics.mjs';
import { optionsOf } from './options.mjs';

/** Of so many the least is hardly disturbed by what else the machine does. */
const runs = 25;

/** The least time of a release from unsorted records to the answer, in milliseconds; the first run warms up. */
async function least(x, m, method) {
  const options = { quantiles: evenly(m), bounds: [-100, 100], relation: 'swap', epsilon: 1, delta: 1e-6, method };
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run <= runs; run++) {
    const start = performance.now();
    await quantiles(x, options);
    if (run > 0) best = Math.min(best, performance.now() - start);
  }
  return best;
}

export async function time(args) {
  optionsOf(args, {});
  const small = gaussian(1000, 1);
  const byQuantiles = [];
  const byRecords = [];
  for (const method of methodNames) {
    for (const m of [1, 5, 10, 20, 29])
      byQuantiles.push({ data: 'n = 1,000', method, m, ms: await least(small, m, method) });
    for (const n of [1e3, 1e4, 1e5, 1e6])
      byRecords.push({ data: 'm = 30', method, n, ms: await least(gaussian(n, 1), 30, method) });
    console.error(`${method}: ${byRecords.at(-1).ms.toFixed(1)} ms for 30 quantiles of 1,000,000 records`);
  }
  const figure = {
    subtitle: `epsilon 1, delta 1e-6, swap, bounds -100 to 100, Gaussian, forecast included, least of ${runs} runs`,
    y: { key: 'ms', label: 'milliseconds' },
    series: 'method',
    facet: 'data',
    log: true,
  };
  const [x, title] = [{ key: 'm', label: 'number of quantiles' }, 'Time of a release against the number of'];
  writeFigure('time-quantiles', byQuantiles, { ...figure, title: `${title} quantiles`, x });
  const records = { key: 'n', label: 'records', scale: { type: 'log', ticks: [1e3, 1e4, 1e5, 1e6] } };
  writeFigure('time-records', byRecords, { ...figure, title: `${title} records`, x: records });
}
