import { describe, expect, it } from 'vitest';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { gaussianNoise, laplaceNoise, type TreeCost } from '../../src/quantiles/count-noise.js';
import type { Noise } from '../../src/random/noise.js';
import { descendants, wholeTree } from '../support/count-tree.js';

const shape = { height: 2, branching: 2 };
const lattice = 4;
/** Below and above all counts the ratio of two Laplace laws is what it is beyond, so the largest ratio is found. */
const levels = [-1, 0, 2, 5];
const outputs = Array.from({ length: levels.length ** 6 }, (_, i) =>
  Array.from({ length: 6 }, (_, node) => levels[Math.floor(i / levels.length ** node) % levels.length]),
);

/** All that is ever drawn of a tree: the noisy counts of all its nodes. Answers are functions of them. */
async function audit(noise: Noise, relation: Relation, rowsPerUnit = 1) {
  return exhaustiveAudit({
    records: 4,
    lattice,
    relation,
    rowsPerUnit,
    outputs,
    law: async (records) => {
      const counts = descendants((await wholeTree(records, lattice, shape)).root).map(({ noisy }) => noisy);
      expect(counts).toHaveLength(6);
      return (output) => output.reduce((sum, y, i) => sum + noise.logProbability(y - counts[i]), 0);
    },
  });
}

const cost = (relation: Relation, rowsPerUnit = 1): TreeCost => ({ height: shape.height, relation, rowsPerUnit });

describe('the exhaustive audit of a tree with Laplace noise', () => {
  it.each([
    ['add-remove', 1, 1],
    ['add-remove', 0.1, 1],
    ['add-remove', 3, 2],
    ['swap', 1, 1],
    ['swap', 7.3, 1],
  ] as const)('%s, epsilon %d, units of %d rows: epsilon is kept and attained', async (relation, epsilon, rows) => {
    const { loss } = await audit(laplaceNoise(epsilon, cost(relation, rows))!, relation, rows);
    expect(loss).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
    expect(loss).toBeGreaterThan(epsilon * (1 - 1e-9));
  });

  it('catches the sensitivity of one path for swapped records, that change two', async () => {
    expect((await audit(laplaceNoise(1, cost('add-remove'))!, 'swap')).loss).toBeCloseTo(2, 9);
  });

  it('catches a unit of two rows that pays for one', async () => {
    expect((await audit(laplaceNoise(1, cost('add-remove'))!, 'add-remove', 2)).loss).toBeCloseTo(2, 9);
  });

  it('catches a level that is not paid for', async () => {
    const noise = laplaceNoise(1, { ...cost('add-remove'), height: 1 })!;
    expect((await audit(noise, 'add-remove')).loss).toBeCloseTo(2, 9);
  });
});

/** The law of a sum of independent draws, index 0 for -reach. */
function sumLaw(noise: Noise, terms: number): { reach: number; chances: Float64Array } {
  const one = Math.ceil(12 * Math.sqrt(noise.variance)) + 12;
  const single = Float64Array.from({ length: 2 * one + 1 }, (_, i) => Math.exp(noise.logProbability(i - one)));
  let chances = single;
  for (let k = 1; k < terms; k++) {
    const next = new Float64Array(chances.length + single.length - 1);
    chances.forEach((p, i) => {
      if (p > 1e-40) for (let j = 0; j < single.length; j++) next[i + j] += p * single[j];
    });
    chances = next;
  }
  return { reach: terms * one, chances };
}

/**
 * The least delta at an epsilon when `nodes` counts differ by `by` each. With noise x_1, x_2, … the privacy loss is
 * (2*by*sum x_i + nodes*by^2)/(2*parameter), a function of the sum; the sign of a difference makes none.
 */
function hockeyStick(noise: Noise, nodes: number, by: number, epsilon: number): number {
  const twice = 1 / (noise.logProbability(0) - noise.logProbability(1)); // 2*parameter
  const { reach, chances } = sumLaw(noise, nodes);
  return chances.reduce((delta, p, i) => {
    const loss = (2 * by * (i - reach) + nodes * by * by) / twice;
    return loss > epsilon ? delta - p * Math.expm1(epsilon - loss) : delta;
  }, 0);
}

describe('a tree with Gaussian noise', () => {
  const budgets = [
    [1, 1e-6],
    [0.3, 1e-3],
    [5, 1e-9],
    [20, 1e-6],
  ];

  it.each(budgets)('costs no more than epsilon %d, delta %d for the neighbours that differ most', (epsilon, delta) => {
    for (const height of [1, 4]) {
      const swap = hockeyStick(
        gaussianNoise(epsilon, delta, { height, relation: 'swap', rowsPerUnit: 1 })!,
        2 * height,
        1,
        epsilon,
      );
      const add = hockeyStick(
        gaussianNoise(epsilon, delta, { height, relation: 'add-remove', rowsPerUnit: 1 })!,
        height,
        1,
        epsilon,
      );
      for (const found of [swap, add]) expect(found).toBeLessThanOrEqual(delta);
      // What is lost is the conversion from zCDP, a small factor of delta where noise is wide.
      if (epsilon <= 1) for (const found of [swap, add]) expect(found).toBeGreaterThan(delta / 20);
    }
  });

  it('three rows of a unit cost most on one path, and that is paid for', () => {
    const noise = gaussianNoise(1, 1e-4, { height: 2, relation: 'add-remove', rowsPerUnit: 3 })!;
    const together = hockeyStick(noise, 2, 3, 1);
    const apart = hockeyStick(noise, 6, 1, 1);
    expect(together).toBeLessThanOrEqual(1e-4);
    expect(apart).toBeLessThan(together);
  });

  it('catches the sensitivity of one path for swapped records, and of one row for three', () => {
    const noise = gaussianNoise(1, 1e-6, { height: 4, relation: 'add-remove', rowsPerUnit: 1 })!;
    expect(hockeyStick(noise, 8, 1, 1)).toBeGreaterThan(1e-5);
    expect(hockeyStick(noise, 4, 3, 1)).toBeGreaterThan(1e-5);
    // If the rows of a unit added up as the swapped records do, by their number and not by its square.
    const square = gaussianNoise(1, 1e-6, { height: 12, relation: 'add-remove', rowsPerUnit: 1 })!;
    expect(hockeyStick(square, 4, 3, 1)).toBeGreaterThan(1e-5);
  });
});

it('noise that epsilon is too small for is refused, not rounded up', () => {
  const wide = { height: 4, relation: 'swap', rowsPerUnit: 1 } as const;
  expect(laplaceNoise(1e-13, wide)).toBeUndefined();
  expect(laplaceNoise(1, { ...wide, relation: 'add-remove', rowsPerUnit: Number.MAX_SAFE_INTEGER })).toBeUndefined();
  expect(gaussianNoise(1e-13, 1e-300, wide)).toBeUndefined();
});
