import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { createLattice, planQuantiles, quantiles, type Relation } from '../../src/index.js';
import { uniformMeasure } from '../../src/lattice/measure.js';
import { aggTree, gaussTree, lapTree } from '../../src/quantiles/agg-tree.js';
import { estimateChildren } from '../../src/quantiles/count-estimate.js';
import { CountTree, type TreeNode, treeHeight } from '../../src/quantiles/count-tree.js';
import { type TreeSettings, walk } from '../../src/quantiles/count-walk.js';
import type { MethodRequest } from '../../src/quantiles/method.js';
import { discreteLaplace } from '../../src/random/discrete-laplace.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import type { Noise } from '../../src/random/noise.js';
import { locate } from '../../src/ranks/locate.js';
import { sourceOf } from '../../src/ranks/memory.js';
import { naiveView } from '../ranks/naive.js';
import { descendants, noNoise, wholeTree } from '../support/count-tree.js';
import { constrainedLeastSquares } from '../support/least-squares.js';

const evenly = (m: number) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
const unknown = { value: 0, variance: Number.POSITIVE_INFINITY };

const shape = fc.record({ height: fc.integer({ min: 1, max: 4 }), branching: fc.integer({ min: 2, max: 5 }) });
const scene = fc.tuple(shape, fc.integer({ min: 2, max: 40 })).chain(([shape, size]) =>
  fc.record({
    shape: fc.constant(shape),
    size: fc.constant(size),
    records: fc
      .array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 30 })
      .map((list) => list.sort((a, b) => a - b)),
    seed: fc.integer({ min: 0, max: 1e6 }),
  }),
);

const leavesOf = (root: TreeNode) =>
  descendants(root)
    .filter((node) => node.children?.length === 0 || node.children === undefined)
    .sort((a, b) => a.first - b.first);

/** The best estimate of each node, from the two passes over a whole tree. */
function estimates(root: TreeNode, rows: number | undefined, variance: number): Map<TreeNode, number> {
  const found = new Map<TreeNode, number>();
  const visit = (node: TreeNode, above: { value: number; variance: number }): void => {
    for (const { child, best, above: next } of estimateChildren(node, above, 99, variance)) {
      found.set(child, best.value);
      visit(child, next);
    }
  };
  visit(root, rows === undefined ? unknown : { value: rows, variance: 0 });
  return found;
}

describe('the tree of counts', () => {
  it('cuts the lattice into parts as equal as points allow, whatever its size', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ shape, size, records }) => {
        const { root } = await wholeTree(records, size, shape);
        for (const node of [root, ...descendants(root)]) {
          const children = node.children ?? [];
          if (node.depth === shape.height || node.end - node.first === 1) expect(children).toHaveLength(0);
          else {
            expect(children.map(({ first }) => first)).toEqual([
              node.first,
              ...children.slice(0, -1).map(({ end }) => end),
            ]);
            expect(children[children.length - 1].end).toBe(node.end);
            const widths = children.map(({ first, end }) => end - first);
            expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
            expect(children).toHaveLength(Math.min(shape.branching, node.end - node.first));
          }
          expect(node.depth).toBeLessThanOrEqual(treeHeight(size, shape.branching, shape.height));
        }
        for (const { first, end, noisy } of descendants(root))
          expect(noisy).toBe(records.filter((x) => x >= first && x < end).length);
      }),
    );
  });

  it('is exact on the largest lattices', async () => {
    for (const size of [2 ** 40, 2 ** 53, 2 ** 53 - 111]) {
      const { root } = await wholeTree([0, size - 1], size, { height: 2, branching: 16 });
      const edges = (root.children ?? []).map(({ end }) => BigInt(end));
      expect(edges).toEqual(Array.from({ length: 16 }, (_, k) => (BigInt(k + 1) * BigInt(size)) / 16n));
      expect(leavesOf(root).filter(({ noisy }) => noisy === 1)).toHaveLength(2);
    }
  });

  it('draws the noise of a node once, and reads a level at a time', async () => {
    let draws = 0;
    const counting: Noise = { ...discreteLaplace(1, 4), draw: () => ++draws };
    const { view, calls } = naiveView(Array.from({ length: 500 }, (_, i) => i * 2_000_003));
    const profile = await locate(view, { size: 2 ** 40 }, { low: 0, high: 1 });
    const tree = new CountTree({ height: 4, branching: 16 }, profile, counting, unsafeSeededEntropy(1));
    const settings: TreeSettings = { height: 4, branching: 16, noise: counting, look: 1 };
    const first = await walk(tree, evenly(9), settings, undefined);
    const values = descendants(tree.root).map(({ noisy }) => noisy);
    expect(draws).toBe(values.length);
    expect(draws).toBeLessThan(16 + 256 + 9 * 2 * 256 + 1);
    expect(calls.coarse + calls.fine).toBeLessThanOrEqual(5);
    expect(await walk(tree, evenly(9), settings, undefined)).toEqual(first);
    expect(descendants(tree.root).map(({ noisy }) => noisy)).toEqual(values);
  });

  it('keeps counts within what doubles hold, however large the noise', async () => {
    const huge: Noise = { ...noNoise, draw: () => 2 ** 60 };
    for (const { noisy } of descendants((await wholeTree([1], 9, { height: 2, branching: 3 }, huge)).root))
      expect(noisy).toBe(2 ** 52);
  });
});

describe('the estimate', () => {
  it('without noise is the count, and so is every answer', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ shape, size, records }) => {
        const tree = await wholeTree(records, size, shape);
        for (const rows of [undefined, records.length])
          for (const [node, value] of estimates(tree.root, rows, 1))
            expect(value).toBeCloseTo(records.filter((x) => x >= node.first && x < node.end).length, 9);
        const leaf = (k: number) => leavesOf(tree.root).find(({ first, end }) => first <= k && k < end)!;
        for (const look of [undefined, 0, 1, 4]) {
          const answers = await walk(tree, [0.1, 0.5, 0.77], { ...shape, noise: noNoise, look }, records.length);
          answers.forEach((k, j) => {
            const target = [0.1, 0.5, 0.77][j] * records.length;
            const { first, end } = leaf(k);
            // The answer's leaf holds the target.
            expect(records.filter((x) => x < first).length).toBeLessThanOrEqual(target + 1e-9);
            if (records.length > 0) expect(records.filter((x) => x < end).length).toBeGreaterThanOrEqual(target - 1e-9);
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('of a whole tree is the least squares solution, with the total known or not', async () => {
    const noise = discreteLaplace(1, 3);
    await fc.assert(
      fc.asyncProperty(scene, fc.boolean(), async ({ shape, size, records, seed }, known) => {
        const { root } = await wholeTree(records, size, shape, noise, seed);
        const leaves = leavesOf(root);
        const nodes = descendants(root);
        const covers = nodes.map((node) => leaves.map(({ first, end }) => first >= node.first && end <= node.end));
        const solution = constrainedLeastSquares(
          covers.map((row) => row.map(Number)),
          nodes.map(({ noisy }) => noisy),
          known ? records.length : undefined,
        );
        const found = estimates(root, known ? records.length : undefined, noise.variance);
        nodes.forEach((node, i) => {
          const value = solution.reduce((sum, x, j) => (covers[i][j] ? sum + x : sum), 0);
          expect(found.get(node)).toBeCloseTo(value, 6);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('of children adds up to that of their parent', async () => {
    const { root } = await wholeTree([1, 5, 5, 20], 27, { height: 3, branching: 3 }, discreteLaplace(1, 5), 3);
    const found = estimates(root, 4, 50);
    const total = (nodes: readonly TreeNode[]) => nodes.reduce((sum, node) => sum + found.get(node)!, 0);
    expect(total(root.children!)).toBeCloseTo(4, 9);
    for (const node of descendants(root).filter((node) => node.children?.length))
      expect(total(node.children!)).toBeCloseTo(found.get(node)!, 9);
  });

  it('from below has the variance it says, and that of more levels is smaller', async () => {
    // A binary tree of height 3: v_3 = s, v_d = s*2*v_(d+1)/(s + 2*v_(d+1)).
    const { root } = await wholeTree([], 8, { height: 3, branching: 2 });
    const [own, one, two] = [0, 1, 2].map((levels) => estimateChildren(root, unknown, levels, 1)[0].best.variance);
    expect([own, one]).toEqual([1, 2 / 3].map((v) => expect.closeTo(v, 12)));
    expect(two).toBeCloseTo(4 / 3 / (1 + 4 / 3), 12);
  });
});

const request = (change: Partial<MethodRequest> = {}): MethodRequest => ({
  quantiles: evenly(9),
  epsilon: 1,
  delta: 1e-6,
  relation: 'add-remove',
  rowsPerUnit: 1,
  measure: uniformMeasure(2 ** 40),
  ...change,
});

describe.each([aggTree, lapTree, gaussTree])('$name', (method) => {
  it('answers with ascending points of the lattice, whatever the data', async () => {
    const asked = fc.record({
      records: fc.array(fc.maxSafeInteger().map(Math.abs), { maxLength: 20 }),
      size: fc.constantFrom(2, 3, 16, 17, 300, 5000, 2 ** 40, 2 ** 53),
      quantiles: fc.constantFrom([0.5], [1e-9, 1 - 1e-9], evenly(30)),
      epsilon: fc.constantFrom(1e-6, 0.1, 1, 100),
      relation: fc.constantFrom<Relation>('add-remove', 'swap'),
      seed: fc.integer({ min: 0, max: 1e6 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ records, size, seed, ...rest }) => {
        const profile = wholeProfile(
          records.map((x) => x % size).sort((a, b) => a - b),
          size,
        );
        const asked = request({ ...rest, measure: uniformMeasure(size) });
        expect(method.refusal(asked)).toBeUndefined();
        const answer = await method.release(asked, profile, unsafeSeededEntropy(seed));
        expect(answer).toHaveLength(rest.quantiles.length);
        expect(answer).toEqual([...answer].sort((a, b) => a - b));
        for (const k of answer) expect(Number.isInteger(k) && k >= 0 && k < size).toBe(true);
        const { expectedRankError, rankError95 } = method.forecast(asked);
        for (const error of [...expectedRankError, ...rankError95]) expect(error).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { relation: 'add-remove', epsilon: 1, n: 1000, size: 2 ** 40 },
    { relation: 'swap', epsilon: 1, n: 20_011, size: 2 ** 40 },
    { relation: 'add-remove', epsilon: 0.1, n: 20_011, size: 2 ** 40 },
    { relation: 'add-remove', epsilon: 0.3, n: 20_011, size: 65_536 },
    { relation: 'swap', epsilon: 0.5, n: 1500, size: 1500 },
    { relation: 'swap', epsilon: 1, n: 20_011, size: 2 ** 40, tree: { height: 3, branching: 10 } },
    { relation: 'add-remove', epsilon: 1, n: 1000, size: 2 ** 40, tree: { height: 3, branching: 10 } },
    { relation: 'swap', epsilon: 0.2, n: 5000, size: 2 ** 20, tree: { height: 9, branching: 3 } },
  ] as const)('forecasts what evenly spread records give: %o', async ({ n, size, ...rest }) => {
    const lattice = createLattice([0, size - 1], 1);
    const data = Float64Array.from({ length: n }, (_, i) => Math.floor(((i + 0.5) / n) * size));
    const view = await (await sourceOf(data)).open({ lattice, nulls: 'drop' });
    const profile = await locate(view, lattice, { low: 0.1, high: 0.9 });
    const asked = request({ ...rest, measure: uniformMeasure(size), aboutRows: n });
    const { expectedRankError, rankError95 } = method.forecast(asked);
    const entropy = unsafeSeededEntropy(n);
    const shares: number[] = [];
    const errors: number[] = [];
    for (let i = 0; i < 60; i++)
      (await method.release(asked, profile, entropy)).forEach((k, j) => {
        const rank = data.findIndex((x) => x >= k);
        const error = Math.abs((rank < 0 ? n : rank) - asked.quantiles[j] * n);
        errors.push(error / expectedRankError[j]);
        shares.push(error / rankError95[j]);
      });
    const mean = errors.reduce((a, b) => a + b) / errors.length;
    expect(mean).toBeGreaterThan(0.8);
    expect(mean).toBeLessThan(1.2);
    expect(shares.filter((share) => share > 1).length / shares.length).toBeLessThan(0.12);
  });
});

describe('the methods of trees', () => {
  it('say what they cost and what they cannot do', () => {
    const bounds = [0, 100] as const;
    const plan = (change: object) => planQuantiles({ quantiles: 'deciles', bounds, epsilon: 1, ...change });
    expect(plan({ method: 'lap-tree', delta: 1e-6 }).guarantee.delta).toBe(0);
    expect(plan({ method: 'gauss-tree', delta: 1e-6 }).guarantee.delta).toBe(1e-6);
    expect(plan({ method: 'agg-tree' }).guarantee.delta).toBe(0);
    // A delta that allows no narrower noise is not spent, one that does is.
    expect(plan({ method: 'agg-tree', delta: 1e-12 }).guarantee.delta).toBe(0);
    expect(plan({ method: 'agg-tree', delta: 0.05 }).guarantee.delta).toBe(0.05);
    expect(() => plan({ method: 'gauss-tree' })).toThrow(/gauss-tree needs a delta greater than 0; agg-tree/);
    const prior = { family: 'cauchy', location: 0, scale: 1 };
    for (const method of ['agg-tree', 'lap-tree'])
      expect(() => plan({ method, prior })).toThrow(/no use for a prior; joint-exp/);
    const unit = { column: 'id', maxRows: Number.MAX_SAFE_INTEGER };
    expect(() => planQuantiles({ quantiles: 'median', bounds, epsilon: 1, method: 'agg-tree' }, { unit })).toThrow(
      /agg-tree needs a larger epsilon/,
    );
  });

  it('auto takes a tree for many quantiles of few points, and never one whose leaves hold several', () => {
    const many = { quantiles: 'percentiles', epsilon: 1, aboutRows: 1_000_000 } as const;
    expect(planQuantiles({ ...many, bounds: [0, 100], step: 1 }).mechanism).toBe('agg-tree');
    expect(planQuantiles({ ...many, bounds: [0, 100] }).mechanism).not.toMatch(/tree/);
    expect(planQuantiles({ ...many, bounds: [0, 100], step: 1, quantiles: 'median' }).mechanism).toBe('joint-exp');
  });

  it('release ages to within the forecast', async () => {
    const ages = Array.from({ length: 20_000 }, (_, i) => 20 + ((i * 7919) % 50) + ((i * 104_729) % 11));
    const sorted = [...ages].sort((a, b) => a - b);
    const options = { quantiles: 'deciles', bounds: [0, 120], step: 1, epsilon: 1, delta: 1e-6 } as const;
    for (const method of ['agg-tree', 'lap-tree', 'gauss-tree'] as const) {
      const { values } = await quantiles(ages, { ...options, method, unsafeSeed: 4 });
      values.forEach((value, j) => {
        expect(Math.abs(value - sorted[((j + 1) * 20_000) / 10])).toBeLessThanOrEqual(1);
      });
    }
  });
});
