import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laplaceNoise } from '../../src/quantiles/count-noise.js';
import { drawSize, leastForSize, noisySize } from '../../src/quantiles/noisy-size.js';
import { planQuantiles, prepare } from '../../src/quantiles/plan.js';
import { quantiles } from '../../src/quantiles/quantiles.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';

/** A double as a fraction of 2^1074. */
function exactly(x: number): bigint {
  let [units, shift] = [x, 0];
  while (!Number.isInteger(units)) {
    units *= 2;
    shift++;
  }
  return BigInt(units) << BigInt(1074 - shift);
}

describe('a noisy count of the rows', () => {
  it('and what is left cost no more than the whole, exactly', () => {
    const rows = fc.constantFrom(1, 2, 7, 1000);
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 100, noNaN: true }), rows, (epsilon, rowsPerUnit) => {
        const size = noisySize(epsilon, 'add-remove', rowsPerUnit);
        const spare = epsilon - size.epsilon;
        expect(exactly(spare) + exactly(size.epsilon)).toBe(exactly(epsilon));
        // The noise is that of the spare part and no more: its rate times the rows of a unit.
        const { logProbability } = size.noise!;
        const cost = rowsPerUnit * (logProbability(0) - logProbability(1));
        expect(cost).toBeLessThanOrEqual(spare * (1 + 1e-12));
        expect(cost).toBeGreaterThan(spare * (1 - 1e-3));
        expect(spare / epsilon).toBeCloseTo(0.05, 12);
      }),
    );
  });

  it('costs nothing under swap, where the count is public', () => {
    const size = noisySize(0.5, 'swap', 1);
    expect(size).toEqual({ epsilon: 0.5, noise: undefined });
    expect(drawSize(123, size, unsafeSeededEntropy(1))).toBe(123);
    expect(drawSize(0, size, unsafeSeededEntropy(1))).toBe(1);
  });

  it('is a whole number of at least 1, around the true count', () => {
    const entropy = unsafeSeededEntropy(7);
    for (const n of [0, 3, 10_000]) {
      const size = noisySize(1, 'add-remove', 2);
      const draws = Array.from({ length: 4000 }, () => drawSize(n, size, entropy));
      expect(draws.every((x) => Number.isSafeInteger(x) && x >= 1)).toBe(true);
      if (n < 10_000) continue;
      const errors = draws.map((x) => x - n);
      const deviation = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
      expect(
        deviation / Math.sqrt(laplaceNoise(0.05, { height: 1, relation: 'add-remove', rowsPerUnit: 2 })!.variance),
      ).toBeCloseTo(1, 1);
    }
  });

  it('stays in range when the noise is larger than any count', () => {
    const size = { epsilon: 1, noise: { ...noisySize(1, 'add-remove', 1).noise!, draw: () => 2 ** 60 } };
    expect(drawSize(5, size, unsafeSeededEntropy(1))).toBe(2 ** 52);
    expect(
      planQuantiles({ quantiles: 'median', bounds: [0, 1], epsilon: 1, interval: 0.9, aboutRows: 2 ** 52 }),
    ).toBeTruthy();
  });

  it('is refused before the data when epsilon is too small for it', () => {
    const options = { quantiles: 'median', bounds: [0, 1], interval: 0.9 } as const;
    expect(() => planQuantiles({ ...options, epsilon: 2 ** -33 })).toThrow(/The epsilon must be/);
    const least = leastForSize(10 ** 6);
    expect(noisySize(least, 'add-remove', 10 ** 6).noise).toBeTruthy();
    expect(() => noisySize(least / 64, 'add-remove', 10 ** 6)).toThrow(
      /epsilon must be at least .* for a count of the rows, or aboutRows be declared/,
    );
  });
});

describe('intervals without a declared size', () => {
  const options = { quantiles: [0.9, 0.25], bounds: [0, 100], step: 0.01, epsilon: 1, interval: 0.95 } as const;
  const values = Float64Array.from({ length: 10_000 }, (_, i) => (i + 0.5) / 100);

  it('cost what was asked, and tell the count that they were planned by', async () => {
    const release = await quantiles(values, { ...options, unsafeSeed: 3 });
    expect(release.guarantee.epsilon).toBe(1);
    expect(Math.abs(release.noisyRows! - 10_000)).toBeLessThan(300);
    // The ends, forecast and shares follow from the count alone.
    const { plan } = prepare(options).sized(release.noisyRows!);
    expect(release.forecast).toEqual(plan.forecast);
    const other = await quantiles(values, { ...options, unsafeSeed: 4 });
    expect(other.noisyRows).not.toBe(release.noisyRows);
  });

  it('use the number of rows as it is under swap, and spend all on the quantiles', async () => {
    const release = await quantiles(values, { ...options, relation: 'swap', unsafeSeed: 3 });
    const declared = await quantiles(values, { ...options, relation: 'swap', aboutRows: 10_000, unsafeSeed: 3 });
    expect(release).toEqual(declared);
    expect(release).not.toHaveProperty('noisyRows');
  });

  it('answer for no records at all', async () => {
    for (const relation of ['add-remove', 'swap'] as const) {
      const release = await quantiles([], { ...options, relation, unsafeSeed: 1 });
      expect(release.intervals).toHaveLength(2);
    }
  });

  it('are forecast before the data to err no less than with the count', () => {
    for (const relation of ['add-remove', 'swap'] as const) {
      const before = planQuantiles({ ...options, relation }).forecast;
      for (const aboutRows of [100, 10_000, 10 ** 7]) {
        const epsilon = relation === 'swap' ? 1 : 0.95;
        const after = planQuantiles({ ...options, relation, epsilon, aboutRows }).forecast;
        for (const [j, error] of after.expectedRankError.entries()) {
          expect(before.expectedRankError[j]).toBeGreaterThanOrEqual(0.999 * error);
          expect(before.rankError95[j]).toBeGreaterThanOrEqual(0.999 * after.rankError95[j]);
        }
      }
    }
  });

  it('are at most half as wide again as sampling and the mechanism make them', async () => {
    const n = values.length;
    const { rankError95 } = planQuantiles({ quantiles: options.quantiles, bounds: [0, 100], epsilon: 1 }).forecast;
    const widths = [0, 0];
    const releases = 20;
    for (let seed = 1; seed <= releases; seed++) {
      const { intervals } = await quantiles(values, { ...options, unsafeSeed: seed });
      for (const [j, [from, to]] of intervals!.entries()) widths[j] += ((to - from) * 100) / releases;
    }
    for (const [j, q] of options.quantiles.entries()) {
      const sampling = 2 * 1.96 * Math.sqrt(n * q * (1 - q));
      expect(widths[j]).toBeLessThan(1.5 * (sampling + rankError95[j]));
      expect(widths[j]).toBeGreaterThan(sampling);
    }
  });
});
