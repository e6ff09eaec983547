import { combine } from './count-estimate.js';
import type { TreeSettings } from './count-walk.js';
import { asForecast, type Forecast } from './forecast.js';
import type { MethodRequest } from './method.js';

/**
 * Forecasts the rank errors of a walk down a tree, on records that are distinct and spread evenly over the lattice.
 *
 * Within a node, the answer is where the estimates of its children reach a share of their total. Were that share at the
 * place x of b children, the error in records is that of a bridge of independent steps: the variance of a child's estimate
 * times x*(b - x)/b. At the root x is known, further down it may be anywhere. Errors of the levels add up, but a node
 * with few records cannot err by more than it holds.
 */
export function forecastTree(request: MethodRequest, settings: TreeSettings): Forecast {
  const { quantiles, aboutRows, measure } = request;
  const rows = aboutRows ?? Number.POSITIVE_INFINITY;
  const errors = quantiles.map((q) => {
    let variance = 0;
    let records = rows;
    let points = measure.size;
    for (let depth = 1; depth <= settings.height; depth++) {
      const children = Math.min(settings.branching, points);
      const place = depth === 1 ? q * (1 - q) * children : (children - 1) / 6;
      const noise = place * childVariance(settings, depth);
      variance += depth === 1 ? noise : 1 / (1 / noise + 6 / records ** 2);
      records /= children;
      points = Math.ceil(points / children);
    }
    return truncatedNormal(Math.sqrt(variance), -q * rows, (1 - q) * rows);
  });
  const expectedRankError = errors.map(({ mean }) => mean);
  const rankError95 = errors.map(({ most }) => most);
  return asForecast(expectedRankError, rankError95, aboutRows);
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
