import { describe, expect, it } from 'vitest';
import type { Relation } from '../../src/privacy/guarantee.js';
import { type Interpolation, plainRanks } from '../../src/quantiles/states.js';
import { binary, lossOf, naiveLossOf, settingsOf, type TreeCase, ternary } from '../support/tree-cases.js';

const relations: Relation[] = ['add-remove', 'swap'];
const shapes = [binary, ternary];
const ramps: Interpolation[] = [
  plainRanks,
  { steps: 0, ramp: [0, 0.5] },
  { steps: 1, ramp: [0, 2 ** -10, 0.75] },
  { steps: 2, ramp: [0, 0.25, 0.75] },
];
const three = [0.25, 0.5, 0.75];
const lists = [[0.5], [0.1], [0.3, 0.7], three, [0.2, 0.4, 0.6, 0.8]];

describe('the exhaustive audit of approximate-quantiles', () => {
  it('never finds more than epsilon', async () => {
    for (const relation of relations)
      for (const quantiles of lists)
        for (const shape of shapes)
          for (const epsilon of [0.1, 1, 4])
            expect(await lossOf({ quantiles, epsilon, relation, shape, size: 4 }, 5)).toBeLessThanOrEqual(epsilon);
  });

  it.each(relations)('attains epsilon on binary trees (%s): no budget is wasted', async (relation) => {
    for (const quantiles of [[0.5], three]) {
      const [add, swap] = [
        [1, 1000, 1000, 1],
        [1000, 1, 1, 1000],
      ];
      const weights = [relation === 'swap' && quantiles.length > 1 ? swap : add];
      const loss = await lossOf({ quantiles, epsilon: 4, relation, size: 4, weights }, 7);
      expect(loss / 4).toBeGreaterThan(0.97);
      expect(loss).toBeLessThanOrEqual(4);
    }
  });

  it('holds with interpolated ranks, either adaptation and priors', async () => {
    for (const relation of relations)
      for (const quantiles of [[0.3, 0.7], three])
        for (const shape of shapes)
          for (const adaptation of ['conditional', 'edge'] as const)
            for (const interpolation of ramps)
              for (const weights of [
                undefined,
                [[1, 50, 3]],
                [
                  [1, 1, 90],
                  [1, 9, 1],
                  [90, 1, 1],
                ].slice(-quantiles.length),
              ]) {
                const asked = { quantiles, epsilon: 4, relation, shape, adaptation, interpolation, size: 3 };
                expect(await lossOf({ ...asked, ...(weights && { weights }) }, 4)).toBeLessThanOrEqual(4);
              }
  });

  it.each(relations)(
    'holds for three children with a prior for each draw, and is near epsilon (%s)',
    async (relation) => {
      for (const adaptation of ['conditional', 'edge'] as const) {
        const losses: number[] = [];
        // Opposite priors bring draws in the wrong order, which costs the most.
        for (const weights of [
          [
            [1, 1000, 1],
            [1000, 1, 1000],
          ],
          [
            [1, 1, 1000],
            [1000, 1, 1],
          ],
        ]) {
          const asked = { quantiles: [0.3, 0.7], epsilon: 4, relation, shape: ternary, adaptation, size: 3, weights };
          losses.push(await lossOf(asked, 7));
        }
        for (const loss of losses) expect(loss).toBeLessThanOrEqual(4);
        expect(Math.max(...losses)).toBeGreaterThan(0.75 * 4);
      }
    },
  );

  it('holds for units of several rows', async () => {
    const asked: TreeCase = { quantiles: three, epsilon: 4, relation: 'add-remove', size: 3, rowsPerUnit: 2 };
    const loss = await lossOf(asked, 6);
    expect(loss).toBeLessThanOrEqual(4);
    expect(loss).toBeGreaterThan(0.8 * 4);
  });

  it('holds when windows really cut and the floor really matters', async () => {
    let cut = 0;
    for (const relation of relations)
      for (const quantiles of [[0.1], [0.3, 0.7], three])
        for (const shape of shapes) {
          const asked: TreeCase = { quantiles, epsilon: 12, relation, shape, size: 4, interpolation: ramps[2] };
          const floor = 2 ** -4;
          const r = floor / 20;
          const settings = { ...settingsOf(asked), floorBits: 4, logDrop: Math.log(r) };
          const loss = await lossOf(asked, 5, settings);
          expect(loss).toBeLessThanOrEqual(12 + quantiles.length * (Math.log1p(r) - Math.log1p(-r / floor)));
          // The same without a floor: positions that one data set drops and its neighbour keeps.
          if ((await lossOf(asked, 5, { ...settings, floorBits: 1000 })) > 600) cut++;
        }
    expect(cut).toBeGreaterThanOrEqual(4);
  });
});

describe('the exhaustive audit catches', () => {
  const epsilon = 4;

  it('nothing in the definition itself', async () => {
    for (const relation of relations)
      for (const interpolation of ramps)
        expect(
          await naiveLossOf({ quantiles: three, epsilon, relation, size: 3, interpolation }, 4),
        ).toBeLessThanOrEqual(epsilon);
  });

  it('nodes that use the ranks of all records', async () => {
    const asked: TreeCase = { quantiles: three, epsilon, relation: 'add-remove', size: 4 };
    expect(await naiveLossOf(asked, 5, { global: three })).toBeGreaterThan(1.15 * epsilon);
  });

  it('a swap charged like a record more or less', async () => {
    const asked: TreeCase = { quantiles: three, epsilon, relation: 'swap', size: 4 };
    const settings = settingsOf({ ...asked, relation: 'add-remove' });
    expect(await lossOf(asked, 5, settings)).toBeGreaterThan(1.3 * epsilon);
  });

  it('targets rounded down on ramps, charged as real ones', async () => {
    const interpolation = { steps: 0, ramp: [0, 0.5] };
    const asked: TreeCase = { quantiles: [0.5], epsilon, relation: 'add-remove', size: 3, interpolation };
    expect(await naiveLossOf(asked, 5, { floored: true })).toBeGreaterThan(1.5 * epsilon);
  });

  it('a unit of two rows that pays for one', async () => {
    const asked: TreeCase = { quantiles: three, epsilon, relation: 'add-remove', size: 3, rowsPerUnit: 2 };
    const settings = settingsOf({ ...asked, rowsPerUnit: 1 });
    expect(await lossOf(asked, 6, settings)).toBeGreaterThan(1.5 * epsilon);
  });
});
