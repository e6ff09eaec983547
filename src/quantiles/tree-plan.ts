import type { Relation } from '../privacy/guarantee.js';
import { zcdpRho } from '../privacy/zcdp.js';
import { roundRate } from './decay.js';
import { treeCost, treeRho } from './tree-cost.js';

/**
 * The tree of exponential mechanisms of ApproximateQuantiles, from public facts alone. Sources: Kaplan, Schnapp, Stemmer,
 * "Differentially Private Approximate Quantiles" (ICML 2022), two children a node; Khodak, Amin, Dick, Vassilvitskii,
 * "Learning-Augmented Private Algorithms for Multiple Quantile Release" (ICML 2023), K children and budgets by depth.
 */
export interface TreeShape {
  /** Children of a node, at least 2 (the paper's K); each node draws one quantile less. */
  readonly branching: number;
  /**
   * Level d gets a share of the budget proportional to d^-power, of rho in zCDP to d^(-2*power); at least 0 (the paper's p).
   */
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
 * The nodes and their shares of a budget of 1: every path spends all of it, and a block that ends early spends what its
 * path has left.
 *
 * @param quantiles ascending, in units of 2^-53, at least one.
 * @param order what a draw of rate c spends is c^order: losses add up as they are (1), zCDP as their squares (2).
 */
export function budgetTree(quantiles: readonly bigint[], { branching, power }: TreeShape, order: 1 | 2 = 1): TreeNode {
  const depth = treeDepth(quantiles.length, branching);
  const shares = Array.from({ length: depth }, (_, d) => (d + 1) ** (-power * order));
  const sum = shares.reduce((a, b) => a + b, 0);
  /** What is left from a level on, summed so that nothing cancels. */
  const rest = (level: number) => shares.slice(level - 1).reduceRight((a, b) => a + b, 0);
  const grow = (from: number, end: number, level: number, left: bigint, right: bigint): TreeNode => {
    const length = end - from;
    const inner = length >= branching;
    const pivots = inner
      ? Array.from({ length: branching - 1 }, (_, j) => from + Math.ceil(((j + 1) * length) / branching) - 1)
      : Array.from({ length }, (_, j) => from + j);
    const share = (inner ? shares[level - 1] : rest(level)) / sum;
    const ends = [from - 1, ...pivots, end];
    const valueAt = (i: number) => (i < from ? left : i === end ? right : quantiles[i]);
    return {
      pivots,
      targets: pivots.map((i) => relative(quantiles[i], left, right)),
      level,
      rate: (share / pivots.length) ** (1 / order),
      children: ends
        .slice(1)
        .map((next, s) =>
          next - ends[s] > 1 ? grow(ends[s] + 1, next, level + 1, valueAt(ends[s]), valueAt(next)) : undefined,
        ),
    };
  };
  return grow(0, quantiles.length, 1, 0n, one);
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
  /** The most that may be spent besides; 0 (default) for pure differential privacy. */
  readonly delta?: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
  /** True when the draws of a node do not share one prior; more expensive for more than two children. */
  readonly severalPriors?: boolean;
}

/** A tree with its exact cost: epsilon, and this delta. */
export interface PlannedTree {
  readonly tree: TreeNode;
  readonly delta: number;
}

/** The tree whose draws err less: that of pure privacy or, with a delta, the one accounted in zCDP. */
export function planTree(cost: TreeCost, shape: TreeShape = binaryTree): PlannedTree {
  const pure = { tree: pureTree(cost, shape), delta: 0 };
  if (!cost.delta) return pure;
  const zcdp = { tree: zcdpTree(cost, cost.delta, shape), delta: cost.delta };
  return error(zcdp.tree) < error(pure.tree) ? zcdp : pure;
}

/** What draws miss by is in proportion to 1/rate. */
function error({ pivots, rate, children }: TreeNode): number {
  return children.reduce((sum, child) => sum + (child ? error(child) : 0), pivots.length / rate);
}

/**
 * The tree whose largest loss is epsilon, after 2^-20 of it and 2^-33 per quantile are set aside for rounding, truncation
 * and the floor (approximate-quantiles.proof.md, "Budget").
 */
export function pureTree(cost: TreeCost, shape: TreeShape): TreeNode {
  const tree = budgetTree(cost.quantiles, shape);
  return scaled(tree, spendable(cost) / (cost.rowsPerUnit * treeCost(tree, cost.relation, cost.severalPriors)));
}

/**
 * The tree that is rho-zCDP, and by that (epsilon, delta)-DP; the same is set aside of epsilon, and 2^-20 of delta and of
 * rho (proof, "The same in zCDP").
 */
export function zcdpTree(cost: TreeCost, delta: number, shape: TreeShape): TreeNode {
  const tree = budgetTree(cost.quantiles, shape, 2);
  const rho = zcdpRho(spendable(cost), delta * reserve) * reserve;
  return scaled(tree, Math.sqrt(rho / treeRho(tree, cost.relation)) / cost.rowsPerUnit);
}

const reserve = 1 - 2 ** -20;

function spendable({ epsilon, quantiles }: TreeCost): number {
  return epsilon * reserve - quantiles.length * 2 ** -33;
}

export function scaled(node: TreeNode, factor: number): TreeNode {
  return {
    ...node,
    rate: roundRate(factor * node.rate),
    children: node.children.map((child) => child && scaled(child, factor)),
  };
}
