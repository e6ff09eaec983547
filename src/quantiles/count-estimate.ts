import type { TreeNode } from './count-tree.js';

/** An unbiased estimate of a count. */
export interface Estimate {
  readonly value: number;
  readonly variance: number;
}

/** The best mean of two independent estimates: weights in inverse proportion to the variances. */
export function combine(a: Estimate, b: Estimate): Estimate {
  const w = 1 / (1 + a.variance / b.variance);
  return { value: w * a.value + (1 - w) * b.value, variance: w * a.variance };
}

/** What a node's own noisy count and those of so many levels below it (as far as there are) say of its count. */
function fromBelow(node: TreeNode, levels: number, variance: number): Estimate {
  const own = { value: node.noisy, variance };
  const { children = [] } = node;
  if (levels === 0 || children.length === 0) return own;
  if (levels > 1) return combine(own, sum(children.map((child) => fromBelow(child, levels - 1, variance))));
  // The usual case, without an object for each of the most numerous nodes.
  let value = 0;
  for (const child of children) value += child.noisy;
  return combine(own, { value, variance: children.length * variance });
}

function sum(estimates: readonly Estimate[]): Estimate {
  let value = 0;
  let variance = 0;
  for (const e of estimates) {
    value += e.value;
    variance += e.variance;
  }
  return { value, variance };
}

export interface ChildEstimate {
  readonly child: TreeNode;
  /** From all that is known. */
  readonly best: Estimate;
  /** From all but the nodes below the child: what its own children need. */
  readonly above: Estimate;
}

/**
 * Estimates the counts of a node's children: the weighted averaging of Honaker, "Efficient Use of Differentially Private
 * Binary Trees" (2015). What the children's own counts and `levels` more levels below them say is combined with what the
 * parent's estimate leaves beside the siblings; the two are independent, so with all levels this is the least squares
 * solution of the whole tree.
 *
 * @param above the parent's estimate from all but the nodes below it.
 * @param variance of the noise of each node.
 */
export function estimateChildren(
  parent: TreeNode,
  above: Estimate,
  levels: number,
  variance: number,
): readonly ChildEstimate[] {
  const children = parent.children ?? [];
  const below = children.map((child) => fromBelow(child, levels, variance));
  const all = sum(below);
  return children.map((child, i) => {
    const rest = {
      value: above.value - (all.value - below[i].value),
      variance: above.variance + (all.variance - below[i].variance),
    };
    return { child, best: combine(below[i], rest), above: combine({ value: child.noisy, variance }, rest) };
  });
}
