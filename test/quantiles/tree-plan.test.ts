import { describe, expect, it } from 'vitest';
import { zcdpEpsilon } from '../../src/privacy/zcdp.js';
import { jointExpRate } from '../../src/quantiles/joint-exp.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { treeCost, treeRho } from '../../src/quantiles/tree-cost.js';
import { budgetTree, planTree, type TreeNode, zcdpTree } from '../../src/quantiles/tree-plan.js';

const evenly = (m: number) => Array.from({ length: m }, (_, j) => gridQuantile((j + 1) / (m + 1)));

function nodes(tree: TreeNode): TreeNode[] {
  return [tree, ...tree.children.flatMap((child) => (child ? nodes(child) : []))];
}

/** The share of each quantile, by level, as `level: quantile=share …` with quantiles counted from 1. */
function budgets(m: number, branching: number, power: number): string[] {
  const levels: string[][] = [];
  for (const { level, pivots, rate } of nodes(budgetTree(evenly(m), { branching, power })))
    for (const j of pivots) (levels[level - 1] ??= [])[j] = `${j + 1}=${Number(rate.toFixed(4))}`;
  return levels.map((level) => level.filter((text) => text !== undefined).join(' '));
}

describe('the budget of a tree', () => {
  it.each([
    [3, 2, 0, ['2=0.5', '1=0.5 3=0.5']],
    [9, 2, 0, ['5=0.25', '2=0.25 7=0.25', '1=0.5 3=0.25 6=0.5 8=0.25', '4=0.25 9=0.25']],
    [9, 3, 1.5, ['3=0.3234 6=0.3234', '1=0.1766 2=0.1766 4=0.1766 5=0.1766 7=0.1143 8=0.1143', '9=0.1245']],
    [9, 4, 2, ['3=0.2667 5=0.2667 7=0.2667', '1=0.1 2=0.1 4=0.2 6=0.2 8=0.1 9=0.1']],
    [5, 4, 1.5, ['2=0.2463 3=0.2463 4=0.2463', '1=0.2612 5=0.2612']],
    [1, 2, 0, ['1=1']],
  ])('for m = %i, K = %i, p = %d is split by depth', (m, branching, power, expected) => {
    expect(budgets(m, branching, power)).toEqual(expected);
  });

  it('has depth 3 for K = 5 and m = 124, where logarithms say a little more', () => {
    const levels = nodes(budgetTree(evenly(124), { branching: 5, power: 0 })).map(({ level }) => level);
    expect(Math.max(...levels)).toBe(3);
  });

  it('is spent on every path, and every quantile is drawn once', () => {
    for (const m of [1, 2, 3, 7, 30, 100])
      for (const branching of [2, 3, 5])
        for (const power of [0, 1.5]) {
          const tree = budgetTree(evenly(m), { branching, power });
          const drawn = nodes(tree).flatMap(({ pivots }) => pivots);
          expect(drawn.sort((a, b) => a - b)).toEqual(Array.from({ length: m }, (_, j) => j));
          const walk = ({ pivots, rate, children }: TreeNode, spent: number): void => {
            const total = spent + rate * pivots.length;
            const inner = children.filter((child) => child !== undefined);
            if (inner.length === 0) expect(total).toBeLessThanOrEqual(1 + 1e-12);
            if (pivots.length < branching - 1) expect(total).toBeCloseTo(1, 12);
            for (const child of inner) walk(child, total);
          };
          walk(tree, 0);
        }
  });

  it('gives targets as shares of the records between the neighbours drawn before', () => {
    for (const branching of [2, 3]) {
      const walk = ({ pivots, targets, children }: TreeNode, low: number, high: number): void => {
        pivots.forEach((j, i) => {
          expect(low + (high - low) * (Number(targets[i]) / 2 ** 53)).toBeCloseTo((j + 1) / 31, 12);
        });
        const ends = [low, ...pivots.map((j) => (j + 1) / 31), high];
        for (const [s, child] of children.entries()) if (child) walk(child, ends[s], ends[s + 1]);
      };
      walk(budgetTree(evenly(30), { branching, power: 0 }), 0, 1);
    }
  });
});

const epsilon = 1;

describe('the cost of a tree', () => {
  it('is epsilon, but for what is set aside', () => {
    for (const relation of ['add-remove', 'swap'] as const)
      for (const m of [1, 2, 9, 100])
        for (const branching of [2, 3, 6])
          for (const rowsPerUnit of [1, 4]) {
            const cost = { quantiles: evenly(m), epsilon, relation, rowsPerUnit };
            const spent = rowsPerUnit * treeCost(planTree(cost, { branching, power: 0 }).tree, relation);
            expect(spent).toBeLessThan(epsilon);
            expect(spent).toBeGreaterThan(epsilon * (1 - 2 ** -18));
          }
  });

  it('of one quantile is that of joint-exp, whose distance counts twice', () => {
    for (const relation of ['add-remove', 'swap'] as const)
      for (const q of [0.5, 0.1, 0.93]) {
        const cost = { quantiles: [gridQuantile(q)], epsilon, relation, rowsPerUnit: 1 };
        expect(planTree(cost).tree.rate / (2 * jointExpRate(cost))).toBeCloseTo(1, 6);
      }
  });

  it('of equal levels of medians is all levels for a record more or less and twice that for a swap', () => {
    for (const levels of [1, 2, 3, 5]) {
      const tree = budgetTree(evenly(2 ** levels - 1), { branching: 2, power: 0 });
      // At a median q' + M = 1 - q' + M = 1; records that part at the root pay 2c there and c each below.
      expect(treeCost(tree, 'add-remove')).toBeCloseTo(1, 9);
      expect(treeCost(tree, 'swap')).toBeCloseTo(2, 9);
    }
  });

  it('is that of two draws on the same records when a node draws two', () => {
    // q = 1/3 and 2/3: the distances change by 1 in all where the record lies left of both, the normalisers by 2/3 each.
    const tree = budgetTree(evenly(2), { branching: 3, power: 0 });
    expect(treeCost(tree, 'add-remove')).toBeCloseTo(0.5 * (1 + 4 / 3), 12);
    expect(treeCost(tree, 'swap')).toBeCloseTo(0.5 * 4, 12);
    // Draws of different priors may come in the wrong order: 2/3 left of the record and 1/3 right of it.
    expect(treeCost(tree, 'add-remove', true)).toBeCloseTo(0.5 * (4 / 3 + 4 / 3), 12);
  });
});

describe('the cost of a tree in zCDP', () => {
  const squares = (m: number, branching: number, power: number) => budgetTree(evenly(m), { branching, power }, 2);

  it('of one draw is an eighth of the square of the range of its loss', () => {
    // At q the loss of a record more ranges over 2*max(q, 1-q)*c, that of a replaced one over 2*c.
    for (const [q, most] of [
      [0.5, 0.5],
      [0.25, 0.75],
      [0.9, 0.9],
    ]) {
      const tree = budgetTree([gridQuantile(q)], { branching: 2, power: 0 }, 2);
      expect(tree.rate).toBe(1);
      expect(treeRho(tree, 'add-remove')).toBeCloseTo((2 * most) ** 2 / 8, 12);
      expect(treeRho(tree, 'swap')).toBeCloseTo(2 ** 2 / 8, 12);
    }
  });

  it('adds up over the levels, whichever way the record goes', () => {
    for (const levels of [1, 2, 3, 5]) {
      const tree = squares(2 ** levels - 1, 2, 0);
      expect(tree.rate).toBeCloseTo(Math.sqrt(1 / levels), 12);
      expect(treeRho(tree, 'add-remove')).toBeCloseTo(1 / 8, 12);
      // Together down to the leaves: 1/2 of the square each. Apart it would be 1/2 once and 1/8 twice.
      expect(treeRho(tree, 'swap')).toBeCloseTo(1 / 2, 12);
    }
    // Two draws a node at 1/3 and 2/3, then one at 1/2, in each of three children, of half the budget each.
    const tree = squares(5, 3, 0);
    expect(tree.pivots).toHaveLength(2);
    expect(treeRho(tree, 'add-remove')).toBeCloseTo((0.25 * 2 * (2 / 3) ** 2) / 2 + 0.5 / 8, 12);
  });

  it('spends the budget by squares on every path', () => {
    for (const m of [1, 3, 9, 40])
      for (const branching of [2, 4])
        for (const power of [0, 1.5]) {
          const walk = ({ pivots, rate, children }: TreeNode, spent: number): void => {
            const total = spent + rate ** 2 * pivots.length;
            const inner = children.filter((child) => child !== undefined);
            expect(total).toBeLessThanOrEqual(1 + 1e-12);
            if (pivots.length < branching - 1) expect(total).toBeCloseTo(1, 12);
            for (const child of inner) walk(child, total);
          };
          walk(squares(m, branching, power), 0);
        }
  });

  it('is what the epsilon and delta allow', () => {
    const shape = { branching: 2, power: 0 };
    for (const relation of ['add-remove', 'swap'] as const)
      for (const rowsPerUnit of [1, 3]) {
        const cost = { quantiles: evenly(40), epsilon, relation, rowsPerUnit };
        const rho = rowsPerUnit ** 2 * treeRho(zcdpTree(cost, 1e-6, shape), relation);
        expect(zcdpEpsilon(rho, 1e-6)).toBeLessThan(epsilon);
        expect(zcdpEpsilon(rho, 1e-6)).toBeGreaterThan(epsilon * (1 - 1e-5));
      }
  });
});

describe('a delta', () => {
  it('is spent where the draws then err less', () => {
    const misses = (tree: TreeNode) => nodes(tree).reduce((sum, node) => sum + node.pivots.length / node.rate, 0);
    let spenders = 0;
    for (const m of [1, 3, 31, 63, 64, 127, 255, 1000])
      for (const power of [0, 1.5, 8])
        for (const delta of [1e-9, 1e-6, 1e-3]) {
          const cost = { quantiles: evenly(m), epsilon, relation: 'add-remove', rowsPerUnit: 1 } as const;
          const shape = { branching: 2, power };
          const planned = planTree({ ...cost, delta }, shape);
          const [pure, zcdp] = [planTree(cost, shape).tree, zcdpTree(cost, delta, shape)];
          expect(misses(zcdp)).toBeGreaterThan(0);
          if (planned.delta > 0) spenders++;
          expect(planned.delta).toBe(misses(zcdp) < misses(pure) ? delta : 0);
          expect(planned.tree).toEqual(planned.delta > 0 ? zcdp : pure);
        }
    expect(spenders).toBeGreaterThan(10);
  });
});
