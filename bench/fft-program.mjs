import { quantiles } from '../dist/index.js';
import { createLattice, latticeIndex } from '../dist/lattice/lattice.js';
import { uniformMeasure } from '../dist/lattice/measure.js';
import { forward } from '../dist/quantiles/chain.js';
import { Decay } from '../dist/quantiles/decay.js';
import { jointExpRate } from '../dist/quantiles/joint-exp.js';
import { expandQuantiles } from '../dist/quantiles/quantile-list.js';
import { plainRanks, statesOf } from '../dist/quantiles/states.js';
import { gaps, gridQuantile, times } from '../dist/quantiles/targets.js';
import { logWeight } from '../dist/random/weights.js';
import { largest } from './fft/convolution.mjs';
import { jointExpByFft } from './fft/joint-exp.mjs';
import { figure, minima, normalColumn, uniformNumbers } from './measure.mjs';

const list = expandQuantiles('count:30');
const bounds = [-100, 100];
const lattice = createLattice(bounds);
const targets = list.map(gridQuantile);
const rate = jointExpRate({ quantiles: targets, epsilon: 1, relation: 'add-remove', rowsPerUnit: 1 });
/** Weights of a row that are this many nats below its largest are expected of the FFT. */
const withinNats = 20;

/**
 * (e) The published program against ours. It starts from sorted records, ours from unsorted ones, sorting left out of one
 * and counting included in the other.
 */
export async function run() {
  const sections = [await compare(1000), await compare(100_000)];
  return {
    title: 'm = 30, epsilon 1: the published dynamic program by FFT over ours',
    figures: sections.flatMap(({ figures }) => figures),
    milliseconds: Object.assign({}, ...sections.map(({ milliseconds }) => milliseconds)),
    weights: sections.map(({ weights }) => weights),
  };
}

async function compare(n) {
  const column = normalColumn(n, n);
  // On lattice indices the published intervals [x_i, x_(i+1)) have as their widths our numbers of lattice points.
  const sorted = column.map((x) => latticeIndex(lattice, x)).sort();
  const program = () => jointExpByFft({ sorted, lower: -1, upper: lattice.size - 1, quantiles: list, rate });
  const uniform = uniformNumbers(3);
  const ours = () => quantiles(column, { quantiles: list, bounds, epsilon: 1 });
  for (let warm = 0; warm < 20; warm++) await ours();
  const [byFft, byKernel] = [`FFT program, n = ${n}`, `ours, n = ${n}`];
  const milliseconds = await minima({ [byFft]: () => () => program().sample(uniform), [byKernel]: () => ours });
  const { logDifference, totalVariation, weights } = agreement(program(), exactTable(sorted));
  return {
    milliseconds,
    weights: { n, ...weights },
    figures: [
      figure(`n = ${n}: FFT program against ours`, milliseconds[byFft] / milliseconds[byKernel]),
      figure(`n = ${n}: log weights within ${withinNats} nats of their row's largest, difference`, logDifference, 1e-4),
      figure(`n = ${n}: law of the last quantile's rank, total variation`, totalVariation, 1e-9),
    ],
  };
}

/** Our table over all ranks, as logarithms by state: no window, no floor, plain ranks. */
function exactTable(sorted) {
  const n = sorted.length;
  const [index, count] = [[], []];
  for (const x of sorted) {
    if (x === index.at(-1)) count[count.length - 1]++;
    else count[index.push(x) - 1] = 1;
  }
  const { rank, width, length } = statesOf(
    [{ first: 0, end: lattice.size, rank: 0, index, count }],
    plainRanks,
    uniformMeasure(lattice.size),
  );
  const lo = new Int32Array(targets.length);
  const hi = new Int32Array(targets.length).fill(length);
  const gapsInRanks = gaps(targets).map((gap) => times(gap, n));
  const table = forward({ rank, width, lo, hi, gaps: gapsInRanks, n, decay: new Decay(rate) });
  const logs = ({ x, e }) => Float64Array.from(x, (_, i) => logWeight(x[i], e[i]));
  return { rank, width, single: table.single.map(logs), last: logs(table.last), logTotal: table.logTotal };
}

/** Where the FFT's rows agree with the exact ones, and how many of its weights are zero or off by more than 1 %. */
function agreement(program, exact) {
  const { rank, width } = exact;
  const weights = { all: 0, lost: 0, wrong: 0 };
  let logDifference = 0;
  exact.single.forEach((row, j) => {
    // A convolution's error is relative to its largest value, before widths are multiplied on.
    const convolved = row.map((log, i) => log - Math.log(width[i]));
    const top = largest(convolved);
    row.forEach((log, i) => {
      if (log === Number.NEGATIVE_INFINITY) return;
      const difference = Math.abs(program.single[j][rank[i]] - log);
      weights.all++;
      if (difference === Number.POSITIVE_INFINITY) weights.lost++;
      else if (difference > 0.01) weights.wrong++;
      if (convolved[i] > top - withinNats) logDifference = Math.max(logDifference, difference);
    });
  });
  const probability = (log, logTotal) => Math.exp(log - logTotal);
  const totalVariation = exact.last.reduce(
    (sum, log, i) =>
      sum + Math.abs(probability(log, exact.logTotal) - probability(program.last[rank[i]], program.logTotal)) / 2,
    0,
  );
  return { logDifference, totalVariation, weights };
}
