import { quantiles } from '../dist/index.js';
import { figure, minima, normalColumn, repeatingColumn } from './measure.mjs';

const n = 1e7;
const options = { quantiles: 'deciles', bounds: [-100, 100], epsilon: 1 };
const release = (column) => () => () => quantiles(column, options);

/** What an exact answer would need first. The copy is not timed. */
const sort = (column) => () => {
  const copy = column.slice();
  return () => copy.sort();
};

/** (b) Deciles of an unsorted Float64Array, everything included. */
export async function runUnsorted() {
  const column = normalColumn(n);
  const milliseconds = await minima({ sort: sort(column), release: release(column) });
  return {
    title: 'deciles of 1e7 unsorted numbers, N(0, 5), against Float64Array.prototype.sort',
    figures: [figure('release against sort', milliseconds.release / milliseconds.sort, 0.15)],
    milliseconds,
  };
}

/** (d) The same where values repeat, which is where rank mechanisms and histograms tend to degenerate. */
export async function runTies() {
  const milliseconds = await minima({
    'sort of N(0, 5)': sort(normalColumn(n)),
    'one value': release(new Float64Array(n).fill(7.3)),
    '100 values': release(repeatingColumn(n, 100)),
  });
  const against = (name) =>
    figure(`${name} against sort of N(0, 5)`, milliseconds[name] / milliseconds['sort of N(0, 5)'], 0.15);
  return {
    title: 'deciles of 1e7 repeating numbers, against the sort of as many different ones',
    figures: [against('one value'), against('100 values')],
    milliseconds,
  };
}
