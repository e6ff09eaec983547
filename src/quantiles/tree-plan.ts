import type { Relation } from '../privacy/guarantee.js';
import { roundRate } from './decay.js';

/**
 * The tree of exponential mechanisms of ApproximateQuantiles, from public facts alone. Sources: Kaplan, Schnapp, Stemmer,
 * "Differentially Private Approximate Quantiles" (ICML 2022), two children a node; Khodak, Amin, Dick, Vassilvitskii,
 * "Learning-Augmented Private Algorithms for Multiple Quantile Release" (ICML 2023), K children and budgets by depth.
 */
export interface TreeShape {
  /** Children of a node, at least 2 (the paper's K); each node draws one quantile less. */
  readonly branching: number;
  /** Level d gets a share of the budget proportional to d^-power; at least 0 (the paper's p). */
  readonly power: number;
}

export const binaryTree: TreeShape = { branching: 2, power: 0 };

export interface TreeNode {
  /** Which quantiles are drawn here: ascending places in the list of all. */
  readonly pivots: readonly number[];
  /** The same as shares of the node's own records, in units of 2^-53. */
  readonly targets: readonly bigint[];
  /** 1 at the root. */
  readonly level: number;
  /** The rate c of each draw: its weights are exp(-c*|rank - target|). */
  readonly rate: number;
  /** What lies before, between and after the pivots: one more than those; undefined where no quantile is left. */
  readonly children: readonly (TreeNode | undefined)[];
}

const one = 1n << 53n;

/**
 * The nodes and their shares of a budget of 1 as rates: every path spends all of it, and a block that ends early spends
 * what its path has left.
 *
 * @param quantiles ascending, in units of 2^-53, at least one.
 */
export function budgetTree(quantiles: readonly bigint[], { branching, power }: TreeShape): TreeNode {
  const depth = treeDepth(quantiles.length, branching);
  const shares = Array.from({ length: depth }, (_, d) => (d + 1) ** -power);
  const sum = shares.reduce((a, b) => a + b, 0);
  const grow = (from: number, end: number, level: number, left: bigint, right: bigint, budget: number): TreeNode => {
    const length = end - from;
    const inner = length >= branching;
    const pivots = inner
      ? Array.from({ length: branching - 1 }, (_, j) => from + Math.ceil(((j + 1) * length) / branching) - 1)
      : Array.from({ length }, (_, j) => from + j);
    const share = inner ? shares[level - 1] / sum : budget;
    const ends = [from - 1, ...pivots, end];
    const valueAt = (i: number) => (i < from ? left : i === end ? right : quantiles[i]);
    return {
      pivots,
      targets: pivots.map((i) => relative(quantiles[i], left, right)),
      level,
      rate: share / pivots.length,
      children: ends
        .slice(1)
        .map((next, s) =>
          next - ends[s] > 1
            ? grow(ends[s] + 1, next, level + 1, valueAt(ends[s]), valueAt(next), budget - share)
            : undefined,
        ),
    };
  };
  return grow(0, quantiles.length, 1, 0n, one, 1);
}

/** The least depth D with branching^D >= quantiles + 1, in whole numbers: logarithms overshoot. */
export function treeDepth(quantiles: number, branching: number): number {
  let depth = 1;
  for (let leaves = branching; leaves < quantiles + 1; leaves *= branching) depth++;
  return depth;
}

/** The branching K(m) of Khodak et al., Theorem 3.3: the exponential of sqrt(ln(2)*ln(m + 1)), rounded up. */
export function optimalBranching(quantiles: number): number {
  return Math.ceil(Math.exp(Math.sqrt(Math.LN2 * Math.log(quantiles + 1))) - 1e-12);
}

/** Where q lies between its neighbours: a public constant, so its rounding costs accuracy only. */
function relative(q: bigint, left: bigint, right: bigint): bigint {
  return right > left ? ((q - left) << 53n) / (right - left) : one >> 1n;
}

export interface TreeCost {
  /** Ascending, in units of 2^-53. */
  readonly quantiles: readonly bigint[];
  readonly epsilon: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
  /** True when the draws of a node do not share one prior; more expensive for more than two children. */
  readonly severalPriors?: boolean;
}

/**
 * The tree whose exact cost is epsilon, after 2^-20 of epsilon and 2^-33 per quantile are set aside for rounding,
 * truncation and the floor (approximate-quantiles.proof.md, "Budget").
 */
export function planTree(cost: TreeCost, shape: TreeShape = binaryTree): TreeNode {
  const tree = budgetTree(cost.quantiles, shape);
  const spent = cost.epsilon * (1 - 2 ** -20) - cost.quantiles.length * 2 ** -33;
  const factor = spent / (cost.rowsPerUnit * treeCost(tree, cost.relation, cost.severalPriors));
  const scaled = (node: TreeNode): TreeNode => ({
    ...node,
    rate: roundRate(factor * node.rate),
    children: node.children.map((child) => child && scaled(child)),
  });
  return scaled(tree);
}

/** The largest privacy loss of the tree for one record added, removed or replaced (proof, "What a tree costs"). */
export function treeCost(tree: TreeNode, relation: Relation, severalPriors = false): number {
  return relation === 'swap' ? swapCost(tree, severalPriors) : recordCost(tree, severalPriors);
}

/** A(v): one record more. It has s of the node's outputs on its left and goes on to child s. */
function recordCost(node: TreeNode | undefined, severalPriors: boolean): number {
  if (!node) return 0;
  const q = node.targets.map((target) => Number(target) / 2 ** 53);
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
