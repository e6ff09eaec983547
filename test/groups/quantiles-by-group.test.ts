import { describe, expect, it } from 'vitest';
import {
  counted,
  epsilonByGroup,
  forecastQuantiles,
  type GroupedSource,
  type GroupsOptions,
  type NumbersByGroup,
  planByGroup,
  planByGroupOn,
  planQuantiles,
  type QuantilesOptions,
  quantiles,
  quantilesByGroup,
} from '../../src/index.js';

const options = { quantiles: [0.75, 0.25, 0.75], bounds: [0, 100], step: 1, epsilon: 1 } as const;
const around = (centre: number, count: number) => Float64Array.from({ length: count }, (_, i) => centre + (i % 5));

/** The code of what is thrown. */
async function codeOf(promise: () => unknown): Promise<unknown> {
  try {
    await promise();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return undefined;
}

describe('declared groups', () => {
  it('are all in the answer, in the order asked, each with its own quantiles', async () => {
    const data = { a: around(10, 2000), b: around(50, 2000), other: around(90, 2000) };
    const release = await quantilesByGroup(data, { ...options, groups: ['b', 'empty', 'a'] });
    expect(release.groups.map(({ group }) => group)).toEqual(['b', 'empty', 'a']);
    expect(release.quantiles).toEqual(options.quantiles);
    const [b, empty, a] = release.groups.map(({ values }) => values);
    expect(b).toEqual([53, 51, 53]);
    expect(a).toEqual([13, 11, 13]);
    expect(empty).toHaveLength(3);
    expect(release.selection).toBeUndefined();
    expect(Object.isFrozen(release) && Object.isFrozen(release.groups[0])).toBe(true);
  });

  it('cost epsilon in all, whatever their number, and forecast what a release of one does', () => {
    const plan = planByGroup({ ...options, groups: ['a', 'b', 'c'] });
    const single = { ...planQuantiles(options), groups: ['a', 'b', 'c'] };
    expect(JSON.parse(JSON.stringify(plan))).toEqual(JSON.parse(JSON.stringify(single)));
  });

  it('are released, with one group, as quantiles releases all', async () => {
    const values = [...around(30, 40), 7, 99];
    for (const method of ['joint-exp', 'agg-tree'] as const) {
      const seeded = { ...options, method, unsafeSeed: 3 };
      const { groups, ...rest } = await quantilesByGroup({ all: values }, { ...seeded, groups: ['all'] });
      const { values: released, ...release } = await quantiles(values, seeded);
      expect(groups).toEqual([{ group: 'all', values: released }]);
      expect(rest).toEqual(release);
    }
  });

  it.each([
    ['declared', 'add-remove', 0],
    ['declared', 'swap', 0],
    ['found', 'add-remove', 1e-6],
    ['found', 'swap', 1e-6],
  ] as const)(
    '%s under %s: the epsilon of a wanted error is the least that keeps it in each',
    (how, relation, delta) => {
      const asked = {
        ...options,
        method: 'joint-exp' as const,
        relation,
        delta,
        ...(how === 'declared' && { groups: ['a', 'b'] }),
      };
      const worst = (epsilon: number) => Math.max(...planByGroup({ ...asked, epsilon }).forecast.expectedRankError);
      for (const wanted of [0.5, 20, 1e6]) {
        const epsilon = epsilonByGroup(asked, wanted);
        expect(worst(epsilon)).toBeLessThanOrEqual(wanted);
        expect(worst(epsilon / 1.002)).toBeGreaterThan(wanted);
      }
      expect(() => epsilonByGroup(asked, 0)).toThrow(expect.objectContaining({ code: 'option_invalid' }));
    },
  );

  it('are planned on a reference as what is released of each', async () => {
    const reference = { family: 'gaussian', location: 50, scale: 5, rows: 400 } as const;
    const asked = { ...options, method: 'joint-exp', epsilon: 2 } as const;
    const plan = await planByGroupOn(reference, { ...asked, relation: 'swap', groups: ['a', 'b'] });
    expect(plan.guarantee).toEqual({ relation: 'swap', unit: 'row', epsilon: 2, delta: 0 });
    expect(plan.groups).toEqual(['a', 'b']);
    expect(plan.forecast).toEqual(await forecastQuantiles(reference, { ...asked, epsilon: 1 }));
  });

  it('under swap have half of epsilon each, and the guarantee says swap and all of it', () => {
    const plan = planByGroup({ ...options, relation: 'swap', epsilon: 2, groups: ['a'] });
    expect(plan.guarantee).toEqual({ relation: 'swap', unit: 'row', epsilon: 2, delta: 0 });
    expect(plan.forecast).toEqual(planQuantiles({ ...options, epsilon: 1 }).forecast);
  });

  it('under swap have delta/(1 + exp(epsilon/2)) each', () => {
    const given = { ...options, epsilon: 2, delta: 1e-5, method: 'gauss-tree' } as const;
    const plan = planByGroup({ ...given, relation: 'swap', groups: ['a'] });
    expect(plan.guarantee).toMatchObject({ epsilon: 2, delta: 1e-5 });
    const half = planQuantiles({ ...given, epsilon: 1, delta: 1e-5 / (1 + Math.E) });
    expect(plan.forecast.expectedRankError[0] / half.forecast.expectedRankError[0]).toBeCloseTo(1, 6);
  });

  it('drop nulls under swap too', async () => {
    const values = [...around(60, 500), ...Array<null>(5000).fill(null)];
    const given = { ...options, relation: 'swap', quantiles: [0.5], epsilon: 4, groups: ['a'] } as const;
    expect((await quantilesByGroup({ a: values }, given)).groups[0].values).toEqual([62]);
  });

  it('have intervals when asked', async () => {
    const given = { ...options, aboutRows: 2000, interval: 0.9, groups: ['a', 'b'] } as const;
    const { groups } = await quantilesByGroup({ a: around(10, 2000), b: around(50, 2000) }, given);
    for (const { values, intervals } of groups) {
      expect(intervals).toHaveLength(3);
      for (const [i, [low, high]] of intervals!.entries()) {
        expect(low).toBeLessThanOrEqual(values[i]);
        expect(high).toBeGreaterThanOrEqual(values[i]);
      }
    }
  });

  it('have a step that does not depend on which of them hold records', async () => {
    const { step: _, ...coarse } = options;
    const given = { ...coarse, groups: ['a', 'b'] };
    const stepOf = async (data: NumbersByGroup) => (await quantilesByGroup(data, given)).lattice.step;
    const all = [{ a: Int32Array.of(1), b: Uint8Array.of(2) }, { a: Int32Array.of(1) }, { a: [1], b: [2] }, {}];
    expect(new Set(await Promise.all(all.map(stepOf))).size).toBe(1);
  });

  it('may have names of objects’ own', async () => {
    const data = { ['__proto__']: new Array(500).fill(5), constructor: [] };
    const given = { ...options, quantiles: [0.5], groups: ['__proto__', 'constructor', 'toString'] };
    const { groups } = await quantilesByGroup(data, given);
    expect(groups[0]).toEqual({ group: '__proto__', values: [5] });
    expect(groups).toHaveLength(3);
  });
});

describe('groups that are found', () => {
  const found = { ...options, quantiles: [0.5], delta: 1e-6 };

  it('are those that are large enough, by name', async () => {
    const data = {
      z: around(70, 3000),
      small: [1, 2, 3],
      nulls: Array<null>(9000).fill(null),
      none: [],
      b: around(20, 3000),
      a: around(1, 900),
    };
    const release = await quantilesByGroup(data, found);
    expect(release.groups).toEqual([
      { group: 'a', values: [3] },
      { group: 'b', values: [22] },
      { group: 'z', values: [72] },
    ]);
    expect(release.selection).toEqual({ epsilon: 0.1, threshold: expect.any(Number) });
    expect(release.guarantee).toEqual({ relation: 'add-remove', unit: 'row', epsilon: 1, delta: 1e-6 });
    expect(JSON.stringify(release)).not.toMatch(/small|nulls|none/);
  });

  it('may be none', async () => {
    expect((await quantilesByGroup({}, found)).groups).toEqual([]);
    expect((await quantilesByGroup({ a: [1] }, found)).groups).toEqual([]);
  });

  it('are reproducible with a seed, in whatever order groups come', async () => {
    const near = planByGroup(found).selection!.threshold;
    const seeded = { ...found, unsafeSeed: 11 };
    const entries = Array.from({ length: 30 }, (_, i): [string, Float64Array] => [`g${i}`, around(i, near)]);
    const release = await quantilesByGroup(Object.fromEntries(entries), seeded);
    expect(release.groups.length).toBeGreaterThan(3);
    expect(release.groups.length).toBeLessThan(27);
    expect(await quantilesByGroup(Object.fromEntries(entries.toReversed()), seeded)).toEqual(release);
  });

  it('leave nine tenths of epsilon for what is released of them', () => {
    const plan = planByGroup(found);
    const direct = planQuantiles({ ...found, epsilon: 0.9 });
    expect(plan.forecast.expectedRankError[0]).toBeCloseTo(direct.forecast.expectedRankError[0], 6);
    const swapped = planByGroup({ ...found, relation: 'swap' });
    expect(swapped.selection).toMatchObject({ epsilon: 0.1 });
    // Half the epsilon doubles the distance from 1, and the smaller delta adds to it.
    expect(swapped.selection!.threshold).toBeGreaterThan(2 * plan.selection!.threshold - 1);
  });

  it('need a delta', async () => {
    expect(await codeOf(() => planByGroup({ ...found, delta: 0 }))).toBe('groups_invalid');
    expect(await codeOf(() => planByGroup(options))).toBe('groups_invalid');
  });
});

describe('what is refused', () => {
  const endless = {
    async openGroups() {
      throw new Error('it was opened');
    },
  } as unknown as GroupedSource;
  it.each<[string, unknown, string]>([
    ['no group', { groups: [] }, 'groups_invalid'],
    ['a name twice', { groups: ['a', 'b', 'a'] }, 'groups_invalid'],
    ['an empty name', { groups: ['a', ''] }, 'groups_invalid'],
    ['a name that is no text', { groups: ['a', 1] }, 'groups_invalid'],
    ['names in one text', { groups: 'a,b' }, 'groups_invalid'],
    ['half a character', { groups: ['a\ud800'] }, 'groups_invalid'],
    ['too many', { groups: Array.from({ length: 1001 }, (_, i) => `g${i}`) }, 'groups_invalid'],
    ['no epsilon', { groups: ['a'], epsilon: undefined }, 'epsilon_invalid'],
    ['more epsilon than promises anything', { groups: ['a'], epsilon: 150, relation: 'swap' }, 'epsilon_invalid'],
    ['too little for so many quantiles', { groups: ['a'], epsilon: 3 * 2 ** -32, relation: 'swap' }, 'epsilon_invalid'],
    ['an unknown option', { groups: ['a'], group: 'a' }, 'option_invalid'],
  ])('%s, before anything is opened', async (_, wrong, code) => {
    const given = { ...options, quantiles: [0.1, 0.2, 0.3], ...(wrong as object) } as GroupsOptions;
    expect(await codeOf(() => quantilesByGroup(endless, given))).toBe(code);
  });

  it('a unit under swap, and units that groups have by themselves', async () => {
    const unit = { column: 'u', maxRows: 2 };
    const given = { ...options, relation: 'swap', groups: ['a'] } as const;
    expect(await codeOf(() => planByGroup(given, { unit }))).toBe('unit_invalid');
    expect(await codeOf(() => quantilesByGroup({ ...endless, unit }, given))).toBe('unit_invalid');
    for (const own of [{ a: { ...counted([1], [1]), unit } }, { a: counted([1], [1]) }])
      expect(await codeOf(() => quantilesByGroup(own, { ...options, groups: ['a'] }))).toBe('unit_invalid');
  });

  it('values that are no groups', async () => {
    for (const values of [[1, 2], Float64Array.of(1), null, 5, 'a', counted([1], [1]), { a: 5 }, { a: 'text' }])
      expect(await codeOf(() => quantilesByGroup(values as NumbersByGroup, { ...options, groups: ['a'] }))).toBe(
        'values_invalid',
      );
  });

  it('why a source fails', async () => {
    expect(await codeOf(() => quantilesByGroup(endless, { ...options, groups: ['a'] }))).toBe('engine_failed');
    expect(await codeOf(() => planByGroup(null as unknown as QuantilesOptions))).toBe('epsilon_invalid');
  });
});
