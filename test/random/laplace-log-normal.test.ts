import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { fractionOf } from '../../src/random/fraction.js';
import { expBounds } from '../../src/random/interval.js';
import { drawLaplaceLogNormal, laplaceLogNormalTail } from '../../src/random/laplace-log-normal.js';
import { bernoulliExpReal, LazyUniform, refine } from '../../src/random/lazy-uniform.js';
import { chiSquareZ } from '../support/chi-square.js';

/** exp(n/d) to 300 binary places by the series of the whole number, an independent and slow way. */
function slowExp(n: bigint, d: bigint): bigint {
  const places = 400n;
  let term = 1n << places;
  let sum = 0n;
  for (let i = 1n; term > 0n; i++) {
    sum += term;
    term = (term * n) / (d * i);
  }
  return sum >> 100n;
}

describe('bounds of exp', () => {
  it('hold the exact value and are close to each other', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 40n << 64n), fc.constantFrom(64, 128, 192), (x, bits) => {
        const scaled = (x << BigInt(bits)) >> 64n;
        const { low, high } = expBounds(scaled, bits);
        const exact = slowExp(scaled, 1n << BigInt(bits));
        const shift = 300n - BigInt(bits);
        expect(low << shift <= exact).toBe(true);
        expect(high << shift >= exact).toBe(true);
        // Relative to the value, which may be e^40.
        expect((high - low) << BigInt(bits) <= low * 2n ** 3n + (4n << BigInt(bits))).toBe(true);
      }),
    );
  });

  it('of 0 is 1', () => {
    expect(expBounds(0n, 64).low).toBe(1n << 64n);
    expect(expBounds(0n, 64).high - (1n << 64n)).toBeLessThanOrEqual(2n);
  });
});

describe('a real number by digits', () => {
  it('stays within what was said of it before, whatever is asked next', () => {
    const u = new LazyUniform(unsafeSeededEntropy(1));
    const coarse = u.at(64);
    const fine = u.at(256);
    expect(fine.low >> 192n).toBe(coarse.low);
    expect(u.at(64)).toEqual(coarse);
    expect(u.at(128).low).toBe(fine.low >> 128n);
  });

  it('answers are asked for with more digits until there is one', () => {
    const asked: number[] = [];
    const answer = refine((bits) => {
      asked.push(bits);
      return bits > 200 ? 'yes' : undefined;
    });
    expect(answer).toBe('yes');
    expect(asked).toEqual([64, 128, 256]);
  });

  it('a coin of chance exp(-x) falls as it should, also where x is known to few digits only', () => {
    const entropy = unsafeSeededEntropy(2);
    for (const x of [0, 0.25, 1, 3.5]) {
      const blurred = (bits: number) => {
        const low = BigInt(Math.round(x * 2 ** 20)) << BigInt(bits - 20);
        const blur = bits < 256 ? 1n << BigInt(bits - 6) : 1n;
        return { low: low > blur ? low - blur : 0n, high: low + blur };
      };
      const draws = 4000;
      let seen = 0;
      for (let i = 0; i < draws; i++) if (bernoulliExpReal(entropy, blurred)) seen++;
      const p = Math.exp(-x);
      expect(Math.abs(seen - draws * p)).toBeLessThan(5 * Math.sqrt(draws * p * (1 - p)) + 1);
    }
  });
});

/** The tail by a fine sum over both factors, for comparison. */
function naiveTail(z: number, sigma: number): number {
  let sum = 0;
  for (let i = -40_000; i <= 40_000; i++) {
    const y = i / 4000;
    sum += (Math.exp(-(y * y) / 2) * Math.exp(-z / Math.exp(sigma * y))) / 2;
  }
  return sum / 4000 / Math.sqrt(2 * Math.PI);
}

describe.each([
  [1, 0],
  [0.4, 0],
  [7.3, 0],
  [1, 0.309],
  [5.5, 0.8],
  [2, 1.5],
])('noise of scale %d and sigma %d', (scale, sigma) => {
  const reach = Math.ceil(400 * scale * Math.exp(3 * sigma));
  const support = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const beyond = (k: number) => laplaceLogNormalTail((k - 0.5) / scale, sigma);
  const chances = support.map((x) => {
    const k = Math.abs(x);
    return k === 0 ? 1 - 2 * beyond(1) : beyond(k) - beyond(k + 1);
  });

  it('is drawn by its law, tails included', () => {
    const entropy = unsafeSeededEntropy(3);
    const draws = 8000;
    const seen = support.map(() => 0);
    let far = 0;
    const cut = Math.ceil(6 * scale * Math.exp(sigma));
    for (let i = 0; i < draws; i++) {
      const x = Number(drawLaplaceLogNormal(entropy, fractionOf(scale), sigma));
      if (Math.abs(x) <= reach) seen[x + reach]++;
      if (Math.abs(x) >= cut) far++;
    }
    expect(Math.abs(chiSquareZ(seen, chances))).toBeLessThan(5);
    const expected = draws * 2 * beyond(cut);
    expect(Math.abs(far - expected)).toBeLessThan(5 * Math.sqrt(expected) + 3);
  });

  it('has the tail of the two factors', () => {
    for (const z of [0, 0.01, 0.5, 3, 20, 200])
      expect(laplaceLogNormalTail(z, sigma)).toBeCloseTo(naiveTail(z, sigma), 12);
  });
});

it('the variance is 2*exp(2*sigma^2)', () => {
  // E[Z^2] is the integral of 2*z*P(|Z| > z).
  for (const sigma of [0, 0.3, 0.6]) {
    let sum = 0;
    for (let i = 0; i < 200_000; i++) {
      const z = (i + 0.5) / 400;
      sum += (4 * z * laplaceLogNormalTail(z, sigma)) / 400;
    }
    expect(sum).toBeCloseTo(2 * Math.exp(2 * sigma * sigma), 3);
  }
});

it('is a whole number of full precision at any scale', () => {
  const entropy = unsafeSeededEntropy(4);
  const wide = Array.from({ length: 400 }, () =>
    drawLaplaceLogNormal(entropy, { numerator: 2n ** 90n, denominator: 3n }, 0.5),
  );
  expect(new Set(wide.map((x) => x & 7n)).size).toBe(8);
  const narrow = { numerator: 1n, denominator: 2n ** 70n };
  for (let i = 0; i < 50; i++) expect(drawLaplaceLogNormal(entropy, narrow, 1)).toBe(0n);
});

it('a double is taken as the fraction it is', () => {
  for (const x of [1, 0.1, 2 ** -60, 3e20, 5 / 3]) {
    const { numerator, denominator } = fractionOf(x);
    expect(Number(numerator) / Number(denominator)).toBe(x);
  }
});
