import { asForecast, type Forecast, type ForecastRequest } from './forecast.js';
import type { Adaptation } from './method.js';
import type { TreeNode } from './tree-plan.js';

/** So many releases are followed, more where one is short: a low-discrepancy sequence, so the mean is good to a percent. */
function releasesFor(quantiles: number): number {
  return Math.round(Math.min(8192, Math.max(1024, 2 ** 16 / quantiles)));
}

/**
 * Forecasts the rank errors of ApproximateQuantiles from public facts: releases from records that are distinct and spread
 * evenly, followed from the root to the leaves. A node's error is that of its own draw plus what it takes over from the
 * ends of its interval; with the adaptation `edge` those ends attract the mass of a uniform prior beyond them. No
 * randomness: the draws of each level go through one coordinate of a Kronecker sequence.
 */
export function forecastTree(
  request: ForecastRequest,
  { tree, adaptation }: { tree: TreeNode; adaptation: Adaptation },
): Forecast {
  const { quantiles, aboutRows } = request;
  const releases = releasesFor(quantiles.length);
  const rows = aboutRows ?? Math.max(2 ** 30, 2 ** 20 / leastRate(tree));
  const errors = quantiles.map(() => new Float64Array(releases));
  const steps = kronecker(1 + draws(tree));
  const root = inDoubles(tree);
  for (let i = 0; i < releases; i++) {
    const point = steps.map((step) => (0.5 + i * step) % 1);
    // Where targets fall between two ranks is averaged over.
    const n = rows + Math.floor((2 * point[0] - 1) * Math.min(8, rows / 4));
    const drawn = adaptation === 'edge' ? { all: n, point } : { point };
    follow(root, 0, n, drawn, 1, (j, rank) => {
      errors[j][i] = Math.min(Math.abs(rank - quantiles[j] * n), Math.max(quantiles[j], 1 - quantiles[j]) * rows);
    });
  }
  const expectedRankError = errors.map((list) => list.reduce((a, b) => a + b, 0) / releases);
  const rankError95 = errors.map((list) => list.sort()[Math.ceil(0.95 * releases) - 1]);
  return asForecast(expectedRankError, rankError95, aboutRows);
}

/** A node with its targets as shares of its records. */
interface ShareNode {
  readonly pivots: readonly number[];
  readonly shares: readonly number[];
  readonly rate: number;
  readonly children: readonly (ShareNode | undefined)[];
}

function inDoubles({ pivots, targets, rate, children }: TreeNode): ShareNode {
  const shares = targets.map((target) => Number(target) / 2 ** 53);
  return { pivots, shares, rate, children: children.map((child) => child && inDoubles(child)) };
}

/** One release: the node's ranks between `low` and `high`, then those of its children. */
function follow(
  { pivots, shares, rate, children }: ShareNode,
  low: number,
  high: number,
  drawn: { readonly point: readonly number[]; readonly all?: number },
  next: number,
  found: (j: number, rank: number) => void,
): void {
  const length = high - low;
  const { point, all } = drawn;
  const [before, after] = all === undefined ? [0, 0] : [low, all - high];
  const ends = [low];
  for (const [i, share] of shares.entries())
    ends.push(low + rankAt(point[next + i], rate, share * length, length, before, after));
  ends.push(high);
  if (shares.length > 1) ends.sort((a, b) => a - b);
  for (let i = 0; i < pivots.length; i++) found(pivots[i], ends[i + 1]);
  for (let s = 0; s < children.length; s++) {
    const child = children[s];
    if (child) follow(child, ends[s], ends[s + 1], drawn, next + pivots.length, found);
  }
}

/**
 * The share u of the law exp(-c*|rank - target|) on the ranks 0 … most lies at or below this one. The first and the last
 * rank have so much mass more than 1.
 */
function rankAt(u: number, c: number, target: number, most: number, before: number, after: number): number {
  const whole = Math.floor(target);
  const fraction = target - whole;
  const left = Math.exp(-c * fraction) * -Math.expm1(-c * (whole + 1));
  const right = Math.exp(-c * (1 - fraction)) * -Math.expm1(-c * (most - whole));
  const atFirst = -before * Math.exp(-c * target) * Math.expm1(-c);
  const atLast = -after * Math.exp(-c * (most - target)) * Math.expm1(-c);
  const at = u * (atFirst + left + right + atLast) - atFirst;
  if (at < 0) return 0;
  if (at >= left + right) return most;
  // Steps away from the target, by inverting a truncated geometric law.
  const away = (share: number, ranks: number) =>
    Math.min(ranks - 1, Math.floor(-Math.log1p(share * Math.expm1(-c * ranks)) / c));
  if (at < left) return whole - away(1 - at / left, whole + 1);
  return whole + 1 + away((at - left) / right, most - whole);
}

/** Coordinates that the longest path goes through. */
function draws({ pivots, children }: TreeNode): number {
  return pivots.length + Math.max(...children.map((child) => (child ? draws(child) : 0)));
}

function leastRate({ rate, children }: TreeNode): number {
  return Math.min(rate, ...children.map((child) => (child ? leastRate(child) : rate)));
}

/** Steps of an additive sequence that fills the unit cube evenly: powers of the root of x^(d+1) = x + 1. */
function kronecker(dimensions: number): number[] {
  let root = 2;
  for (let i = 0; i < 64; i++) root = (1 + root) ** (1 / (dimensions + 1));
  return Array.from({ length: dimensions }, (_, i) => root ** -(i + 1));
}
