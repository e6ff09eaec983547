import { describe, expect, it } from 'vitest';
import { approximateQuantilesLaw } from '../../src/audit/approximate-quantiles-law.js';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import type { ApproximateQuantilesSettings } from '../../src/quantiles/approximate-quantiles.js';
import type { Interpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { treeRho } from '../../src/quantiles/tree-cost.js';
import { budgetTree, scaled, type TreeNode, zcdpTree } from '../../src/quantiles/tree-plan.js';
import { rhoOf } from '../support/renyi.js';
import { binary, settingsOf, type TreeCase, ternary } from '../support/tree-cases.js';

const relations: Relation[] = ['add-remove', 'swap'];
const three = [0.25, 0.5, 0.75];

/** The budget of rho, as a tree that costs this by the rule. */
function treeOf(rho: number, { quantiles, relation, rowsPerUnit = 1, shape = binary }: TreeCase): TreeNode {
  const tree = budgetTree(quantiles.map(gridQuantile), shape, 2);
  return scaled(tree, Math.sqrt(rho / treeRho(tree, relation)) / rowsPerUnit);
}

const withTree = (asked: TreeCase, tree: TreeNode): ApproximateQuantilesSettings => ({ ...settingsOf(asked), tree });

/** The part of the claimed rho that an exhaustive audit finds spent. */
async function spent(rho: number, asked: TreeCase, records: number, tree = treeOf(rho, asked)): Promise<number> {
  return (await rhoOf(asked, records, withTree(asked, tree))) / rho;
}

describe('the rho of approximate-quantiles', () => {
  it('is never exceeded, by any order', async () => {
    for (const relation of relations)
      for (const quantiles of [[0.5], [0.1], [0.3, 0.7], three])
        for (const shape of [binary, ternary])
          for (const rho of [0.01, 0.3, 3])
            expect(await spent(rho, { quantiles, epsilon: 1, relation, shape, size: 4 }, 4)).toBeLessThanOrEqual(1);
  });

  it('holds with interpolated ranks, either adaptation and priors', async () => {
    const ramps: Interpolation[] = [
      { steps: 0, ramp: [0, 0.5] },
      { steps: 1, ramp: [0, 2 ** -10, 0.75] },
    ];
    const priors = [
      [[1, 50, 3]],
      [
        [1, 1, 90],
        [1, 9, 1],
        [90, 1, 1],
      ],
    ];
    for (const relation of relations)
      for (const shape of [binary, ternary])
        for (const adaptation of ['conditional', 'edge'] as const)
          for (const interpolation of ramps)
            for (const weights of priors) {
              const asked = {
                quantiles: three,
                epsilon: 1,
                relation,
                shape,
                adaptation,
                interpolation,
                size: 3,
                weights,
              };
              expect(await spent(0.5, asked, 4)).toBeLessThanOrEqual(1);
            }
  });

  it('is attained by one draw: the rule wastes nothing there', async () => {
    // Two positions of about the same weight, whose distances to the target change by M in opposite directions.
    for (const [quantile, weights] of [
      [0.5, [1, 1]],
      [0.75, [10, 9]],
      [0.25, [1, 9000, 10000]],
    ] as const) {
      const asked = { quantiles: [quantile], epsilon: 1, size: weights.length, weights: [weights] };
      expect(await spent(1e-3, { ...asked, relation: 'add-remove' }, 6)).toBeGreaterThan(0.95);
    }
    const swap = { quantiles: [0.5], epsilon: 1, size: 4, weights: [[1, 1000, 1000, 1]] };
    expect(await spent(1e-3, { ...swap, relation: 'swap' }, 5)).toBeGreaterThan(0.95);
  });

  it('holds for units of several rows', async () => {
    const asked: TreeCase = { quantiles: [0.5], epsilon: 1, relation: 'add-remove', size: 2, rowsPerUnit: 2 };
    const found = await spent(0.01, asked, 6);
    expect(found).toBeLessThanOrEqual(1);
    expect(found).toBeGreaterThan(0.9);
  });

  it.each(relations)('becomes the epsilon and delta that are promised (%s)', async (relation) => {
    for (const [epsilon, delta] of [
      [0.5, 1e-2],
      [1, 1e-6],
      [4, 1e-3],
    ] as const) {
      const asked: TreeCase = { quantiles: three, epsilon, relation, size: 4 };
      const at = (claim: number) => deltaOf(asked, claim, withTree(asked, zcdpTree(costOf(asked), delta, binary)));
      expect(await at(epsilon)).toBeLessThanOrEqual(delta);
      expect(await at(epsilon / 4)).toBeGreaterThan(delta);
    }
  });

  it('loses no more than what is set aside to windows and floors', async () => {
    for (const relation of relations) {
      const [epsilon, delta] = [8, 1e-3];
      const interpolation = { steps: 0, ramp: [0, 0.5] };
      const asked: TreeCase = { quantiles: three, epsilon, relation, size: 4, interpolation };
      const r = 2 ** -4 / 20;
      const tree = zcdpTree(costOf(asked), delta, binary);
      const settings = { ...withTree(asked, tree), floorBits: 4, logDrop: Math.log(r) };
      // Of a draw, the most and the least that truncation does to its probabilities.
      const slack = 3 * Math.max(Math.log1p(r), -Math.log1p(-20 * r * (20 / 16)));
      expect(await deltaOf(asked, epsilon + 2 * slack, settings)).toBeLessThanOrEqual(Math.exp(slack) * delta);
    }
  });
});

describe('the audit of rho catches', () => {
  const rho = 0.05;

  it('a swap charged like a record more or less', async () => {
    const asked: TreeCase = { quantiles: three, epsilon: 1, relation: 'swap', size: 4 };
    expect(await spent(rho, asked, 5, treeOf(rho, { ...asked, relation: 'add-remove' }))).toBeGreaterThan(1.3);
  });

  it('a draw charged c^2/8 whatever its target', async () => {
    const asked: TreeCase = { quantiles: [0.75], epsilon: 1, relation: 'add-remove', size: 2, weights: [[7, 3]] };
    expect(await spent(rho, asked, 6, treeOf(rho * 4 * 0.75 ** 2, asked))).toBeGreaterThan(1.3);
  });

  it('a unit of two rows that pays twice, not four times', async () => {
    const asked: TreeCase = { quantiles: [0.5], epsilon: 1, relation: 'add-remove', size: 2, rowsPerUnit: 2 };
    expect(await spent(rho, asked, 6, treeOf(rho / 2, { ...asked, rowsPerUnit: 1 }))).toBeGreaterThan(1.3);
  });
});

function costOf({ quantiles, rowsPerUnit = 1, ...rest }: TreeCase) {
  return { ...rest, quantiles: quantiles.map(gridQuantile), rowsPerUnit };
}

async function deltaOf(asked: TreeCase, epsilon: number, settings: ApproximateQuantilesSettings): Promise<number> {
  const result = await exhaustiveAudit<readonly number[]>({
    relation: asked.relation,
    epsilon,
    records: 5,
    lattice: asked.size,
    outputs: [...multisets(asked.size, asked.quantiles.length)],
    law: (data) => approximateQuantilesLaw(wholeProfile(data, asked.size), settings),
  });
  return result.delta!;
}
