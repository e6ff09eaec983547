import { describe, expect, it } from 'vitest';
import { exhaustiveAudit, type LogLaw } from '../../src/audit/index.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { type PartitionSelection, partitionSelection } from '../../src/groups/partition-selection.js';
import { prepareByGroup } from '../../src/groups/plan.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { type JointExpLaw, jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';

const groups = 3;
/** All lists of groups, as sets of bits. */
const lists = Array.from({ length: 2 ** groups }, (_, list) => list);
const has = (list: number, group: number) => (list >> group) % 2 === 1;
const sizesOf = (records: readonly number[]) =>
  Array.from({ length: groups }, (_, group) => records.filter((record) => record === group).length);

/** The law of the list for records that are numbers of groups. */
type ListLaw = (sizes: readonly number[]) => (list: number) => number;

/** Each group by itself, by a probability for its size. */
const separately =
  (chance: (size: number, sizes: readonly number[], group: number) => number): ListLaw =>
  (sizes) =>
  (list) =>
    sizes.reduce((p, size, group) => {
      const listed = chance(size, sizes, group);
      return p * (has(list, group) ? listed : 1 - listed);
    }, 1);

/** The same where each group has one record more. */
const occupied = (chance: (size: number) => number) => separately((size) => chance(size + 1));

function audit(law: ListLaw, epsilon: number, relation: Relation = 'add-remove') {
  const logLaw = (records: readonly number[]): LogLaw<number> => {
    const probability = law(sizesOf(records));
    return (list) => Math.log(probability(list));
  };
  return exhaustiveAudit({ records: 7, lattice: groups, relation, outputs: lists, law: logLaw, epsilon });
}

/** A delta that is just the probability of a group of one record at this threshold. */
const tail = (epsilon: number, threshold: number) =>
  (Math.exp(-epsilon * (threshold - 1)) / (1 + Math.exp(-epsilon))) * (1 + 1e-6);

describe.each([
  [0.5, 4],
  [1, 3],
  [1.5, 4],
])('partition selection at epsilon %d and a threshold of %d', (epsilon, threshold) => {
  const delta = tail(epsilon, threshold);
  const selection = partitionSelection(epsilon, delta);
  const { chance } = selection;

  it('is (epsilon, delta)-DP on all neighbours, and spends nearly all of delta', async () => {
    expect(selection.threshold).toBe(threshold);
    const found = await audit(separately(chance), epsilon);
    expect(found.pairs).toBeGreaterThan(200);
    expect(found.delta).toBeLessThanOrEqual(delta);
    expect(found.delta).toBeGreaterThan(0.95 * delta);
  });

  it('is epsilon-DP where the same groups hold records, and spends nearly all of epsilon there', async () => {
    const found = await audit(occupied(chance), epsilon);
    expect(found.loss).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
    expect(found.loss).toBeGreaterThan(0.95 * epsilon);
  });

  it.each<[string, ListLaw]>([
    ['a threshold one lower', separately((size) => (size === 0 ? 0 : chance(size + 1)))],
    [
      'empty groups of a list that depends on records',
      separately((size, sizes, group) => {
        const candidate = sizes.slice(group).some((other) => other > 0);
        return size > 0 ? chance(size) : candidate ? chance(1) * Math.exp(-epsilon) : 0;
      }),
    ],
    ['one noise for all groups', shared(selection, epsilon)],
  ])('the audit finds %s', async (_, law) => {
    expect((await audit(law, epsilon)).delta).toBeGreaterThan(delta);
  });

  it('the audit finds noise that is too small', async () => {
    const narrow = partitionSelection(1.1 * epsilon, delta);
    expect((await audit(occupied(narrow.chance), epsilon)).loss).toBeGreaterThan(epsilon);
  });
});

/** The law when all groups get the same noise: a sum over the noise. */
function shared({ threshold }: PartitionSelection, epsilon: number): ListLaw {
  const reach = Math.ceil(40 / epsilon);
  const z = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const weights = z.map((x) => (Math.exp(-epsilon * Math.abs(x)) * -Math.expm1(-epsilon)) / (1 + Math.exp(-epsilon)));
  return (sizes) => (list) =>
    z.reduce((sum, x, i) => {
      const agrees = sizes.every((size, group) => has(list, group) === (size > 0 && size + x >= threshold));
      return agrees ? sum + weights[i] : sum;
    }, 0);
}

it('under swap half of epsilon and delta/(1 + exp(epsilon/2)) is enough, and more is not', async () => {
  const epsilon = 1;
  const delta = tail(epsilon / 2, 4) * (1 + Math.exp(epsilon / 2));
  const half = partitionSelection(epsilon / 2, delta / (1 + Math.exp(epsilon / 2)));
  const found = await audit(separately(half.chance), epsilon, 'swap');
  expect(found.delta).toBeLessThanOrEqual(delta);
  // Where no group is empty, epsilon by itself: both groups of a swap pay.
  expect((await audit(occupied(half.chance), epsilon, 'swap')).loss).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
  const { chance } = partitionSelection(epsilon, delta);
  expect((await audit(occupied(chance), epsilon, 'swap')).loss).toBeGreaterThan(1.9 * epsilon);
});

describe('declared groups', () => {
  const cells = 4;
  const names = ['a', 'b'];
  /** Records are numbers of a group and a cell; those of a third group are in none. */
  const placesOf = (records: readonly number[], group: number) =>
    records.filter((record) => Math.floor(record / cells) === group).map((record) => record % cells);
  const outputs = Array.from({ length: cells ** names.length }, (_, i) => [i % cells, Math.floor(i / cells)]);

  /** The law of one group for its cells. */
  function lawOfEach(epsilon: number, relation: Relation) {
    const options = { quantiles: [0.5], bounds: [0, cells - 1], step: 1, relation, groups: names } as const;
    const { request } = prepareByGroup({ ...options, epsilon, method: 'joint-exp' }).each;
    const settings = jointExpSettings(
      { ...request, quantiles: request.quantiles.map(gridQuantile) },
      defaultInterpolation,
      request.measure,
    );
    const known = new Map<string, Promise<JointExpLaw>>();
    return (places: readonly number[]) => {
      const law = known.get(places.join()) ?? jointExp(wholeProfile(places, cells), settings);
      known.set(places.join(), law);
      return law;
    };
  }

  function auditGroups(epsilon: number, relation: Relation, audited: Relation = relation, rowsPerUnit = 1) {
    const lawOf = lawOfEach(epsilon, relation);
    return exhaustiveAudit({
      records: 4,
      lattice: (names.length + 1) * cells,
      relation: audited,
      rowsPerUnit,
      outputs,
      law: async (records) => {
        const laws = await Promise.all(names.map((_, group) => lawOf(placesOf(records, group))));
        return (output) => laws.reduce((sum, law, group) => sum + law.logProbability([output[group]]), 0);
      },
    });
  }

  /** What one group loses by one record, at an epsilon. */
  async function lossOfOne(epsilon: number): Promise<number> {
    const lawOf = lawOfEach(epsilon, 'add-remove');
    const law = async (records: readonly number[]): Promise<LogLaw<number>> => {
      const { logProbability } = await lawOf(records);
      return (output) => logProbability([output]);
    };
    const all = Array.from({ length: cells }, (_, i) => i);
    return (await exhaustiveAudit({ records: 4, lattice: cells, relation: 'add-remove', outputs: all, law })).loss;
  }

  it.each([0.5, 2])('all together cost what one of them does, at epsilon %d', async (epsilon) => {
    const { loss } = await auditGroups(epsilon, 'add-remove');
    expect(loss).toBeLessThanOrEqual(epsilon);
    expect(loss).toBeCloseTo(await lossOfOne(epsilon), 9);
    expect(loss).toBeGreaterThan(0.7 * epsilon);
  });

  it.each([0.5, 2])('under swap cost epsilon %d, where each has half of it', async (epsilon) => {
    const { loss } = await auditGroups(epsilon, 'swap');
    expect(loss).toBeLessThanOrEqual(epsilon);
    expect(loss).toBeGreaterThan(0.6 * epsilon);
  });

  it('the audit finds groups that forget to pay twice under swap, and units that are in two groups', async () => {
    expect((await auditGroups(1, 'add-remove', 'swap')).loss).toBeGreaterThan(1.2);
    expect((await auditGroups(1, 'add-remove', 'add-remove', 2)).loss).toBeGreaterThan(1.2);
  });
});

it('found groups and what is released of them together cost (epsilon, delta)', async () => {
  const cells = 3;
  const epsilon = 8;
  const delta = tail(epsilon / 10, 3);
  const options = { quantiles: [0.5], bounds: [0, cells - 1], step: 1, epsilon, delta, method: 'joint-exp' } as const;
  const { plan, each, selection } = prepareByGroup(options);
  expect(plan).toMatchObject({ guarantee: { epsilon, delta }, selection: { threshold: 3 } });
  const settings = jointExpSettings(
    { ...each.request, quantiles: each.request.quantiles.map(gridQuantile) },
    defaultInterpolation,
    each.request.measure,
  );
  // For each of two groups nothing, or the number of a cell.
  const outputs = Array.from({ length: (cells + 1) ** 2 }, (_, i) => [i % (cells + 1), Math.floor(i / (cells + 1))]);
  const found = await exhaustiveAudit({
    records: 4,
    lattice: 2 * cells,
    relation: 'add-remove',
    outputs,
    epsilon,
    law: async (records) => {
      const groups = [0, 1].map((group) => records.filter((record) => record % 2 === group).map((x) => x >> 1));
      const laws = await Promise.all(groups.map((places) => jointExp(wholeProfile(places, cells), settings)));
      return (output) =>
        output.reduce((sum, cell, group) => {
          const listed = selection!.chance(groups[group].length);
          return sum + (cell === cells ? Math.log(1 - listed) : Math.log(listed) + laws[group].logProbability([cell]));
        }, 0);
    },
  });
  expect(found.delta).toBeLessThanOrEqual(delta);
  expect(found.delta).toBeGreaterThan(0.95 * delta);
});

it('what the list and the releases spend of delta does not add up', async () => {
  const epsilon = 0.8;
  const delta = tail(epsilon, 3);
  const { chance } = partitionSelection(epsilon, delta);
  // A release that tells the size of its group with probability delta and nothing otherwise, which is (0, delta)-DP.
  const most = 6;
  const [notListed, nothing] = [0, most + 1];
  const outputs = Array.from({ length: (most + 2) ** 2 }, (_, i) => [i % (most + 2), Math.floor(i / (most + 2))]);
  const found = await exhaustiveAudit({
    records: most,
    lattice: 2,
    relation: 'add-remove',
    outputs,
    epsilon,
    law: (records) => {
      const sizes = [0, 1].map((group) => records.filter((record) => record === group).length);
      const told = (output: number, size: number) => (output === nothing ? 1 - delta : output === size ? delta : 0);
      const probability = (output: number, size: number) =>
        output === notListed ? 1 - chance(size) : chance(size) * told(output, size);
      return (output) => Math.log(probability(output[0], sizes[0]) * probability(output[1], sizes[1]));
    },
  });
  expect(found.delta).toBeLessThanOrEqual(delta);
  expect(found.delta).toBeGreaterThan(0.95 * delta);
});
