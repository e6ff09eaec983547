import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  createLattice,
  type Numbers,
  planQuantiles,
  type QuantilesOptions,
  quantiles,
  type RankSource,
} from '../../src/index.js';
import { deciles, evenly, sourceLike } from './columns.js';

describe('the values', () => {
  const numbers = Array.from({ length: 4000 }, (_, i) => (i % 100) - 20);
  const options: QuantilesOptions = { ...deciles, step: 1, unsafeSeed: 3 };
  const floats = Float64Array.from(numbers);
  const positive = numbers.map((x) => x + 20);

  it.each<readonly [string, () => Numbers]>([
    ['Float32Array', () => Float32Array.from(numbers)],
    ['Int8Array', () => Int8Array.from(numbers)],
    ['Int16Array', () => Int16Array.from(numbers)],
    ['Int32Array', () => Int32Array.from(numbers)],
    ['BigInt64Array', () => BigInt64Array.from(numbers, BigInt)],
    ['a plain array', () => numbers],
    ['an array of bigints', () => numbers.map(BigInt)],
    ['a part of a buffer', () => Float64Array.of(99, ...numbers, 99).subarray(1, -1)],
    [
      'a generator',
      () =>
        (function* () {
          yield* numbers;
        })(),
    ],
    [
      'an async generator',
      () =>
        (async function* () {
          yield* numbers;
        })(),
    ],
    ['an iterable object', () => ({ [Symbol.iterator]: () => numbers[Symbol.iterator]() })],
    ['a stream', () => Readable.from(numbers)],
  ])('of %s give what the same doubles give', async (_, make) => {
    expect(await quantiles(make(), options)).toEqual(await quantiles(floats, options));
  });

  it.each<readonly [string, () => Numbers]>([
    ['Uint8Array', () => Uint8Array.from(positive)],
    ['Uint8ClampedArray', () => Uint8ClampedArray.from(positive)],
    ['Uint16Array', () => Uint16Array.from(positive)],
    ['Uint32Array', () => Uint32Array.from(positive)],
    ['BigUint64Array', () => BigUint64Array.from(positive, BigInt)],
  ])('of %s give what the same doubles give', async (_, make) => {
    expect(await quantiles(make(), options)).toEqual(await quantiles(Float64Array.from(positive), options));
  });

  it('of a set are its members', async () => {
    expect(await quantiles(new Set(numbers), options)).toEqual(await quantiles(numbers.slice(0, 100), options));
  });

  it("of a source of one's own are read through its counts", async () => {
    expect(await quantiles(await sourceLike(floats), options)).toEqual(await quantiles(floats, options));
  });

  it('are not changed and not reordered', async () => {
    const copy = floats.slice();
    await quantiles(copy, options);
    expect(copy).toEqual(floats);
  });

  it.each(['add-remove', 'swap'] as const)('that are no numbers count as nulls under %s', async (relation) => {
    const nulls = [null, undefined, Number.NaN, '5', true, {}, [7], new Date(0), Symbol('x')] as never[];
    const mixed = [...numbers, ...nulls];
    const same = relation === 'swap' ? [...numbers, ...nulls.map(() => -100)] : numbers;
    expect(await quantiles(mixed, { ...options, relation })).toEqual(await quantiles(same, { ...options, relation }));
  });

  it('outside the bounds and infinite ones count as the bounds', async () => {
    const wild = [...numbers, -101, -1e308, Number.NEGATIVE_INFINITY, 101, 1e308, Number.POSITIVE_INFINITY];
    const tame = [...numbers, -100, -100, -100, 100, 100, 100];
    expect(await quantiles(wild, options)).toEqual(await quantiles(tame, options));
  });

  it('of a declared integer type are on whole steps by default, whatever the others hold', async () => {
    const stepOf = async (values: Numbers | RankSource) => (await quantiles(values, deciles)).lattice.step;
    const integers = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
    for (const type of integers) expect(await stepOf(type.of(1, 2))).toBe(1);
    for (const type of [BigInt64Array, BigUint64Array]) expect(await stepOf(type.of(1n, 2n))).toBe(1);
    expect(await stepOf(await sourceLike([1, 2], { integer: true }))).toBe(1);
    const power = createLattice([-100, 100]).step;
    for (const values of [Float64Array.of(1, 2), Float32Array.of(1, 2), [1, 2], [1n, 2n], await sourceLike([1, 2])])
      expect(await stepOf(values)).toBe(power);
  });

  it.each([undefined, null, 5, 'text', {}, () => 1, new ArrayBuffer(8), new DataView(new ArrayBuffer(8))])(
    'must be values: %o',
    async (values) => {
      await expect(quantiles(values as never, deciles)).rejects.toMatchObject({
        code: 'values_invalid',
        group: 'usage',
      });
    },
  );
});

describe('a privacy unit', () => {
  const unit = { column: 'user', maxRows: 20 } as const;

  it('of a source is in the guarantee and its rows are paid for', async () => {
    const options: QuantilesOptions = { ...deciles, quantiles: [0.3, 0.7] };
    const source = await sourceLike(evenly(50_000), { unit });
    const release = await quantiles(source, options);
    expect(release.guarantee).toEqual({ relation: 'add-remove', unit, epsilon: 1, delta: 0 });
    expect(release.forecast).toEqual(planQuantiles(options, { unit }).forecast);
    const spread = async (values: Numbers | RankSource) => {
      let sum = 0;
      for (let seed = 0; seed < 40; seed++) {
        const { values: released } = await quantiles(values, { ...options, unsafeSeed: seed });
        sum += Math.abs(released[0] + 20) + Math.abs(released[1] - 20);
      }
      return sum;
    };
    const ratio = (await spread(source)) / (await spread(await sourceLike(evenly(50_000))));
    expect(ratio).toBeGreaterThan(14);
    expect(ratio).toBeLessThan(28);
  });

  it('is refused under swap before the source is opened', async () => {
    const source = { unit, open: () => Promise.reject(new Error('opened')) };
    await expect(quantiles(source, { ...deciles, relation: 'swap' })).rejects.toMatchObject({ code: 'unit_invalid' });
  });
});
