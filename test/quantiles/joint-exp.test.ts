import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { Decay, roundRate } from '../../src/quantiles/decay.js';
import { type JointExpSettings, jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { defaultInterpolation, type Interpolation, plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { exponent, normalise } from '../../src/random/weights.js';
import { chiSquareZ } from '../support/chi-square.js';
import { naiveLaw, naiveRate } from '../support/naive-law.js';

const ramps: Interpolation[] = [
  plainRanks,
  { steps: 1, ramp: [0, 0.25, 0.75] },
  { steps: 0, ramp: [0, 2 ** -20, 0.5] },
  { steps: 2, ramp: [0, 0.5] },
];

const request = fc
  .record({
    size: fc.integer({ min: 2, max: 6 }),
    m: fc.integer({ min: 1, max: 4 }),
    interpolation: fc.constantFrom(...ramps),
    relation: fc.constantFrom('add-remove' as const, 'swap' as const),
    epsilon: fc.constantFrom(0.01, 0.5, 1, 4, 20),
    floorBits: fc.constantFrom(1, 2, 5, 40),
    logDrop: fc.constantFrom(1000, 0, -20),
    seeds: fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 4, maxLength: 4 }),
    draws: fc.array(fc.nat(1000), { maxLength: 9 }),
  })
  .map(({ size, m, seeds, draws, interpolation, ...rest }) => ({
    ...rest,
    interpolation: size * interpolation.ramp.length > 12 && m > 3 ? plainRanks : interpolation,
    size,
    quantiles: seeds.slice(0, m).sort((a, b) => a - b),
    // Few distinct values: ties, and points on both bounds.
    records: draws.map((d) => (d % 3 === 0 ? 0 : d % 3 === 1 ? size - 1 : d % size)),
  }));

const ascendingly = (list: readonly number[]) => [...list].sort((a, b) => a - b);

describe('the law of joint-exp', () => {
  it('is that of the definition, on small inputs of every kind', { timeout: 300_000 }, async () => {
    let truncated = 0;
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ records, size, quantiles, interpolation, relation, epsilon, floorBits, logDrop }) => {
          const rate = roundRate(naiveRate(epsilon, quantiles, relation));
          const settings: JointExpSettings = {
            quantiles: quantiles.map(gridQuantile),
            rate,
            interpolation,
            floorBits,
            logDrop,
          };
          const law = await jointExp(wholeProfile(ascendingly(records), size), settings);
          const naive = naiveLaw({
            records,
            size,
            quantiles,
            rate,
            interpolation,
            reach: law.reach,
            floor: 2 ** -floorBits,
          });
          if (law.reach < records.length) truncated++;
          let sum = 0;
          for (const cells of multisets(size, quantiles.length)) {
            const p = Math.exp(law.logProbability(cells));
            const q = naive.get(cells.join())!;
            sum += p;
            expect(Math.abs(p - q)).toBeLessThanOrEqual(1e-9 * q);
          }
          expect(sum).toBeCloseTo(1, 9);
        },
      ),
      { numRuns: 3000 },
    );
    expect(truncated).toBeGreaterThan(300);
  });
});

describe('the sampler of joint-exp', () => {
  it('follows its law, with windows that cut and a floor that shows', () => {
    const cases = [
      {
        records: [0, 1, 1, 3],
        quantiles: [0.3, 0.7],
        interpolation: plainRanks,
        rate: 0.25,
        floorBits: 40,
        logDrop: -40,
      },
      { records: [0, 1, 1, 3], quantiles: [0.3, 0.7], interpolation: ramps[1], rate: 1, floorBits: 2, logDrop: 0 },
      {
        records: [2, 2, 2, 2, 2, 0],
        quantiles: [0.25, 0.5, 0.75],
        interpolation: ramps[2],
        rate: 0.5,
        floorBits: 3,
        logDrop: -2,
      },
      { records: [], quantiles: [0.2, 0.9], interpolation: ramps[3], rate: 1, floorBits: 40, logDrop: -40 },
      { records: [3, 3, 3], quantiles: [0.1], interpolation: defaultInterpolation, rate: 3, floorBits: 4, logDrop: 0 },
    ];
    return Promise.all(
      cases.map(async ({ records, quantiles, ...settings }, seed) => {
        const size = 4;
        const law = await jointExp(wholeProfile(ascendingly(records), size), {
          ...settings,
          rate: roundRate(settings.rate),
          quantiles: quantiles.map(gridQuantile),
        });
        const outputs = [...multisets(size, quantiles.length)];
        const at = new Map(outputs.map((cells, i) => [cells.join(), i]));
        const seen = outputs.map(() => 0);
        const entropy = unsafeSeededEntropy(seed);
        for (let i = 0; i < 40_000; i++) seen[at.get(law.sample(entropy).join())!]++;
        const expected = outputs.map((cells) => Math.exp(law.logProbability(cells)));
        expect(Math.abs(chiSquareZ(seen, expected))).toBeLessThan(5);
      }),
    );
  });

  it('draws the floor when the coin says so, before it looks at anything else', async () => {
    const law = await jointExp(wholeProfile([5, 5, 5], 1000), {
      quantiles: [0.5].map(gridQuantile),
      rate: roundRate(1),
      interpolation: plainRanks,
      floorBits: 40,
      logDrop: -60,
    });
    let drawn = 0;
    // 40 zero bits, then ten bits of a cell.
    const words = [0, 0, 777 << 22];
    const entropy = { word: () => words[drawn++] >>> 0 };
    expect(law.sample(entropy)).toEqual([777]);
    expect(drawn).toBe(3);
  });
});

describe('ties', () => {
  const deciles = Array.from({ length: 9 }, (_, i) => (i + 1) / 10);
  const settings = (quantiles: readonly number[], relation: Relation) =>
    jointExpSettings(
      { quantiles: quantiles.map(gridQuantile), epsilon: 1, relation, rowsPerUnit: 1 },
      defaultInterpolation,
    );

  it.each([2 ** 40, 2 ** 52, 201])('a column of one value is that value, on %d points', async (size) => {
    const cell = Math.floor(size * 0.535);
    for (const relation of ['add-remove', 'swap'] as const)
      for (const n of [2000, 10_000_000]) {
        const profile = wholeProfile([], size);
        const atom = { first: 0, end: size, rank: 0, index: Float64Array.of(cell), count: Float64Array.of(n) };
        const law = await jointExp({ ...profile, n, around: async () => [atom] }, settings(deciles, relation));
        expect(law.logProbability(deciles.map(() => cell))).toBeGreaterThan(Math.log1p(-1e-9));
      }
  });

  it('a value that holds the target well inside its records is released', async () => {
    const size = 2 ** 40;
    const at = [0.2, 0.4, 0.6, 0.8].map((x) => Math.floor(x * size));
    const count = [300, 400, 100, 200];
    const segment = { first: 0, end: size, rank: 0, index: Float64Array.from(at), count: Float64Array.from(count) };
    const profile = { ...wholeProfile([], size), n: 1000, around: async () => [segment] };
    const law = await jointExp(profile, settings([0.15, 0.5, 0.9], 'add-remove'));
    expect(law.logProbability([at[0], at[1], at[3]])).toBeGreaterThan(Math.log(0.999));
  });
});

describe('extremes', () => {
  const records = Array.from({ length: 1200 }, (_, i) => (i * i * 7919 * 7919) % 2 ** 52);
  const evenly = (m: number) => Array.from({ length: m }, (_, i) => (i + 1) / (m + 1));

  it.each([
    { m: 200, epsilon: 20 },
    { m: 200, epsilon: 0.001 },
    { m: 1, epsilon: 1e-6 },
    { m: 1, epsilon: 100 },
  ])('m = $m, epsilon = $epsilon on 2^52 points', async ({ m, epsilon }) => {
    const size = 2 ** 52;
    for (const data of [ascendingly(records), [], [5], new Array(3000).fill(2 ** 51)]) {
      const cost = { quantiles: evenly(m).map(gridQuantile), epsilon, relation: 'add-remove', rowsPerUnit: 1 } as const;
      const law = await jointExp(wholeProfile(data, size), jointExpSettings(cost, defaultInterpolation));
      const cells = law.sample(unsafeSeededEntropy(5));
      expect(cells).toHaveLength(m);
      expect(cells.every((k, j) => Number.isSafeInteger(k) && k >= (cells[j - 1] ?? 0) && k < size)).toBe(true);
      expect(law.logProbability(cells)).toBeLessThanOrEqual(0);
      expect(law.logProbability(cells)).toBeGreaterThan(-m * 40);
    }
  });

  it('places every target where the data are, for a large epsilon', async () => {
    const data = Array.from({ length: 20_000 }, (_, i) => 2 ** 30 + 1000 * i);
    const cost = { quantiles: evenly(200).map(gridQuantile), epsilon: 20, relation: 'swap', rowsPerUnit: 1 } as const;
    const law = await jointExp(wholeProfile(data, 2 ** 52), jointExpSettings(cost, defaultInterpolation));
    law.sample(unsafeSeededEntropy(6)).forEach((k, j) => {
      const rank = (k - 2 ** 30) / 1000;
      expect(Math.abs(rank - ((j + 1) / 201) * 20_000)).toBeLessThan(30);
    });
  });
});

describe('decay', () => {
  it('is the exponential to a few units in the last place, however far', () => {
    for (const rate of [1e-9, 0.01, 0.2777, 5, 49.3].map(roundRate)) {
      const decay = new Decay(rate);
      // exp(-rate*d) by squaring exp(-rate*d/2^22), whose argument is small: its relative error doubles at each step.
      for (const d of [0, 4, 12, 68, 4092, 2 ** 16 + 4, 2 ** 24, 2 ** 24 - 4, 2 ** 33 - 4]) {
        let x = normalise(decay.at(d / 2 ** 22), decay.e);
        let e = exponent;
        for (let i = 0; i < 22; i++) {
          x = normalise(x * x, 2 * e);
          e = exponent;
        }
        const whole = normalise(decay.at(d), decay.e);
        expect(exponent).toBe(e);
        expect(Math.abs(whole / x - 1)).toBeLessThan(2 ** (22 - 52));
      }
    }
  });

  it('has the values of a 100-digit computation', () => {
    // rate, d, x, exponent of 2^512
    const rows = [
      [0.25, 1000000000.0, 3681787327.573236, -704441],
      [0.25, 1234.5, 9.244118895096201e-135, 0],
      [49.0, 16777215.999999046, 1.2003428838150298e-50, -2316437],
      [3.0, 8589934591, 1056749.14245609, -72613219],
      [0.0009765625, 500000000.75, 2.4631752592796675e21, -1376],
    ];
    for (const [rate, d, x, e] of rows) {
      const decay = new Decay(rate);
      expect(Math.abs(decay.at(d) / x - 1)).toBeLessThan(4 * 2 ** -53);
      expect(decay.e).toBe(e);
    }
  });
});
