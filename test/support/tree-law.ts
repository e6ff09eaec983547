import type { Interpolation } from '../../src/quantiles/states.js';
import type { TreeNode } from '../../src/quantiles/tree-plan.js';

export interface TreeLawRequest {
  records: readonly number[];
  size: number;
  tree: TreeNode;
  interpolation: Interpolation;
  /** Prior weights of the cells, for each quantile. */
  weights: readonly (readonly number[])[];
  adaptation: 'conditional' | 'edge';
  /** Largest |rank - target| that is kept. */
  reach?: number;
  /** Weight of the floor. */
  floor?: number;
  /** Whose ranks a node uses: its own records (default) or all of them, with the tree's global targets. */
  global?: readonly number[];
  /** Targets rounded down. */
  floored?: boolean;
}

/**
 * ApproximateQuantiles from its definition: positions are numbers 0 … size*S-1, ranks are counted from the records, every
 * node enumerates all its outputs. The probability of each vector of cells, keyed by its text.
 */
export function treeLaw(request: TreeLawRequest): Map<string, number> {
  const { records, size, tree, interpolation, weights, adaptation } = request;
  const { reach = Number.POSITIVE_INFINITY, floor = 0, global, floored = false } = request;
  const { steps, ramp } = interpolation;
  const S = ramp.length;
  const n = records.length;
  const rank = Array.from({ length: size * S }, (_, p) => {
    const cell = Math.floor(p / S);
    const c = records.filter((x) => x === cell).length;
    const below = records.filter((x) => x < cell).length;
    return below + (p % S >= 1 ? Math.min(c, steps) : 0) + Math.max(c - steps, 0) * ramp[p % S];
  });

  /** The law of one draw in the positions a … b, whose ranks are ra and rb. */
  const draw = (node: TreeNode, i: number, a: number, b: number, ra: number, rb: number): number[] => {
    const j = node.pivots[i];
    const target = global ? global[j] * n : ra + (Number(node.targets[i]) / 2 ** 53) * (rb - ra);
    const base = Array.from({ length: b - a + 1 }, () => 0);
    rank.forEach((_, p) => {
      const inside = Math.min(Math.max(p, a), b);
      if (adaptation === 'edge' || inside === p) base[inside - a] += weights[j][Math.floor(p / S)];
    });
    const total = base.reduce((x, y) => x + y, 0);
    const near = base.map((w, k) => {
      const error = Math.abs(rank[a + k] - (floored ? Math.floor(target + 1e-9) : target));
      return error <= reach + 1e-9 ? w * Math.exp(-node.rate * error) : 0;
    });
    const sum = near.reduce((x, y) => x + y, 0);
    return base.map((w, k) => (1 - floor) * (near[k] / sum) + (floor * w) / total);
  };

  const visit = (node: TreeNode | undefined, a: number, b: number, ra: number, rb: number): [number[], number][] => {
    if (!node) return [[[], 1]];
    const laws = node.pivots.map((_, i) => draw(node, i, a, b, ra, rb));
    let ways: [number[], number][] = [[[], 1]];
    for (const law of laws)
      ways = ways.flatMap(([ps, x]) => law.map((y, k): [number[], number] => [[...ps, a + k], x * y]));
    const sorted = new Map<string, [number[], number]>();
    for (const [ps, x] of ways) {
      const order = [...ps].sort((p, q) => p - q);
      sorted.set(order.join(), [order, (sorted.get(order.join())?.[1] ?? 0) + x]);
    }
    return [...sorted.values()].flatMap(([ps, x]) => {
      let joint: [number[], number][] = [[[], x]];
      node.children.forEach((child, s) => {
        const [from, to] = [s === 0 ? a : ps[s - 1], s === ps.length ? b : ps[s]];
        const [low, high] = [s === 0 ? ra : rank[from], s === ps.length ? rb : rank[to]];
        const tails = visit(child, from, to, low, high);
        const own = s < ps.length ? [Math.floor(ps[s] / S)] : [];
        joint = joint.flatMap(([head, p]) =>
          tails.map(([tail, q]): [number[], number] => [[...head, ...tail, ...own], p * q]),
        );
      });
      return joint;
    });
  };

  const law = new Map<string, number>();
  for (const [cells, p] of visit(tree, 0, size * S - 1, 0, n)) law.set(cells.join(), (law.get(cells.join()) ?? 0) + p);
  return law;
}
