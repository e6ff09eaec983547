import type { Entropy } from '../random/entropy.js';
import type { Noise } from '../random/noise.js';
import type { RankProfile } from '../ranks/locate.js';

/** The public form of a tree of counts over a lattice. */
export interface TreeShape {
  /** Levels below the root; no node lies deeper. */
  readonly height: number;
  /** The most children that a node has, at least 2. */
  readonly branching: number;
}

/** The records whose index lies in `[first, end)`. */
export interface TreeNode {
  readonly first: number;
  readonly end: number;
  readonly depth: number;
  /** The number of records plus noise, drawn once; NaN at the root, which is not counted. */
  noisy: number;
  /** Undefined until they are needed; a leaf has none. */
  children: readonly TreeNode[] | undefined;
}

/** Beyond any count; sums of counts and noise end here, so that noise too large for a double makes no difference. */
const most = 2 ** 52;

/** A range tree of noisy counts of which only the nodes asked for exist. */
export class CountTree {
  readonly root: TreeNode;
  readonly #shape: TreeShape;
  readonly #profile: RankProfile;
  readonly #noise: Noise;
  readonly #entropy: Entropy;

  constructor(shape: TreeShape, profile: RankProfile, noise: Noise, entropy: Entropy) {
    this.root = { first: 0, end: profile.size, depth: 0, noisy: Number.NaN, children: undefined };
    this.#shape = shape;
    this.#profile = profile;
    this.#noise = noise;
    this.#entropy = entropy;
  }

  /** Makes so many levels below the nodes exist, counted in one reading of the data. */
  async grow(nodes: readonly TreeNode[], levels: number): Promise<void> {
    const grown: TreeNode[] = [];
    let front = nodes;
    for (let level = 0; level < levels; level++) {
      front = front.flatMap((node) => {
        if (node.children) return node.children;
        node.children = split(node, this.#shape);
        grown.push(node);
        return node.children;
      });
    }
    const edges: number[] = [];
    for (const { first, children = [] } of grown) {
      edges.push(first);
      for (const child of children) edges.push(child.end);
    }
    const ranks = await this.#profile.ranksAt(edges);
    let at = 0;
    for (const { children = [] } of grown) {
      for (const child of children) {
        const count = -ranks[at] + ranks[++at];
        child.noisy = Math.min(most, Math.max(-most, count + this.#noise.draw(this.#entropy)));
      }
      at++;
    }
  }
}

/** Parts as equal as whole indices allow: the k-th ends before `first + floor(k*length/parts)`, exactly. */
export function split(
  { first, end, depth }: Pick<TreeNode, 'first' | 'end' | 'depth'>,
  { height, branching }: TreeShape,
): TreeNode[] {
  const length = end - first;
  if (depth === height || length === 1) return [];
  const parts = Math.min(branching, length);
  const whole = Math.floor(length / parts);
  const rest = length % parts;
  const children: TreeNode[] = [];
  let from = first;
  for (let k = 1; k <= parts; k++) {
    const to = first + k * whole + Math.floor((k * rest) / parts);
    children.push({ first: from, end: to, depth: depth + 1, noisy: Number.NaN, children: undefined });
    from = to;
  }
  return children;
}

/** As many levels as it takes until the leaves are points, but `most` at the most. */
export function treeHeight(size: number, branching: number, most: number): number {
  let height = 0;
  for (let width = size; width > 1 && height < most; height++) width = Math.ceil(width / branching);
  return height;
}
