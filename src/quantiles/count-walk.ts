import type { Noise } from '../random/noise.js';
import { type ChildEstimate, type Estimate, estimateChildren } from './count-estimate.js';
import type { CountTree, TreeNode, TreeShape } from './count-tree.js';

/** All that a release from a tree is made with; public. */
export interface TreeSettings extends TreeShape {
  readonly noise: Noise;
  /** How many levels below a node's children its estimates look; undefined: no averaging, noisy counts as they are. */
  readonly look: number | undefined;
}

/** Somebody on the way down: which share of the node's records lie to the left of the answer. */
interface Walker {
  readonly node: TreeNode;
  readonly above: Estimate;
  readonly share: number;
}

/**
 * Finds quantiles in a tree of noisy counts, all of them level by level: a reading of the data for each. Inside a leaf of
 * several points, and where a node seems to hold nothing, the answer is interpolated.
 *
 * @param rows the number of records where that is public (under swap).
 * @returns lattice indices, ascending.
 */
export async function walk(
  tree: CountTree,
  quantiles: readonly number[],
  settings: TreeSettings,
  rows: number | undefined,
): Promise<number[]> {
  const { height, look } = settings;
  const above = rows === undefined ? { value: 0, variance: Number.POSITIVE_INFINITY } : { value: rows, variance: 0 };
  let walkers = quantiles.map((share): Walker => ({ node: tree.root, above, share }));
  for (let depth = 0; depth < height; depth++) {
    const reached = new Map(walkers.filter(({ node }) => node.depth === depth).map((w) => [w.node, w.above]));
    await tree.grow([...reached.keys()], 1 + (look ?? 0));
    const estimates = new Map([...reached].map(([node, above]) => [node, childrenOf(node, above, settings)]));
    walkers = walkers.map((walker) => step(walker, estimates.get(walker.node) ?? []));
  }
  return walkers
    .map(({ node: { first, end }, share }) => first + Math.min(end - first - 1, Math.floor(share * (end - first))))
    .sort((a, b) => a - b);
}

function childrenOf(node: TreeNode, above: Estimate, { look, noise }: TreeSettings): readonly ChildEstimate[] {
  if (look !== undefined) return estimateChildren(node, above, look, noise.variance);
  return (node.children ?? []).map((child) => {
    const own = { value: child.noisy, variance: noise.variance };
    return { child, best: own, above: own };
  });
}

/** To the first child at which the estimates, added up from the left, reach the share of their total. */
function step(walker: Walker, estimates: readonly ChildEstimate[]): Walker {
  const total = estimates.reduce((sum, { best }) => sum + best.value, 0);
  if (!(total > 0)) return walker;
  let left = walker.share * total;
  for (const { child, above, best } of estimates) {
    if (best.value >= left) return { node: child, above, share: best.value > 0 ? left / best.value : 0 };
    left -= best.value;
  }
  // Not reached only because sums are rounded.
  const { child, above } = estimates[estimates.length - 1];
  return { node: child, above, share: 1 };
}
