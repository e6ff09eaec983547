import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approximateQuantilesLaw } from '../../src/audit/approximate-quantiles-law.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import { createLattice, latticeIndex, ScumbleError } from '../../src/index.js';
import { uniformMeasure } from '../../src/lattice/measure.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { approximateQuantiles, approximateQuantilesSettings } from '../../src/quantiles/approximate-quantiles.js';
import { approximateQuantilesMethod } from '../../src/quantiles/approximate-quantiles-method.js';
import { leastEpsilon } from '../../src/quantiles/joint-exp.js';
import { jointExpMethod } from '../../src/quantiles/joint-exp-method.js';
import type { Method } from '../../src/quantiles/method.js';
import { defaultInterpolation, type Interpolation, plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';
import { locate } from '../../src/ranks/locate.js';
import { sourceOf } from '../../src/ranks/memory.js';
import { chiSquareZ } from '../support/chi-square.js';
import { expectPossible } from '../support/forecast.js';
import { binary, settingsOf, type TreeCase, ternary } from '../support/tree-cases.js';
import { treeLaw } from '../support/tree-law.js';

const method: Method = approximateQuantilesMethod;
const ramps: Interpolation[] = [
  plainRanks,
  { steps: 1, ramp: [0, 2 ** -10, 0.75] },
  { steps: 0, ramp: [0, 0.25, 0.5] },
];
const evenly = (m: number) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));

/** Trees with records. */
const cases = fc
  .record({
    size: fc.integer({ min: 2, max: 5 }),
    quantiles: fc.uniqueArray(fc.integer({ min: 1, max: 19 }), { minLength: 1, maxLength: 3 }),
    epsilon: fc.constantFrom(0.3, 2, 9),
    relation: fc.constantFrom<Relation>('add-remove', 'swap'),
    shape: fc.constantFrom(binary, ternary),
    adaptation: fc.constantFrom('conditional' as const, 'edge' as const),
    interpolation: fc.constantFrom(...ramps),
    records: fc.array(fc.nat(99), { maxLength: 9 }),
    weights: fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ records, quantiles, weights, ...rest }) => ({
    asked: {
      ...rest,
      quantiles: quantiles.sort((a, b) => a - b).map((q) => q / 20),
      weights: weights.map((list) => list.slice(0, rest.size)),
    } satisfies TreeCase,
    records: records.map((x) => x % rest.size).sort((a, b) => a - b),
  }));

/** The program's law and the definition's, over all outputs. */
async function laws(asked: TreeCase, records: readonly number[], changes: { floorBits?: number; logDrop?: number }) {
  const settings = { ...settingsOf(asked), ...changes };
  const { tree, adaptation, interpolation } = settings;
  const { size, quantiles } = asked;
  const weights = quantiles.map((_, j) => asked.weights?.[j % asked.weights.length] ?? new Array(size).fill(1));
  const floor = 2 ** -settings.floorBits;
  const log = await approximateQuantilesLaw(wholeProfile(records, size), settings);
  const naive = treeLaw({ records, size, tree, interpolation, weights, adaptation, floor });
  return [...multisets(size, quantiles.length)].map((cells) => [Math.exp(log(cells)), naive.get(cells.join()) ?? 0]);
}

describe('the law of approximate-quantiles', () => {
  it('is that of the definition', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(3, 40), async ({ asked, records }, floorBits) => {
        let total = 0;
        for (const [p, exact] of await laws(asked, records, { floorBits })) {
          expect(Math.abs(p - exact)).toBeLessThanOrEqual(1e-9 * exact);
          total += p;
        }
        expect(total).toBeCloseTo(1, 9);
      }),
      { numRuns: 300 },
    );
  });

  it('of one level is the same for either adaptation: nothing lies beyond the lattice', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ asked, records }) => {
        const shape = { branching: asked.quantiles.length + 1, power: 0 };
        const of = (adaptation: 'conditional' | 'edge') => laws({ ...asked, shape, adaptation }, records, {});
        const edge = await of('edge');
        for (const [i, [p]] of (await of('conditional')).entries()) expect(edge[i][0] / p).toBeCloseTo(1, 9);
      }),
      { numRuns: 50 },
    );
  });

  it('differs from it by no more than the proof allows where windows cut', async () => {
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ asked, records }) => {
        const floor = 2 ** -3;
        const r = floor / 10;
        const m = asked.quantiles.length;
        for (const [p, exact] of await laws(asked, records, { floorBits: 3, logDrop: Math.log(r) })) {
          expect(p / exact).toBeLessThanOrEqual((1 + r) ** m + 1e-9);
          expect(p / exact).toBeGreaterThanOrEqual((1 - r / floor) ** m - 1e-9);
          if (Math.abs(p / exact - 1) > 1e-6) cut++;
        }
      }),
      { numRuns: 300 },
    );
    expect(cut).toBeGreaterThan(20);
  });

  it('is the law of the sampler, its floor included', async () => {
    const asked: TreeCase = {
      quantiles: [0.2, 0.5, 0.6],
      epsilon: 6,
      relation: 'add-remove',
      size: 4,
      weights: [[1, 3, 2, 5]],
      interpolation: ramps[1],
    };
    const records = [0, 1, 1, 1, 1, 2, 3, 3];
    for (const shape of [binary, ternary])
      for (const adaptation of ['conditional', 'edge'] as const)
        for (const floorBits of [2, 40]) {
          const settings = { ...settingsOf({ ...asked, shape, adaptation }), floorBits };
          const profile = wholeProfile(records, asked.size);
          const log = await approximateQuantilesLaw(profile, settings);
          const outputs = [...multisets(asked.size, 3)];
          const seen = new Map(outputs.map((cells) => [cells.join(), 0]));
          const entropy = unsafeSeededEntropy(floorBits);
          for (let i = 0; i < 4000; i++) {
            const key = (await approximateQuantiles(profile, settings, entropy)).join();
            seen.set(key, seen.get(key)! + 1);
          }
          expect(seen.size).toBe(outputs.length);
          const probabilities = outputs.map((cells) => Math.exp(log(cells)));
          expect(Math.abs(chiSquareZ([...seen.values()], probabilities))).toBeLessThan(4);
        }
  });
});

/** A profile of the values on [0, 1], and how often its source was scanned since. */
async function profileOf(data: Float64Array) {
  const lattice = createLattice([0, 1]);
  const view = await (await sourceOf(data)).open({ lattice, nulls: 'drop' });
  const scans = { count: 0 };
  const counted = {
    ...view,
    hint: view.hint.bind(view),
    close: view.close.bind(view),
    coarse: (...args: Parameters<typeof view.coarse>) => {
      scans.count++;
      return view.coarse(...args);
    },
    fine: (...args: Parameters<typeof view.fine>) => {
      scans.count++;
      return view.fine(...args);
    },
  };
  return { lattice, scans, profile: await locate(counted, lattice, { low: 0.01, high: 0.99 }) };
}

/** Mostly spread, some of it on a few values. */
function column(n: number): Float64Array {
  const { word } = unsafeSeededEntropy(n);
  return Float64Array.from({ length: n }, () => (word() % 4 === 0 ? (word() % 8) / 8 : word() / 2 ** 32));
}

const request = (m: number, size: number) => ({
  quantiles: evenly(m),
  epsilon: 1,
  delta: 0,
  relation: 'add-remove' as const,
  rowsPerUnit: 1,
  measure: uniformMeasure(size),
});

describe('a release by approximate-quantiles', () => {
  it('is the same however the ranks are read', async () => {
    const data = column(30_000);
    const { lattice, profile } = await profileOf(data);
    const records = Array.from(data, (x) => latticeIndex(lattice, x)).sort((a, b) => a - b);
    const whole = wholeProfile(records, lattice.size);
    for (let seed = 0; seed < 5; seed++) {
      const asked = request(9, lattice.size);
      const released = await method.release(asked, profile, unsafeSeededEntropy(seed));
      expect(released).toEqual(await method.release(asked, whole, unsafeSeededEntropy(seed)));
    }
  });

  it('takes at most two scans more than joint-exp', async () => {
    for (const m of [1, 9, 99])
      for (let seed = 0; seed < 3; seed++) {
        const data = column(200_000);
        const scansOf = async ({ release }: Method) => {
          const { lattice, scans, profile } = await profileOf(data);
          await release(request(m, lattice.size), profile, unsafeSeededEntropy(seed));
          return scans.count;
        };
        expect(await scansOf(method)).toBeLessThanOrEqual((await scansOf(jointExpMethod)) + 2);
      }
  });

  it('finds the ranks of what its floor draws', async () => {
    const { lattice, profile } = await profileOf(column(5000));
    const measures = evenly(7).map(() => uniformMeasure(lattice.size));
    const cost = { ...request(7, lattice.size), quantiles: evenly(7).map(gridQuantile) };
    const settings = { ...approximateQuantilesSettings(cost, defaultInterpolation, measures), floorBits: 1 };
    for (let seed = 0; seed < 20; seed++) {
      const cells = await approximateQuantiles(profile, settings, unsafeSeededEntropy(seed));
      expect(cells).toEqual([...cells].sort((a, b) => a - b));
      expect(cells.every((cell) => Number.isInteger(cell) && cell >= 0 && cell < lattice.size)).toBe(true);
    }
  });

  it('hits the middle of ties, and is valid without records', async () => {
    const constant = await profileOf(new Float64Array(1000).fill(0.25));
    const asked = request(9, constant.lattice.size);
    const cell = latticeIndex(constant.lattice, 0.25);
    const released = await method.release({ ...asked, epsilon: 20 }, constant.profile, unsafeSeededEntropy(1));
    expect(released).toEqual(asked.quantiles.map(() => cell));
    const empty = await profileOf(new Float64Array(0));
    expect(await method.release(asked, empty.profile, unsafeSeededEntropy(1))).toHaveLength(9);
  });

  it('stops when told to', async () => {
    const { lattice, profile } = await profileOf(column(200_000));
    const stop = new AbortController();
    stop.abort();
    const { word } = unsafeSeededEntropy(1);
    const slow: Entropy = {
      word() {
        for (const end = performance.now() + 60; performance.now() < end; );
        return word();
      },
    };
    const release = method.release(request(9, lattice.size), profile, slow, stop.signal);
    await expect(release).rejects.toBeInstanceOf(ScumbleError);
  });
});

const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
const quantile95 = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.ceil(0.95 * list.length) - 1];

describe('the forecast of approximate-quantiles', () => {
  const cases = [
    { m: 1, releases: 400, relation: 'add-remove' as const },
    { m: 9, releases: 150, relation: 'swap' as const },
    { m: 30, releases: 60, relation: 'add-remove' as const },
  ].flatMap((count) => [0.1, 1, 5].map((epsilon) => ({ ...count, epsilon })));

  it.each(cases)(
    'for m = $m, epsilon = $epsilon is what evenly spread records give',
    async ({ m, releases, relation, epsilon }) => {
      const errors = evenly(m).map((): number[] => []);
      for (const n of epsilon > 1 ? [20_000, 20_011, 30_006, 40_013] : [20_000, 40_013]) {
        const { lattice, profile } = await profileOf(Float64Array.from({ length: n }, (_, i) => (i + 0.5) / n));
        const asked = { ...request(m, lattice.size), relation, epsilon };
        const entropy = unsafeSeededEntropy(n);
        for (let i = 0; i < releases; i++)
          (await method.release(asked, profile, entropy)).forEach((cell, j) => {
            const rank = Math.min(n, Math.max(0, Math.ceil(lattice.value(cell) * n - 0.5)));
            errors[j].push(Math.abs(rank - asked.quantiles[j] * n));
          });
      }
      const { expectedRankError, rankError95 } = method.forecast({ ...request(m, 2), relation, epsilon });
      const all = mean(errors.map((list, j) => mean(list) / expectedRankError[j]));
      expect(Math.abs(all - 1)).toBeLessThan(0.15);
      errors.forEach((list, j) => {
        expect(Math.abs(mean(list) - expectedRankError[j])).toBeLessThan(0.25 * expectedRankError[j] + 0.1);
      });
      const shares = errors.flatMap((list, j) => list.map((error) => error / rankError95[j]));
      expect(Math.abs(quantile95(shares) - 1)).toBeLessThan(0.15 + 0.1 / rankError95[0]);
    },
  );

  it.each([
    { tree: { branching: 4, power: 1.5, adaptation: 'edge' }, relation: 'add-remove', m: 9, sizes: [20_000, 40_013] },
    { tree: { branching: 3, power: 2 }, relation: 'swap', m: 12, sizes: [20_000, 40_013] },
    // Few records, so that the mass beyond the ends of an interval matters.
    { tree: { branching: 4, power: 1.5, adaptation: 'edge' }, relation: 'swap', m: 9, sizes: [300] },
    { tree: { branching: 4, power: 1.5 }, relation: 'swap', m: 9, sizes: [300] },
    { tree: { adaptation: 'edge' }, relation: 'swap', m: 15, sizes: [150] },
    { tree: { branching: 3 }, relation: 'add-remove', m: 8, sizes: [20_000], several: true },
  ] as const)(
    'of a tree of any form is what evenly spread records give: %j',
    async ({ m, sizes, tree, relation, ...rest }) => {
      const asked = { ...request(m, 2), relation, tree };
      // Of one law, but not one measure: that is what costs more.
      const measures = (size: number) =>
        'several' in rest ? { measures: evenly(m).map(() => uniformMeasure(size)) } : {};
      const ratios: number[] = [];
      const shares: number[] = [];
      for (const n of sizes) {
        const { lattice, profile } = await profileOf(Float64Array.from({ length: n }, (_, i) => (i + 0.5) / n));
        const aboutRows = n < 1000 ? n : undefined;
        const { expectedRankError, rankError95 } = method.forecast({ ...asked, ...measures(2), aboutRows });
        const entropy = unsafeSeededEntropy(n);
        for (let i = 0; i < 250; i++) {
          const cells = await method.release(
            { ...asked, measure: uniformMeasure(lattice.size), ...measures(lattice.size) },
            profile,
            entropy,
          );
          for (const [j, cell] of cells.entries()) {
            const rank = Math.min(n, Math.max(0, Math.ceil(lattice.value(cell) * n - 0.5)));
            const error = Math.abs(rank - asked.quantiles[j] * n);
            ratios.push(error / expectedRankError[j]);
            shares.push(error / rankError95[j]);
          }
        }
      }
      expect(Math.abs(mean(ratios) - 1)).toBeLessThan(0.1);
      expect(Math.abs(quantile95(shares) - 1)).toBeLessThan(0.15);
    },
  );

  it('is finite, not negative and no larger than the data, for all legal parameters', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.double({ min: -9, max: 2, noNaN: true }),
        fc.constantFrom<Relation>('add-remove', 'swap'),
        fc.constantFrom(1, 3, 1000),
        fc.option(fc.constantFrom(1, 2, 10, 1000, 10 ** 7, 2 ** 53 - 1), { nil: undefined }),
        fc.record({
          branching: fc.integer({ min: 2, max: 13 }),
          power: fc.constantFrom(0, 1.5, 8),
          adaptation: fc.constantFrom('conditional' as const, 'edge' as const),
        }),
        (list, logEpsilon, relation, rowsPerUnit, aboutRows, tree) => {
          const quantiles = list.sort((a, b) => a - b);
          const epsilon = Math.min(100, Math.max(leastEpsilon(quantiles.length), 10 ** logEpsilon));
          const asked = { ...request(1, 2), quantiles, epsilon, relation, rowsPerUnit, aboutRows, tree };
          expectPossible(method.forecast(asked), quantiles, aboutRows);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of one quantile is that of a two-sided exponential', () => {
    const { expectedRankError, rankError95 } = method.forecast({ ...request(1, 2), epsilon: 0.01 });
    expect(expectedRankError[0] * 0.01).toBeCloseTo(1, 1);
    expect(rankError95[0] * 0.01).toBeCloseTo(Math.log(20), 1);
  });

  it('from few records is that of a rank anywhere when epsilon says nothing', () => {
    const { expectedRankError } = method.forecast({ ...request(1, 2), epsilon: 1e-6, aboutRows: 1000 });
    expect(expectedRankError[0] / 1000).toBeCloseTo(0.25, 1);
  });
});
