// NOT PRIVATE at the stated epsilon. The K-ary release as the public program of Khodak et al. 2023 makes it, to replay its
// curves: every node uses ranks and targets among *all* records instead of its own, so a record moves the targets of nodes
// that it is not in, and the budgets of a level add up over its nodes. The test in test/audit shows by how much.

import { gridQuantile } from '../dist/quantiles/targets.js';
import { budgetTree } from '../dist/quantiles/tree-plan.js';
import { below } from './metrics.mjs';

/**
 * Draws m outputs from 0 … size-1, ascending. NOT PRIVATE.
 *
 * @param records ascending lattice indices.
 * @param settings quantiles, epsilon, size, branching, power, adaptation, and massBelow(k), the prior's mass below an output.
 * @param unit draws a number between 0 and 1.
 */
export function globalRankNotPrivate(records, settings, unit) {
  const outputs = new Array(settings.quantiles.length);
  const visit = (node, from, to) => {
    const drawn = drawsOf(node, records, settings, from, to).map((cells) => {
      let left = unit() * cells.reduce((sum, { weight }) => sum + weight, 0);
      const { first, last } = cells.find(({ weight }) => (left -= weight) <= 0) ?? cells.at(-1);
      return within(first, last, settings.massBelow, unit());
    });
    drawn.sort((a, b) => a - b);
    for (const [i, j] of node.pivots.entries()) outputs[j] = drawn[i];
    const ends = [from, ...drawn, to];
    for (const [s, child] of node.children.entries()) if (child) visit(child, ends[s], ends[s + 1]);
  };
  visit(treeOf(settings), 0, settings.size - 1);
  return outputs;
}

/** The law of the same on a small lattice: the probability of each vector of outputs, keyed by its text. NOT PRIVATE. */
export function globalRankLawNotPrivate(records, settings) {
  const lawOf = (node, from, to) => {
    if (!node) return [[[], 1]];
    let ways = [[[], 1]];
    for (const cells of drawsOf(node, records, settings, from, to)) {
      const total = cells.reduce((sum, { weight }) => sum + weight, 0);
      const points = cells.flatMap(({ first, last, weight }) => {
        const mass = (a, b) => settings.massBelow(b + 1) - settings.massBelow(a);
        const share = (k) => (weight / total) * (mass(k, k) / mass(first, last));
        return Array.from({ length: last - first + 1 }, (_, i) => [first + i, share(first + i)]);
      });
      ways = ways.flatMap(([drawn, p]) => points.map(([k, q]) => [[...drawn, k].sort((a, b) => a - b), p * q]));
    }
    return ways.flatMap(([drawn, p]) => {
      const ends = [from, ...drawn, to];
      let joint = [[[], p]];
      for (const [s, child] of node.children.entries()) {
        const below = lawOf(child, ends[s], ends[s + 1]);
        const own = s < drawn.length ? [drawn[s]] : [];
        joint = joint.flatMap(([head, x]) => below.map(([tail, y]) => [[...head, ...tail, ...own], x * y]));
      }
      return joint;
    });
  };
  const law = new Map();
  for (const [outputs, p] of lawOf(treeOf(settings), 0, settings.size - 1))
    law.set(outputs.join(), (law.get(outputs.join()) ?? 0) + p);
  return law;
}

function treeOf({ quantiles, branching, power }) {
  return budgetTree(quantiles.map(gridQuantile), { branching, power });
}

/** The outputs from … to in runs of one rank, with their weights in each draw of the node. */
function drawsOf({ pivots, rate }, records, { quantiles, epsilon, size, adaptation, massBelow }, from, to) {
  const runs = runsOf(records, from, to);
  const mass = ({ first, last }) => {
    if (adaptation === 'conditional') return massBelow(last + 1) - massBelow(first);
    // All mass beyond an end is an atom on it: a run by itself.
    return massBelow(last === to ? size : last + 1) - massBelow(first === from ? 0 : first);
  };
  return pivots.map((j) => {
    const target = Math.floor(quantiles[j] * records.length * (1 + 2 ** -50));
    const least = Math.min(...runs.map(({ rank }) => Math.abs(rank - target)));
    return runs.map((run) => {
      const gap = Math.abs(run.rank - target) - least;
      return { ...run, weight: mass(run) * Math.exp((-epsilon / 2) * rate * gap) };
    });
  });
}

/** Maximal runs of outputs with as many records below them; both ends are runs by themselves. */
function runsOf(records, from, to) {
  let rank = below(records, from);
  const runs = [];
  for (let first = from; first <= to; ) {
    const next = records[rank] ?? to;
    const last = first === from ? from : Math.min(next, first < to ? to - 1 : to);
    runs.push({ first, last, rank });
    first = last + 1;
    while (records[rank] < first) rank++;
  }
  return runs;
}

/** The output of a run that has this share of the run's mass before it. */
function within(first, last, massBelow, share) {
  const mass = massBelow(first) + share * (massBelow(last + 1) - massBelow(first));
  let [low, high] = [first, last + 1];
  while (high - low > 1) {
    const mid = Math.floor((low + high) / 2);
    if (massBelow(mid) <= mass) low = mid;
    else high = mid;
  }
  return low;
}
