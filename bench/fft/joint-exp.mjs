import { largest, logConvolution } from './convolution.mjs';

/**
 * JointExp as published: the dynamic program over all ranks 0 … n, in log space, with each row one convolution by FFT.
 *
 * Source: Gillenwater, Joseph, Kulesza, "Differentially Private Quantiles" (ICML 2021), mechanism M_Q' and the program
 * of section 4, with the convolution by FFT of its later version. Kept as the reference that the bench compares with:
 * it is not private as a program, since the FFT loses small weights and outputs are doubles of any value.
 *
 * With alpha(j, i, k) the weight of prefixes of length j that end in exactly k copies of the interval i, only
 * alpha(j, i, 1) and the sum over k are stored; the others follow from them.
 *
 * @param {object} data
 * @param {Float64Array} data.sorted ascending, within the bounds
 * @param {number} data.lower
 * @param {number} data.upper
 * @param {number[]} data.quantiles ascending
 * @param {number} data.rate the exponent's c = epsilon / (2 * sensitivity)
 */
export function jointExpByFft({ sorted, lower, upper, quantiles, rate }) {
  const n = sorted.length;
  const m = quantiles.length;
  const start = (i) => (i === 0 ? lower : sorted[i - 1]);
  const end = (i) => (i === n ? upper : sorted[i]);
  const logWidth = Float64Array.from({ length: n + 1 }, (_, i) => Math.log(end(i) - start(i)));
  const gaps = [...quantiles, 1].map((q, j) => (q - (j === 0 ? 0 : quantiles[j - 1])) * n);
  const kernel = (j, distance) => -rate * Math.abs(distance - gaps[j]);
  // held[j]: the kernels at distance 0 of rows 1 … j, so that copies of an interval cost one subtraction.
  const held = new Float64Array(m);
  for (let j = 1; j < m; j++) held[j] = held[j - 1] + kernel(j, 0);
  const logFactorial = new Float64Array(m + 1);
  for (let k = 2; k <= m; k++) logFactorial[k] = logFactorial[k - 1] + Math.log(k);

  /** ln of what alpha(j, i, k) has beyond alpha(j - k + 1, i, 1). */
  const copies = (j, i, k) => (k === 1 ? 0 : (k - 1) * logWidth[i] + held[j] - held[j - k + 1] - logFactorial[k]);

  const single = [Float64Array.from(logWidth, (log, i) => log + kernel(0, i))];
  const any = [single[0]];
  const convolve = m > 1 ? logConvolution(n + 1) : undefined;
  for (let j = 1; j < m; j++) {
    const logKernel = Float64Array.from({ length: n + 1 }, (_, d) => kernel(j, d));
    logKernel[0] = Number.NEGATIVE_INFINITY; // the same interval again is a copy, not a step
    const row = convolve(logKernel, any[j - 1]);
    for (let i = 0; i <= n; i++) row[i] += logWidth[i];
    row[0] = Number.NEGATIVE_INFINITY;
    single.push(row);
    any.push(withCopies(j));
  }
  const last = any[m - 1].map((log, i) => log + kernel(m, n - i));
  const top = largest(last);
  const logTotal = top + Math.log(last.reduce((sum, log) => sum + Math.exp(log - top), 0));

  function withCopies(j) {
    const tops = single[j].slice();
    for (let k = 2; k <= j + 1; k++) {
      const from = single[j - k + 1];
      for (let i = 0; i <= n; i++) tops[i] = Math.max(tops[i], from[i] + copies(j, i, k));
    }
    const sums = new Float64Array(n + 1);
    for (let k = 1; k <= j + 1; k++) {
      const from = single[j - k + 1];
      for (let i = 0; i <= n; i++)
        if (tops[i] > Number.NEGATIVE_INFINITY) sums[i] += Math.exp(from[i] + copies(j, i, k) - tops[i]);
    }
    return tops.map((log, i) => log + Math.log(sums[i]));
  }

  return {
    /** Row j: ln alpha(j + 1, i, 1) by interval i. */
    single,
    /** Row j: ln of the sum over k of alpha(j + 1, i, k). */
    any,
    /** ln of the weight of all sequences by their last interval. */
    last,
    logTotal,
    /** Draws m values, ascending. @param {() => number} uniform in (0, 1), ends excluded */
    sample(uniform) {
      const values = [];
      let next = n;
      let length = n + 1;
      for (let j = m - 1; j >= 0; ) {
        const row = j;
        const before = next;
        const i = race(uniform, length, (i) => any[row][i] + kernel(row + 1, before - i));
        const k = 1 + race(uniform, row + 1, (more) => single[row - more][i] + copies(row, i, more + 1));
        for (let copy = 0; copy < k; copy++) values.push(start(i) + uniform() * (end(i) - start(i)));
        j -= k;
        next = length = i;
      }
      return values.sort((a, b) => a - b);
    },
  };
}

/** The winner among exponential clocks whose rates have these logarithms: a draw in proportion to the rates. */
function race(uniform, length, logRate) {
  let winner = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < length; i++) {
    const log = logRate(i);
    if (log === Number.NEGATIVE_INFINITY) continue;
    const arrival = Math.log(-Math.log(uniform())) - log;
    if (arrival < least) {
      least = arrival;
      winner = i;
    }
  }
  return winner;
}
