import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  createLattice,
  latticeIndex,
  type Numbers,
  planQuantiles,
  type QuantilesOptions,
  quantiles,
  type RankSource,
  type RankView,
  ScumbleError,
} from '../../src/index.js';
import { sourceOf } from '../../src/ranks/memory.js';

const deciles = { quantiles: 'deciles', bounds: [-100, 100], epsilon: 1 } as const;
const evenly = (n: number) => Float64Array.from({ length: n }, (_, i) => -50 + (100 * i) / n);

/** A source of one's own over numbers in memory. */
async function sourceLike(numbers: Numbers, extra: Partial<RankSource> = {}): Promise<RankSource> {
  const { open } = await sourceOf(numbers);
  return { open, ...extra };
}

describe('the result', () => {
  it('keeps the order and the duplicates of the question', async () => {
    const asked = [0.9, 0.1, 0.5, 0.9, 0.1];
    const { quantiles: given, values, forecast } = await quantiles(evenly(10_000), { ...deciles, quantiles: asked });
    expect(given).toEqual(asked);
    expect([values[0], values[1], forecast.rankError95[0]]).toEqual([values[3], values[4], forecast.rankError95[3]]);
    expect(values[1]).toBeLessThan(values[2]);
    expect(values[2]).toBeLessThan(values[0]);
    for (const [j, q] of asked.entries()) expect(Math.abs(values[j] - (100 * q - 50))).toBeLessThan(5);
  });

  it('is plain frozen data with the documented keys', async () => {
    const release = await quantiles(evenly(1000), { ...deciles, step: 0.1, aboutRows: 1000 });
    const json = JSON.parse(JSON.stringify(release));
    expect(json).toEqual(release);
    expect(Object.keys(json)).toEqual(['quantiles', 'values', 'guarantee', 'mechanism', 'lattice', 'forecast']);
    expect(json).toMatchObject({
      guarantee: { relation: 'add-remove', unit: 'row', epsilon: 1, delta: 0 },
      mechanism: 'joint-exp',
      lattice: { lower: -100, upper: 100, step: 0.1 },
    });
    expect(Object.keys(json.lattice)).toEqual(['lower', 'upper', 'step']);
    expect(Object.keys(json.forecast)).toEqual([
      'expectedRankError',
      'rankError95',
      'expectedRankErrorShare',
      'rankError95Share',
    ]);
    expect(isFrozen(release)).toBe(true);
    for (const value of release.values) expect(String(value)).toMatch(/^-?\d+(\.\d)?$/);
  });

  it('is the plan and the values', async () => {
    const { lattice, ...plan } = planQuantiles(deciles);
    const { values, lattice: grid, ...rest } = await quantiles(evenly(100), deciles);
    expect(rest).toEqual(plan);
    expect(grid).toEqual({ lower: -100, upper: 100, step: lattice.step });
    for (const value of values) expect(lattice.value(latticeIndex(lattice, value))).toBe(value);
  });
});

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

describe('no column makes a release fail or look different', () => {
  const columns: Readonly<Record<string, Numbers>> = {
    empty: [],
    'all null': new Array(50).fill(null),
    'all NaN': new Float64Array(50).fill(Number.NaN),
    constant: new Float64Array(50).fill(7),
    'one row': [3],
    infinities: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    enormous: [1e308, -1e308, 1e308],
    zeros: [0, -0, 0, -0],
    subnormal: [5e-324, -5e-324, 1e-310],
    'all below': new Array(500).fill(-1e6),
    'all above': new Array(500).fill(1e6),
    text: ['a', '1', ''] as never[],
    'on the bounds': [-100, 100, -100, 100],
  };
  const steps = [undefined, 1, 0.1, 200] as const;

  it.each(Object.keys(columns))('%s', async (name) => {
    for (const relation of ['add-remove', 'swap'] as const)
      for (const step of steps) {
        const options = { ...deciles, relation, step };
        const release = await quantiles(columns[name], options);
        const usual = await quantiles(evenly(1000), options);
        const { values, ...rest } = release;
        expect({ ...rest, values: usual.values }).toEqual(usual);
        expect(values).toHaveLength(9);
        expect(values.every((v, j) => v >= -100 && v <= 100 && v >= (values[j - 1] ?? -100))).toBe(true);
      }
  });
});

describe('ties', () => {
  it.each([undefined, 1, 0.5, 0.01, 1e-9, 7, 2 ** -44])(
    'a constant column is released as it is, at step %d',
    async (step) => {
      const lattice = createLattice([-100, 100], step);
      for (const constant of [7, -100, 100, 0.123456789]) {
        const expected = lattice.value(latticeIndex(lattice, constant));
        for (const relation of ['add-remove', 'swap'] as const) {
          const { values } = await quantiles(new Float64Array(2000).fill(constant), { ...deciles, step, relation });
          expect(values).toEqual(new Array(9).fill(expected));
        }
      }
    },
  );

  it('whole years give whole years although the lattice is fine', async () => {
    const ages = Array.from({ length: 90_000 }, (_, i) => i % 90);
    const { values } = await quantiles(ages, { ...deciles, bounds: [0, 120], quantiles: [0.25, 0.505, 0.75] });
    expect(values).toEqual([22, 45, 67]);
  });
});

describe('randomness', () => {
  it('is reproducible only where a seed is given, and then the result says so', async () => {
    const run = (unsafeSeed?: number) => quantiles(evenly(1000), { ...deciles, unsafeSeed });
    const [a, b, c] = await Promise.all([run(5), run(5), run(6)]);
    expect(a).toEqual(b);
    expect(a.unsafeSeed).toBe(5);
    expect(Object.keys(a).at(-1)).toBe('unsafeSeed');
    expect(c.values).not.toEqual(a.values);
    const [x, y] = await Promise.all([run(), run()]);
    expect(x.values).not.toEqual(y.values);
    expect(x).not.toHaveProperty('unsafeSeed');
    expect((await run(0)).unsafeSeed).toBe(0);
  });
});

describe('a signal', () => {
  const aborted = { code: 'aborted', group: 'aborted' };

  it('that has fired stops the call before a value is read', async () => {
    const untouched = {
      open: () => Promise.reject(new Error('opened')),
      // biome-ignore lint/correctness/useYield: it must not be entered
      *[Symbol.iterator](): Generator<number> {
        throw new Error('iterated');
      },
    };
    const options = { ...deciles, signal: AbortSignal.abort() };
    for (const values of [untouched, { [Symbol.iterator]: untouched[Symbol.iterator] }, new Float64Array(10)])
      await expect(quantiles(values, options)).rejects.toMatchObject(aborted);
  });

  it('stops an endless stream', async () => {
    const controller = new AbortController();
    let read = 0;
    async function* endless() {
      for (;;) {
        if (++read === 1000) controller.abort();
        yield read;
      }
    }
    await expect(quantiles(endless(), { ...deciles, signal: controller.signal })).rejects.toMatchObject(aborted);
    expect(read).toBe(1000);
  });

  it('stops between the scans of a source, whatever the source throws then, and closes it', async () => {
    for (const reason of [undefined, new Error('secret 42')]) {
      const controller = new AbortController();
      let closed = 0;
      const inner = await sourceLike(evenly(100_000));
      const open: RankSource['open'] = async (request) => {
        expect(request.signal).toBe(controller.signal);
        const view = await inner.open(request);
        const coarse: RankView['coarse'] = (...args) => {
          controller.abort(reason);
          if (reason) throw reason;
          return view.coarse(...args);
        };
        return { ...view, coarse, close: async () => void closed++ };
      };
      const error = await failure(quantiles({ open }, { ...deciles, signal: controller.signal }));
      expect(error).toMatchObject(aborted);
      expect(everything(error)).not.toContain('secret');
      expect(closed).toBe(1);
    }
  });
});

describe('a source that fails', () => {
  const methods = ['open', 'hint', 'coarse', 'fine', 'close'] as const;

  it.each(methods)('in %s is engine_failed without a word of why, and is closed', async (method) => {
    const secret = new Error('Could not convert string "secret 42" to DOUBLE');
    let closed = 0;
    const inner = await sourceLike(evenly(100_000));
    const fail = () => Promise.reject(secret);
    const open: RankSource['open'] = async (request) => {
      if (method === 'open') throw secret;
      const close = async () => {
        closed++;
        if (method === 'close') throw secret;
      };
      return { ...(await inner.open(request)), close, ...(method !== 'close' && { [method]: fail }) };
    };
    const error = await failure(quantiles({ open }, deciles));
    expect(error).toMatchObject({ code: 'engine_failed', group: 'internal' });
    expect(error.cause).toBeUndefined();
    expect(everything(error)).not.toContain('secret');
    expect(closed).toBe(method === 'open' ? 0 : 1);
  });

  it('as an iterable does is told the same way', async () => {
    function* broken() {
      yield 1;
      throw new Error('secret 42');
    }
    const error = await failure(quantiles(broken(), deciles));
    expect(error.code).toBe('engine_failed');
    expect(everything(error)).not.toContain('secret');
  });

  it('with an error of this package is heard', async () => {
    const source = { open: () => Promise.reject(new ScumbleError('column_not_found', 'There is no column x.')) };
    await expect(quantiles(source, deciles)).rejects.toMatchObject({ code: 'column_not_found' });
  });
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

function isFrozen(value: unknown): boolean {
  return (
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  );
}

async function failure(call: Promise<unknown>): Promise<ScumbleError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ScumbleError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** All that could be printed of an error. */
function everything(error: Error): string {
  return [error.stack, JSON.stringify(error), String(error.cause)].join();
}
