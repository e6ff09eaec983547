import { normalTail } from '../lattice/normal-tail.js';
import { type Entropy, unsafeSeededEntropy } from '../random/entropy.js';
import { bits, uniformBelow } from '../random/exact.js';
import { laplaceLogNormalTail } from '../random/laplace-log-normal.js';
import { asForecast, type Forecast } from './forecast.js';
import { positionOf, type SmoothQuantile } from './smooth.js';
import { bestSigma } from './smooth-noise.js';
import { type Candidates, largestPair } from './smooth-sensitivity.js';

/**
 * What stands for the data where a choice or a forecast of the smooth methods needs some: a normal law in the middle of the
 * bounds, its deviation a two-hundredth of their distance (N(0, 1) on [-100, 100], as in the paper), and as many records as
 * declared, or 1,000. Public, so nothing chosen by it costs any privacy.
 */
const deviation = 1 / 200;
const defaultRows = 1000;

/** Values of t that are tried, from a hundredth of the total epsilon to all of it. */
const gridSize = 50;
const tuned = new Map<string, number>();

/**
 * The smoothness with which the noise of a quantile has the least variance on the reference.
 *
 * @param epsilon of this quantile: its noise is (epsilon^2/2)-zCDP.
 * @param total of all quantiles.
 */
export function tunedSmoothness(quantile: number, epsilon: number, total: number, rows = defaultRows): number {
  const key = [quantile, epsilon, total, rows].join();
  const known = tuned.get(key);
  if (known !== undefined) return known;
  const samples = samplesAt(quantile, rows);
  let [best, least] = [total, Number.POSITIVE_INFINITY];
  for (let i = 0; i < gridSize; i++) {
    const t = total * 10 ** (-2 + (2 * i) / (gridSize - 1));
    const sigma = bestSigma(epsilon, t);
    const logSensitivity = samples.reduce((sum, sample) => sum + Math.log(largestPair(...sample, t)), 0) / sampled;
    const logVariance = 2 * logSensitivity + 5 * sigma ** 2 - 2 * Math.log(epsilon - t / sigma);
    if (logVariance < least) [best, least] = [t, logVariance];
  }
  if (tuned.size >= 1024) tuned.clear();
  tuned.set(key, best);
  return best;
}

type Sample = readonly [left: Candidates, right: Candidates];
/** So many samples are looked at; sensitivities depend on the gaps between records. */
const sampled = 12;

/** Records of samples of the reference on either side of a quantile, their values as shares of the bounds. */
function samplesAt(quantile: number, rows: number): Sample[] {
  const position = positionOf(quantile, rows);
  const entropy = unsafeSeededEntropy(0);
  return Array.from({ length: sampled }, () => {
    const left = side(position, -1, position, rows, entropy);
    const right = side(position, 1, rows - 1 - position, rows, entropy);
    return [
      { position: [-1, ...left.position.reverse()], index: [0, ...left.index.reverse()] },
      { position: [...right.position, rows], index: [...right.index, 1] },
    ];
  });
}

/**
 * The record at a position and `most` more of them on one side: all of the nearest, then every further one by a
 * twentieth. The shares of the law below them differ by sums of exponential gaps.
 */
function side(position: number, sign: 1 | -1, most: number, rows: number, entropy: Entropy): Candidates {
  const found: Candidates = { position: [], index: [] };
  let share = (position + 0.5) / rows;
  for (let d = 0, next = 0; d <= most && share > 0 && share < 1; d = next) {
    found.position.push(position + sign * d);
    found.index.push(0.5 + deviation * normalQuantile(share));
    next = Math.max(d + 1, Math.ceil(d * 1.05));
    share += (sign * gaps(next - d, entropy)) / rows;
  }
  return found;
}

/** The sum of so many standard exponential numbers; of many, what a few tell. */
function gaps(count: number, entropy: Entropy): number {
  const drawn = Math.min(count, 64);
  let sum = 0;
  for (let i = 0; i < drawn; i++) sum -= Math.log((entropy.word() + 0.5) / 2 ** 32);
  return (sum * count) / drawn;
}

function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 30; i++) {
    const mid = (low + high) / 2;
    if (normalTail(-mid) < p) low = mid;
    else high = mid;
  }
  return (low + high) / 2;
}

/** The law of |Z| as so many values of equal probability. */
const shares = 500;
const draws = 1000;

/** Expected rank errors on the reference, from draws that are the same each time. */
export function forecastSmooth(quantiles: readonly SmoothQuantile[], aboutRows: number | undefined): Forecast {
  const rows = aboutRows ?? defaultRows;
  const places = quantiles.map(({ quantile, noise }) => ({
    value: 0.5 + deviation * normalQuantile((positionOf(quantile, rows) + 0.5) / rows),
    scales: samplesAt(quantile, rows).map((sample) => largestPair(...sample, noise.smoothness) / noise.admissible),
    sizes: noiseShares(noise.sigma),
  }));
  const rankAt = (x: number) => (x <= 0 ? 0 : x >= 1 ? rows : rows * normalTail(-(x - 0.5) / deviation));
  const entropy = unsafeSeededEntropy(0);
  const errors = quantiles.map(() => new Float64Array(draws));
  for (let draw = 0; draw < draws; draw++) {
    const outputs = places.map(({ value, scales, sizes }) => {
      const noise = scales[draw % sampled] * sizes[uniformBelow(entropy, shares)];
      return bits(entropy, 1) === 1 ? value - noise : value + noise;
    });
    for (const [j, x] of outputs.sort((a, b) => a - b).entries())
      errors[j][draw] = Math.abs(rankAt(x) - quantiles[j].quantile * rows);
  }
  const expected = errors.map((list) => list.reduce((a, b) => a + b, 0) / draws);
  return asForecast(
    expected,
    errors.map((list) => list.sort()[Math.ceil(0.95 * draws) - 1]),
    aboutRows,
  );
}

const knownShares = new Map<number, Float64Array>();

function noiseShares(sigma: number): Float64Array {
  const known = knownShares.get(sigma);
  if (known) return known;
  const sizes = Float64Array.from({ length: shares }, (_, i) => {
    const tail = (1 - (i + 0.5) / shares) / 2;
    let [low, high] = [0, 1];
    while (laplaceLogNormalTail(high, sigma) > tail) high *= 2;
    for (let k = 0; k < 16; k++) {
      const mid = (low + high) / 2;
      if (laplaceLogNormalTail(mid, sigma) > tail) low = mid;
      else high = mid;
    }
    return (low + high) / 2;
  });
  if (knownShares.size >= 1024) knownShares.clear();
  knownShares.set(sigma, sizes);
  return sizes;
}
