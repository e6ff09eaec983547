import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align, decimalOf, decimalText, parseDecimal, powerOfTwo, rounded } from '../../src/lattice/decimal.js';
import { absolute, compare, exactly, minus, neighbours, rational } from './naive.js';

const decimal = fc.record({
  units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  places: fc.integer({ min: 0, max: 40 }),
});

const asRational = ({ units, places }: { units: bigint; places: number }) => ({ n: units, d: 10n ** BigInt(places) });

describe('decimals', () => {
  it('read plain and scientific notation exactly', () => {
    const texts = ['0', '-0', '12', '+3', '.5', '5.', '-0.50', '1e-6', '2.5E+3', '1e21', '0.1', ' 7 ', '00.10e1'];
    for (const text of texts) {
      const read = parseDecimal(text)!;
      expect(
        compare(
          asRational(read),
          rational(
            text
              .trim()
              .replace(/^\+|\.$/, '')
              .replace(/^\./, '0.'),
          ),
        ),
      ).toBe(0);
      expect(read.places).toBeGreaterThanOrEqual(0);
    }
  });

  it.each(['', ' ', '.', '-', 'e5', '1e', '1e1.5', '0x10', '1_000', '1,5', 'NaN', 'Infinity', '1 2', '--1', '1e999'])(
    'refuse %j',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  it('are printed with all their places and read back the same', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const text = decimalText(value);
        expect(compare(rational(text), asRational(value))).toBe(0);
        expect(text.split('.')[1]?.length ?? 0).toBe(value.places);
        expect(text).not.toMatch(/^-0(\.0*)?$/);
      }),
    );
  });

  it('of a double are the shortest that read back as it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(Number(decimalText(decimalOf(x)))).toBe(x === 0 ? 0 : x);
      }),
    );
    expect(decimalText(decimalOf(0.1))).toBe('0.1');
    expect(decimalText(decimalOf(1e21))).toBe('1000000000000000000000');
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => decimalOf(x)).toThrow(RangeError);
  });

  it('hold every power of two that a double can', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1074, max: 1023 }), (exponent) => {
        expect(compare(asRational(powerOfTwo(exponent)), exactly(2 ** exponent))).toBe(0);
      }),
    );
  });

  it('keep their values when they are brought to one unit', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const aligned = align(a, b);
        expect(compare(asRational({ units: aligned.a, places: aligned.places }), asRational(a))).toBe(0);
        expect(compare(asRational({ units: aligned.b, places: aligned.places }), asRational(b))).toBe(0);
      }),
    );
  });

  it('are rounded to the nearest, halves up', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 40 }), (value, places) => {
        const near = rounded(value, places);
        expect(near.places).toBe(Math.min(places, value.places));
        const twice = { n: 2n, d: 10n ** BigInt(near.places) };
        const distance = absolute(minus(asRational(near), asRational(value)));
        expect(compare({ n: distance.n * 4n, d: distance.d }, twice)).toBeLessThanOrEqual(0);
      }),
    );
    const halves = [-25n, -15n, -5n, 5n, 15n].map((units) => rounded({ units, places: 1 }, 0).units);
    expect(halves).toEqual([-2n, -1n, 0n, 1n, 2n]);
  });
});

describe('the naive helpers', () => {
  it('know the neighbours of a double', () => {
    for (const x of [0, 1, -1, 5e-324, 2 ** 53, -1e300]) {
      const [below, above] = neighbours(x);
      expect(below < x && x < above).toBe(true);
      expect(
        (below + above) / 2 === x || below === 0 || above === 0 || Math.abs(Math.log2(Math.abs(x))) % 1 === 0,
      ).toBe(true);
    }
  });
});
