import type { Relation } from '../privacy/guarantee.js';
import type { TreeNode } from './tree-plan.js';

/**
 * The largest privacy loss of the tree for one record added, removed or replaced (approximate-quantiles.proof.md, "What a
 * tree costs").
 */
export function treeCost(tree: TreeNode, relation: Relation, severalPriors = false): number {
  return relation === 'swap' ? swapCost(tree, severalPriors) : recordCost(tree, severalPriors);
}

/** A(v): one record more. It has s of the node's outputs on its left and goes on to child s. */
function recordCost(node: TreeNode | undefined, severalPriors: boolean): number {
  if (!node) return 0;
  const q = shares(node);
  const normalisers = q.reduce((sum, x) => sum + Math.max(x, 1 - x), 0);
  return Math.max(
    ...node.children.map(
      (child, s) => node.rate * (moved(q, s, severalPriors) + normalisers) + recordCost(child, severalPriors),
    ),
  );
}

/** By how much the distances to all targets change: q for an output left of the record, 1 - q for one right of it. */
function moved(q: readonly number[], s: number, severalPriors: boolean): number {
  const k = q.length;
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
  // Of a common prior, outputs further left come rather from smaller targets (proof), so their mean is a bound.
  const left = severalPriors ? sum(q.slice(k - s)) : (s * sum(q)) / k;
  const right = severalPriors ? sum(q.slice(0, k - s)) : ((k - s) * sum(q)) / k;
  return left + (k - s) - right;
}

/** B(v): one record replaced. Both stay together, or part with s to t outputs between them. */
function swapCost(node: TreeNode | undefined, severalPriors: boolean): number {
  if (!node) return 0;
  const k = node.pivots.length;
  const apart = node.children.map((child) => recordCost(child, severalPriors));
  const together = node.children.map((child) => swapCost(child, severalPriors));
  let most = node.rate * k + Math.max(...together);
  for (let s = 0; s <= k; s++)
    for (let t = s + 1; t <= k; t++) most = Math.max(most, node.rate * (k + t - s) + apart[s] + apart[t]);
  return most;
}

/**
 * The rho of zero-concentrated differential privacy of the tree for one record added, removed or replaced; for units of k
 * rows k^2 times as much (proof, "The same in zCDP"). Priors make no difference to it.
 */
export function treeRho(tree: TreeNode, relation: Relation): number {
  return relation === 'swap' ? swapRho(tree) : recordRho(tree);
}

/** R(v): the distances to a target q change by at most M = max(q, 1-q) up or down, so the range of a draw's loss is 2*c*M. */
function recordRho(node: TreeNode | undefined): number {
  if (!node) return 0;
  const squares = shares(node).reduce((sum, q) => sum + Math.max(q, 1 - q) ** 2, 0);
  return (node.rate ** 2 * squares) / 2 + Math.max(...node.children.map(recordRho));
}

/** S(v): the distances change by at most 1 up or down; below, both stay together or part. */
function swapRho(node: TreeNode | undefined): number {
  if (!node) return 0;
  const [most, next] = node.children.map(recordRho).sort((a, b) => b - a);
  return (node.rate ** 2 * node.pivots.length) / 2 + Math.max(most + next, ...node.children.map(swapRho));
}

function shares({ targets }: TreeNode): number[] {
  return targets.map((target) => Number(target) / 2 ** 53);
}
