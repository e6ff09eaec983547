import { combine } from './count-estimate.js';
import { split } from './count-tree.js';
import type { TreeSettings } from './count-walk.js';
import { asForecast, type Forecast } from './forecast.js';
import type { MethodRequest } from './method.js';

/**
 * Forecasts the rank errors of a walk down a tree, on records that are distinct and spread evenly over the lattice.
 *
 * Within a node, the answer is where the estimates of its children reach a share of their total. Were that share at the
 * place x of b children, the error in records is that of a bridge of independent steps, even within a step: the variance
 * of a child's estimate times x*(b - x)/b - f*(1 - f), f the fraction of x. At the root x is known, further down it is as
 * uncertain as the error above is large beside the node. Errors of the levels add up, but a node with few records cannot
 * err by more than it holds.
 */
export function forecastTree(request: MethodRequest, settings: TreeSettings): Forecast {
  const { quantiles, aboutRows, measure } = request;
  const rows = aboutRows ?? Number.POSITIVE_INFINITY;
  const errors = quantiles.map((q) => {
    let variance = 0;
    let records = rows;
    let node = { first: 0, end: measure.size, depth: 0 };
    const at = q * measure.size;
    for (let children = split(node, settings); children.length > 0; children = split(node, settings)) {
      const length = node.end - node.first;
      const [share, blur] = [(at - node.first) / length, Math.sqrt(variance) / records];
      const b = children.length;
      const noise = (b * bridge(share, blur) - bridge(b * share, b * blur)) * childVariance(settings, node.depth + 1);
      variance += node.depth === 0 ? noise : 1 / (1 / noise + 6 / records ** 2);
      node = children.find(({ end }) => at < end)!;
      records *= (node.end - node.first) / length;
    }
    return truncatedNormal(Math.sqrt(variance), -q * rows, (1 - q) * rows);
  });
  const expectedRankError = errors.map(({ mean }) => mean);
  const rankError95 = errors.map(({ most }) => most);
  return asForecast(expectedRankError, rankError95, aboutRows);
}

/** The mean of u*(1 - u), u the fraction of a normal number with this mean and deviation, by its Fourier series. */
function bridge(mean: number, deviation: number): number {
  const u = mean - Math.floor(mean);
  // Of next to no deviation the series would be long.
  if (deviation < 1 / 128) return u * (1 - u);
  let sum = 1 / 6;
  for (let k = 1; k <= 1 / deviation; k++)
    sum -= (Math.cos(2 * Math.PI * k * u) * Math.exp(-2 * (Math.PI * k * deviation) ** 2)) / (Math.PI * k) ** 2;
  return sum;
}

/** The variance of the estimate of a child at this depth from below; what comes from above is common to all children. */
function childVariance({ noise, look = 0, height, branching }: TreeSettings, depth: number): number {
  let variance = noise.variance;
  for (let level = Math.min(look, height - depth); level > 0; level--)
    variance = combine({ value: 0, variance: noise.variance }, { value: 0, variance: branching * variance }).variance;
  return variance;
}

const cells = 4000;

/** The mean of |x| and what 95 % of them stay below, for a normal x that is kept between low <= 0 and high >= 0. */
function truncatedNormal(deviation: number, low: number, high: number): { mean: number; most: number } {
  // Noise below the least double moves nothing.
  if (deviation === 0) return { mean: 0, most: 0 };
  const from = Math.max(low, -8 * deviation);
  const width = (Math.min(high, 8 * deviation) - from) / cells;
  const errors = Array.from({ length: cells }, (_, i) => {
    const x = from + (i + 0.5) * width;
    return { size: Math.abs(x), chance: Math.exp(-((x / deviation) ** 2) / 2) };
  }).sort((a, b) => a.size - b.size);
  const total = errors.reduce((sum, { chance }) => sum + chance, 0);
  let sum = 0;
  const at = errors.find(({ chance }) => (sum += chance / total) >= 0.95) ?? errors[cells - 1];
  return { mean: errors.reduce((mean, { size, chance }) => mean + (size * chance) / total, 0), most: at.size };
}
