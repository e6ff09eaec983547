import { describe, expect, it } from 'vitest';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { auditJointExp, auditSettings } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import { stepMeasure } from '../../src/lattice/step-measure.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { jointExpRate, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { type Interpolation, plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { type NaiveRequest, naiveLaw, naiveRate } from '../support/naive-law.js';

const relations: Relation[] = ['add-remove', 'swap'];
const ramp: Interpolation = { steps: 1, ramp: [0, 2 ** -10, 0.25, 0.75] };
const ramps: Interpolation[] = [plainRanks, ramp, { steps: 0, ramp: [0, 0.5] }, { steps: 2, ramp: [0, 0.5, 0.75] }];
const lists = [[0.5], [0.1], [0.3, 0.7], [0.5, 0.9], [0.25, 0.5, 0.75]];

describe('the exhaustive audit of joint-exp', () => {
  it('never finds more than epsilon, and attains most of it', async () => {
    let largest = 0;
    for (const relation of relations)
      for (const quantiles of lists)
        for (const epsilon of [0.1, 1, 4]) {
          const { loss, holds } = await auditJointExp({ records: 4, lattice: 5, quantiles, epsilon, relation });
          expect(holds).toBe(true);
          largest = Math.max(largest, loss / epsilon);
        }
    expect(largest).toBeGreaterThan(0.95);
  });

  it('holds with interpolated ranks in every cell', async () => {
    let largest = 0;
    for (const relation of relations)
      for (const interpolation of ramps)
        for (const quantiles of lists) {
          const epsilon = 4;
          const cost = { quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit: 1 };
          const { loss } = await auditSettings(jointExpSettings(cost, interpolation), {
            records: 5,
            lattice: 3,
            relation,
          });
          expect(loss).toBeLessThanOrEqual(epsilon);
          largest = Math.max(largest, loss / epsilon);
        }
    expect(largest).toBeGreaterThan(0.95);
  });

  it('holds with a prior common to all quantiles', async () => {
    let largest = 0;
    for (const relation of relations)
      for (const quantiles of lists)
        for (const weights of [
          [1n, 700n, 1n],
          [50n, 1n, 400n],
        ]) {
          const cost = { quantiles: quantiles.map(gridQuantile), epsilon: 4, relation, rowsPerUnit: 1 };
          const prior = stepMeasure(3, { starts: Float64Array.of(0, 1, 2), weights });
          const request = { records: 6, lattice: 3, relation };
          const { loss } = await auditSettings(jointExpSettings(cost, plainRanks, prior), request);
          expect(loss).toBeLessThanOrEqual(4);
          largest = Math.max(largest, loss / 4);
        }
    expect(largest).toBeGreaterThan(0.95);
  });

  it('holds for units of several rows', async () => {
    const options = { records: 6, lattice: 3, quantiles: [0.5], epsilon: 4, rowsPerUnit: 2 };
    const { loss, holds } = await auditJointExp(options);
    expect(holds).toBe(true);
    expect(loss).toBeGreaterThan(0.9 * options.epsilon);
  });

  it('holds when windows really cut and the floor really matters', async () => {
    const epsilon = 8;
    let cut = 0;
    for (const relation of relations)
      for (const quantiles of lists) {
        const cost = { quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit: 1 };
        const floor = 2 ** -4;
        const r = floor * (1 - Math.exp(-epsilon));
        const settings = { ...jointExpSettings(cost, ramp), floorBits: 4, logDrop: Math.log(r) };
        const { loss } = await auditSettings(settings, { records: 5, lattice: 4, relation });
        expect(loss).toBeLessThanOrEqual(epsilon + Math.log1p(r));
        // The same without a floor: sequences that one data set drops and its neighbour keeps.
        const bare = await auditSettings({ ...settings, floorBits: 1000 }, { records: 5, lattice: 4, relation });
        if (bare.loss > 600) cut++;
      }
    expect(cut).toBeGreaterThanOrEqual(5);
  });
});

describe('the exhaustive audit catches', () => {
  const quantiles = [0.5];
  const grid = quantiles.map(gridQuantile);
  const epsilon = 4;

  it.each(relations)('a halved sensitivity (%s)', async (relation) => {
    const settings = jointExpSettings({ quantiles: grid, epsilon, relation, rowsPerUnit: 1 }, plainRanks);
    const { loss } = await auditSettings(
      { ...settings, rate: 2 * settings.rate },
      { records: 4, lattice: 4, relation },
    );
    expect(loss).toBeGreaterThan(1.5 * epsilon);
  });

  it('the add-remove sensitivity used for swapped data', async () => {
    const settings = jointExpSettings({ quantiles: grid, epsilon, relation: 'swap', rowsPerUnit: 1 }, plainRanks);
    const rate = jointExpRate({ quantiles: grid, epsilon, relation: 'add-remove', rowsPerUnit: 1 });
    const { loss } = await auditSettings({ ...settings, rate }, { records: 4, lattice: 4, relation: 'swap' });
    expect(loss).toBeGreaterThan(1.5 * epsilon);
  });

  it('a unit of two rows that pays for one', async () => {
    const settings = jointExpSettings({ quantiles: grid, epsilon, relation: 'add-remove', rowsPerUnit: 1 }, plainRanks);
    const request = { records: 4, lattice: 4, relation: 'add-remove', rowsPerUnit: 2 } as const;
    expect((await auditSettings(settings, request)).loss).toBeGreaterThan(1.5 * epsilon);
  });

  const spread: Interpolation = { steps: 0, ramp: [0, 0.25, 0.5, 0.75] };

  /** Audits a variant that is written down from the definition. */
  async function naiveLoss(variant: (records: readonly number[]) => Partial<NaiveRequest> & { from?: number }) {
    const size = 3;
    const request = { size, quantiles, rate: naiveRate(epsilon, quantiles, 'add-remove'), interpolation: plainRanks };
    const { loss } = await exhaustiveAudit({
      records: 5,
      lattice: size,
      relation: 'add-remove',
      outputs: [...multisets(size, quantiles.length)],
      law: (records) => {
        const { from = 0, ...change } = variant(records);
        const law = naiveLaw({ ...request, records: records.map((x) => x - from), ...change, size: size - from });
        return (cells) => Math.log(law.get(cells.map((k) => k - from).join()) ?? 0);
      },
    });
    return loss;
  }

  it('nothing in the definition itself', async () => {
    expect(await naiveLoss(() => ({}))).toBeLessThanOrEqual(epsilon + 1e-12);
    expect(await naiveLoss(() => ({ interpolation: ramp }))).toBeLessThanOrEqual(epsilon + 1e-12);
  });

  it('the minimum of the data used as a bound', async () => {
    expect(await naiveLoss((records) => ({ from: Math.min(...records, 2) }))).toBe(Number.POSITIVE_INFINITY);
  });

  it('a window without a floor', async () => {
    expect(await naiveLoss(() => ({ interpolation: spread, reach: 1.5 }))).toBe(Number.POSITIVE_INFINITY);
  });

  it('a choice between step and ramp by the count of the cell', async () => {
    const within = (c: number, t: number) => (c <= 3 ? (t >= 1 ? c : 0) : c * spread.ramp[t]);
    expect(await naiveLoss(() => ({ interpolation: spread, within }))).toBeGreaterThan(1.2 * epsilon);
  });
});
