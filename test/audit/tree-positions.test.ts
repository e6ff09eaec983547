import { expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { nodeDraws } from '../../src/quantiles/approximate-quantiles.js';
import { type Mark, wholeInterval } from '../../src/quantiles/interval-draw.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import type { TreeNode } from '../../src/quantiles/tree-plan.js';
import { settingsOf, type TreeCase } from '../support/tree-cases.js';

/*
 * The proof bounds the loss at fine positions, of which the released cells are a function. There the law of a binary tree
 * is a product over nodes, so its largest ratio is found by dynamic programming: also for crowded cells, the default
 * interpolation and more quantiles than can be enumerated.
 */

function lawOf(counts: readonly number[], asked: TreeCase) {
  const records = counts.flatMap((count, cell) => new Array<number>(count).fill(cell));
  const profile = wholeProfile(records, counts.length);
  const { interpolation, ...rest } = settingsOf(asked);
  const marks: Mark[] = [];
  let before = 0;
  for (const [cell, count] of counts.entries()) {
    for (const [at, share] of interpolation.ramp.entries()) {
      const steps = at >= 1 ? Math.min(count, interpolation.steps) : 0;
      marks.push({ cell, at, rank: before + steps + Math.max(count - interpolation.steps, 0) * share });
    }
    before += count;
  }
  const whole = wholeInterval(profile, interpolation);
  const draws = nodeDraws(profile, { interpolation, ...rest });
  /** The logarithms of the law of a node's draw on the positions `from … to`; `to` of all positions is the right end. */
  return async (node: TreeNode, from: number, to: number): Promise<Float64Array> => {
    const interval = { from: marks[from], to: marks[to] ?? whole.to };
    const [draw] = await draws(node, interval);
    return Float64Array.from(marks.slice(from, to + 1), (mark) => Math.log(draw.probability(mark)));
  };
}

/** The largest ln P(positions | a)/P(positions | b). */
async function largestRatio(a: readonly number[], b: readonly number[], asked: TreeCase): Promise<number> {
  const [lawA, lawB] = [lawOf(a, asked), lawOf(b, asked)];
  const known = new Map<TreeNode, Map<string, Promise<number>>>();
  const worst = (node: TreeNode | undefined, from: number, to: number): Promise<number> => {
    if (!node) return Promise.resolve(0);
    const below = known.get(node) ?? new Map<string, Promise<number>>();
    known.set(node, below);
    const key = `${from} ${to}`;
    const value = below.get(key) ?? compute(node, from, to);
    below.set(key, value);
    return value;
  };
  const compute = async (node: TreeNode, from: number, to: number) => {
    const [logsA, logsB] = [await lawA(node, from, to), await lawB(node, from, to)];
    const [left, right] = node.children;
    let most = -Infinity;
    for (let i = 0; i < logsA.length; i++) {
      const rest = (await worst(left, from, from + i)) + (await worst(right, from + i, to));
      most = Math.max(most, logsA[i] - logsB[i] + rest);
    }
    return most;
  };
  return worst(settingsOf(asked).tree, 0, a.length * settingsOf(asked).interpolation.ramp.length);
}

function neighbours(counts: readonly number[], relation: Relation): number[][] {
  const changed = (at: number, by: number, list: readonly number[]) => list.map((c, i) => (i === at ? c + by : c));
  const more = counts.map((_, i) => changed(i, 1, counts));
  if (relation === 'add-remove') return more;
  return more.flatMap((list, i) => counts.flatMap((c, j) => (j !== i && c > 0 ? [changed(j, -1, list)] : [])));
}

async function lossOf(counts: readonly number[], asked: Omit<TreeCase, 'size' | 'epsilon'>): Promise<number> {
  let most = 0;
  for (const other of neighbours(counts, asked.relation)) {
    const whole = { ...asked, size: counts.length, epsilon: 1 };
    most = Math.max(most, await largestRatio(counts, other, whole), await largestRatio(other, counts, whole));
  }
  return most;
}

const relations: Relation[] = ['add-remove', 'swap'];
const coarse = { steps: 2, ramp: [0, 2 ** -6, 0.5, 1 - 2 ** -6] };

it.each(relations)('crowded cells at the default interpolation cost at most epsilon (%s)', async (relation) => {
  const asked = { quantiles: [0.25, 0.5, 0.75], relation, interpolation: defaultInterpolation };
  const crowded = [
    [7, 40],
    [30, 0],
    [9, 8],
    [0, 200],
  ];
  const losses = [];
  for (const counts of crowded) losses.push(await lossOf(counts, asked));
  for (const loss of losses) expect(loss).toBeLessThanOrEqual(1);
  expect(Math.max(...losses)).toBeGreaterThan(0.5);
});

it.each(relations)('so do trees of three levels, even or lopsided, with priors (%s)', async (relation) => {
  const eighths = [1, 2, 3, 4, 5, 6, 7].map((k) => k / 8);
  const lists = [eighths, [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999], [0.01, 0.02, 0.03, 0.04, 0.5]];
  const losses = [];
  for (const quantiles of lists)
    for (const adaptation of ['conditional', 'edge'] as const)
      for (const weights of [[[1, 1, 1]], [[1000, 1, 1000]]])
        for (const counts of [
          [3, 0, 5],
          [1, 12, 1],
          [0, 4, 8],
        ])
          losses.push(await lossOf(counts, { quantiles, relation, adaptation, weights, interpolation: coarse }));
  for (const loss of losses) expect(loss).toBeLessThanOrEqual(1);
  expect(Math.max(...losses)).toBeGreaterThan(0.6);
});

it('two records more, paid for as one, are caught', async () => {
  const asked: TreeCase = { quantiles: [0.25, 0.5, 0.75], epsilon: 1, relation: 'add-remove', size: 3 };
  const losses = [];
  for (const counts of [
    [3, 0, 5],
    [1, 12, 1],
    [0, 4, 8],
  ])
    for (const i of counts.keys()) {
      const other = counts.map((count, j) => (i === j ? count + 2 : count));
      const coarsely = { ...asked, interpolation: coarse };
      losses.push(await largestRatio(counts, other, coarsely), await largestRatio(other, counts, coarsely));
    }
  expect(Math.max(...losses)).toBeGreaterThan(1.1);
});
