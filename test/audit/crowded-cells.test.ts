import { describe, expect, it } from 'vitest';
import { auditJointExp, wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';

// Cells that hold more records than are counted as steps, with the constants of a private release.
describe('the loss with the constants of a release stays within epsilon where cells are crowded', () => {
  it('on every data set of up to 12 records on 2 or 3 cells', async () => {
    const lists = [[0.5], [0.3, 0.7], [0.5, 0.5 + 2 ** -53], [1e-17, 2e-17], [1 - 2 ** -53]];
    let largest = 0;
    for (const relation of ['add-remove', 'swap'] as const)
      for (const quantiles of lists)
        for (const [lattice, epsilon] of [
          [2, 0.01],
          [3, 4],
        ]) {
          const { loss, bound } = await auditJointExp({ records: 12, lattice, quantiles, epsilon, relation });
          expect(loss).toBeLessThanOrEqual(bound);
          largest = Math.max(largest, loss / bound);
        }
    expect(largest).toBeGreaterThan(0.97);
  });

  it('on cells just below, at and far above the steps, where windows cut; and probabilities sum to 1', async () => {
    const columns = [
      [8, 9, 7],
      [0, 8, 0, 9, 8, 20],
      [30, 0, 8, 1],
      [1500, 8, 900, 0],
    ];
    let cut = 0;
    let largest = 0;
    for (const relation of ['add-remove', 'swap'] as Relation[])
      for (const quantiles of [[0.44], [0.2, 0.25, 0.9]])
        for (const epsilon of [1, 8])
          for (const counts of columns) {
            const cost = { quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit: 1 };
            const settings = jointExpSettings(cost, defaultInterpolation);
            const outputs = [...multisets(counts.length, quantiles.length)];
            const logs = async (cells: readonly number[]) => {
              const records = cells.flatMap((count, cell) => Array.from({ length: count }, () => cell));
              const law = await jointExp(wholeProfile(records, cells.length), settings);
              if (law.reach < records.length) cut++;
              return outputs.map((output) => law.logProbability(output));
            };
            const here = await logs(counts);
            expect(here.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
            for (let cell = 0; cell < counts.length; cell++) {
              const there = counts.map((count, i) => count + (i === cell ? 1 : 0));
              if (relation === 'swap') there[(cell + 1) % counts.length]--;
              if (Math.min(...there) < 0) continue;
              (await logs(there)).forEach((log, i) => {
                const loss = Math.abs(log - here[i]) / epsilon;
                expect(loss).toBeLessThanOrEqual(1);
                largest = Math.max(largest, loss);
              });
            }
          }
    expect(cut).toBeGreaterThan(50);
    expect(largest).toBeGreaterThan(0.9);
  });
});
