import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, latticeIndex, ScumbleError } from '../../src/index.js';
import { absolute, compare, exactly, minus, neighbours, plus, quotient, rational, times } from './naive.js';

const runs = { numRuns: 500 };

/** Bounds of every kind: ordinary, tiny, huge, lopsided, next to each other, subnormal. */
const bounds = fc
  .oneof(
    fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: -1e6, max: 1e6, noNaN: true })),
    fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })),
    fc.tuple(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -8e307, max: 8e307 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -8e307, max: 8e307 }),
    ),
    fc.tuple(fc.double({ min: -1e-310, max: 1e-310, noNaN: true }), fc.double({ min: 0, max: 1e-310, noNaN: true })),
    fc.tuple(fc.double({ min: 1, max: 1 + 2 ** -40, noNaN: true }), fc.constant(1 + 2 ** -40)),
  )
  .map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]))
  // No double is a step that fits between 5e-323 and 5.4e-323.
  .filter(
    ([a, b]) => a < b && quotient(minus(rational(String(b)), rational(String(a))), exactly(Number.MIN_VALUE)) >= 1n,
  );

/** Decimal bounds and step with few digits, as people write them. */
const written = fc
  .record({
    lower: fc.integer({ min: -5000, max: 5000 }),
    width: fc.integer({ min: 1, max: 100_000 }),
    step: fc.integer({ min: 1, max: 400 }),
    places: fc.integer({ min: 0, max: 12 }),
    extra: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ lower, width, step, places, extra }) => ({
    lower: Number(`${lower}e${-places}`),
    upper: Number(`${lower + width}e${-places}`),
    step: Number(`${Math.min(step, width)}e${-places - extra}`),
  }));

const nearest = (x: number, target: { n: bigint; d: bigint }) => {
  const distance = (y: number) => absolute(minus(exactly(y), target));
  return neighbours(x).every((y) => !Number.isFinite(y) || compare(distance(x), distance(y)) <= 0);
};

describe('a lattice with a step', () => {
  it('has the points lower + k*step of the decimals, from lower up to at most upper', () => {
    fc.assert(
      fc.property(written, fc.double({ min: 0, max: 1, noNaN: true }), ({ lower, upper, step }, where) => {
        const lattice = createLattice([lower, upper], step);
        const [low, high, unit] = [lower, upper, step].map((x) => rational(String(x)));
        expect(lattice).toMatchObject({ lower, upper, step });
        expect(BigInt(lattice.size)).toBe(quotient(minus(high, low), unit) + 1n);
        const k = Math.floor(where * (lattice.size - 1));
        const point = plus(low, times(unit, BigInt(k)));
        expect(nearest(lattice.value(k), point)).toBe(true);
        expect(compare(rational(lattice.format(k)), point)).toBe(0);
        const places = Math.max(...[lower, step].map((x) => placesOf(rational(String(x)))));
        expect(lattice.format(k).split('.')[1]?.length ?? 0).toBe(places);
      }),
      runs,
    );
  });

  it('prints decimals as people write them', () => {
    const tenths = createLattice([0, 1], 0.1);
    const values = Array.from({ length: tenths.size }, (_, k) => tenths.value(k));
    expect(values).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(values.map(String)[3]).toBe('0.3');
    expect(values.map((_, k) => tenths.format(k)).slice(0, 4)).toEqual(['0.0', '0.1', '0.2', '0.3']);
    const money = createLattice([-1, 1], 0.05);
    expect([money.format(0), money.format(19), money.format(20), money.format(40)]).toEqual([
      '-1.00',
      '-0.05',
      '0.00',
      '1.00',
    ]);
    expect(createLattice([0, 3], 1e21 / 1e21).format(3)).toBe('3');
    expect(createLattice([0, 4e21], 1e21).format(3)).toBe('3000000000000000000000');
  });

  it('ends below upper when the step does not divide the range', () => {
    const lattice = createLattice([0, 1], 0.3);
    expect([lattice.size, lattice.value(3), latticeIndex(lattice, 1), latticeIndex(lattice, 1e9)]).toEqual([
      4, 0.9, 3, 3,
    ]);
  });

  it('may have up to 2^53 points and no more', () => {
    expect(createLattice([0, 2 ** 53 - 1], 1).size).toBe(2 ** 53);
    expect(createLattice([0, 1], 2 ** -52).size).toBe(2 ** 52 + 1);
    expect(refusal(() => createLattice([0, 2 ** 53], 1))).toBe('lattice_too_large');
    expect(refusal(() => createLattice([-1, 2 ** 53 - 1], 1))).toBe('lattice_too_large');
    expect(refusal(() => createLattice([0, 1], 1e-300))).toBe('lattice_too_large');
    // A declared integer whose bounds are too wide for step 1 gets the step of any other number.
    expect(createLattice([0, 1e300], undefined, true).step).toBe(createLattice([0, 1e300]).step);
  });

  it('accepts a step as large as the range and none larger', () => {
    expect(createLattice([0.1, 0.3], 0.2).size).toBe(2);
    expect(refusal(() => createLattice([0.1, 0.3], 0.200001))).toBe('step_invalid');
  });
});

describe('a lattice without a step', () => {
  it('has the smallest power of two as its step that gives at most 2^40 points', () => {
    fc.assert(
      fc.property(bounds, ([lower, upper]) => {
        const { step, size } = createLattice([lower, upper]);
        const range = minus(rational(String(upper)), rational(String(lower)));
        expect(Number.isInteger(Math.log2(step))).toBe(true);
        expect(BigInt(size)).toBe(quotient(range, exactly(step)) + 1n);
        expect(size).toBeGreaterThanOrEqual(2);
        expect(size).toBeLessThanOrEqual(2 ** 40);
        const half = { n: exactly(step).n, d: exactly(step).d * 2n };
        // There is no double below 2^-1074.
        if (step > Number.MIN_VALUE) expect(quotient(range, half) + 1n).toBeGreaterThan(2n ** 40n);
      }),
      runs,
    );
  });

  it('has step 1 for declared integers, unless the range is narrower', () => {
    expect(createLattice([-100, 1500], undefined, true)).toMatchObject({ step: 1, size: 1601 });
    expect(createLattice([0, 1], undefined, true)).toMatchObject({ step: 1, size: 2 });
    expect(createLattice([0, 0.5], undefined, true).step).toBe(2 ** -40);
    expect(createLattice([-100, 1500], 0.5, true).step).toBe(0.5);
    expect(createLattice([-100, 1500], undefined, false).step).toBe(2 ** -29);
  });

  it('prints enough decimals to tell its points apart, and each near its value', () => {
    fc.assert(
      fc.property(bounds, fc.double({ min: 0, max: 1, noNaN: true }), ([lower, upper], where) => {
        const lattice = createLattice([lower, upper]);
        const k = Math.floor(where * (lattice.size - 2));
        const texts = [lattice.format(k), lattice.format(k + 1)];
        expect(texts.join(' ')).toMatch(/^-?\d+(\.\d+)? -?\d+(\.\d+)?$/);
        expect(compare(rational(texts[0]), rational(texts[1]))).toBe(-1);
        const point = plus(rational(String(lower)), times(exactly(lattice.step), BigInt(k)));
        expect(
          compare(times(absolute(minus(rational(texts[0]), point)), 2n), exactly(lattice.step)),
        ).toBeLessThanOrEqual(0);
      }),
      runs,
    );
    const flights = createLattice([-100, 1500]);
    expect(flights.format(0)).toBe('-100.000000000');
    expect(flights.format(1)).toBe('-99.999999998');
  });
});

describe('the value of a point', () => {
  it('is the nearest double, also far out, near zero and where doubles are sparse', () => {
    fc.assert(
      fc.property(bounds, fc.double({ min: 0, max: 1, noNaN: true }), ([lower, upper], where) => {
        const lattice = createLattice([lower, upper]);
        const k = Math.floor(where * (lattice.size - 1));
        const point = plus(rational(String(lower)), times(exactly(lattice.step), BigInt(k)));
        expect(nearest(lattice.value(k), point)).toBe(true);
        expect(lattice.value(0)).toBe(lower + 0);
        expect(lattice.value(k)).toBeLessThanOrEqual(lattice.value(k + 1));
      }),
      runs,
    );
  });
});

describe('the index of a record', () => {
  it('is that of the nearest point, for points themselves and between them', () => {
    fc.assert(
      fc.property(written, fc.double({ min: 0, max: 1, noNaN: true }), ({ lower, upper, step }, where) => {
        const lattice = createLattice([lower, upper], step);
        const k = Math.floor(where * (lattice.size - 1));
        expect(latticeIndex(lattice, lattice.value(k))).toBe(k);
        const x = lower + where * (upper - lower);
        const near = latticeIndex(lattice, x);
        const distance = (i: number) => absolute(minus(exactly(x), exactly(lattice.value(i))));
        const slack = { n: exactly(step).n, d: exactly(step).d * 1_000_000n };
        for (const other of [near - 1, near + 1])
          if (other >= 0 && other < lattice.size)
            expect(compare(distance(near), plus(distance(other), slack))).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });

  it('is clamped at both ends and undefined for NaN', () => {
    const lattice = createLattice([-10, 10], 0.5);
    const index = (x: number) => latticeIndex(lattice, x);
    expect([-10, -10.3, -1e308, Number.NEGATIVE_INFINITY].map(index)).toEqual([0, 0, 0, 0]);
    expect([10, 10.2, 1e308, Number.POSITIVE_INFINITY].map(index)).toEqual([40, 40, 40, 40]);
    expect([0, -0, 5e-324, -5e-324, 2.2e-308].map(index)).toEqual([20, 20, 20, 20, 20]);
    expect([-9.75, -9.76, 9.74, 9.75].map(index)).toEqual([1, 0, 39, 40]);
    expect(index(Number.NaN)).toBeNaN();
  });

  it('is an integer on the lattice for every double and every lattice', () => {
    fc.assert(
      fc.property(bounds, fc.double({ noNaN: true }), (range, x) => {
        const lattice = createLattice(range);
        const k = latticeIndex(lattice, x);
        expect(Number.isSafeInteger(k) && k >= 0 && k < lattice.size && !Object.is(k, -0)).toBe(true);
        if (x <= range[0]) expect(k).toBe(0);
        if (x >= range[1]) expect(k).toBe(lattice.size - 1);
      }),
      runs,
    );
  });
});

describe('bounds and steps that are no lattice', () => {
  it.each([
    [[1, 1], undefined, 'bounds_invalid'],
    [[2, 1], undefined, 'bounds_invalid'],
    [[0, -0], undefined, 'bounds_invalid'],
    [[Number.NaN, 1], undefined, 'bounds_invalid'],
    [[0, Number.POSITIVE_INFINITY], undefined, 'bounds_invalid'],
    [[-1e308, 1e308], undefined, 'bounds_invalid'],
    [[0, 1], 0, 'step_invalid'],
    [[0, 1], -0.1, 'step_invalid'],
    [[0, 1], Number.NaN, 'step_invalid'],
    [[0, 1], Number.POSITIVE_INFINITY, 'step_invalid'],
    [[0, 1], 1.5, 'step_invalid'],
    [[5e-323, 5.4e-323], undefined, 'step_invalid'],
  ] as const)('%j with step %j is refused as %s', (range, step, code) => {
    expect(refusal(() => createLattice(range, step))).toBe(code);
  });
});

function placesOf({ n, d }: { n: bigint; d: bigint }): number {
  let places = 0;
  for (let rest = (n < 0n ? -n : n) % d; rest !== 0n; rest = (rest * 10n) % d) places++;
  return places;
}

function refusal(create: () => unknown): string | undefined {
  try {
    create();
  } catch (error) {
    if (error instanceof ScumbleError) return error.code;
    throw error;
  }
  return undefined;
}
