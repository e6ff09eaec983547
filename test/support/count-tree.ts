import { wholeProfile } from '../../src/audit/joint-exp.js';
import { CountTree, type TreeNode, type TreeShape } from '../../src/quantiles/count-tree.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import type { Noise } from '../../src/random/noise.js';

/** Adds nothing; of variance 1, so that averaging has weights. */
export const noNoise: Noise = { draw: () => 0, logProbability: (x) => (x === 0 ? 0 : -Infinity), variance: 1 };

/** All nodes below one that exist, parents first. */
export function descendants(node: TreeNode): TreeNode[] {
  const children = node.children ?? [];
  return [...children, ...children.flatMap(descendants)];
}

/** The whole tree over a few records. */
export async function wholeTree(
  records: readonly number[],
  size: number,
  shape: TreeShape,
  noise: Noise = noNoise,
  seed = 1,
): Promise<CountTree> {
  const tree = new CountTree(shape, wholeProfile(records, size), noise, unsafeSeededEntropy(seed));
  await tree.grow([tree.root], shape.height);
  return tree;
}
