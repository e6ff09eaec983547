import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multisets } from '../../src/audit/multisets.js';
import { createLattice } from '../../src/lattice/lattice.js';
import { smoothSensitivities } from '../../src/quantiles/smooth-sensitivity.js';
import { arraySource } from '../../src/ranks/array.js';
import { locate, type RankProfile } from '../../src/ranks/locate.js';

async function profileOf(records: readonly number[], size: number): Promise<RankProfile> {
  const lattice = createLattice([0, size - 1], 1);
  const view = await arraySource(Float64Array.from(records), true).open({ lattice, nulls: 'lower' });
  return locate(view, lattice, { low: 0, high: 1 });
}

async function fast(records: readonly number[], size: number, position: number, smoothness: number) {
  const [found] = await smoothSensitivities(await profileOf(records, size), [{ position, smoothness }]);
  return found;
}

/** The double maximum, term by term. */
function naive(sorted: readonly number[], size: number, position: number, t: number): number {
  const n = sorted.length;
  const value = (k: number) => (k < 0 ? 0 : k >= n ? size - 1 : sorted[k]);
  let most = 0;
  for (let i = -1; i <= position; i++)
    for (let j = position; j <= n; j++)
      most = Math.max(most, (value(j) - value(i)) * Math.exp(-t * Math.max(j - i - 1, 0)));
  return most;
}

/** The definition: over all data sets y, the local sensitivity of y times exp(-t * the records in which y differs). */
function byDefinition(size: number, n: number, position: number, t: number): Map<string, number> {
  const all = [...multisets(size, n)];
  const apart = (a: readonly number[], b: readonly number[]) => {
    const left = [...b];
    for (const x of a) if (left.includes(x)) left.splice(left.indexOf(x), 1);
    return left.length;
  };
  const local = all.map((y) =>
    Math.max(...all.filter((z) => apart(y, z) <= 1).map((z) => Math.abs(z[position] - y[position]))),
  );
  return new Map(
    all.map((x) => [x.join(), Math.max(...all.map((y, i) => local[i] * Math.exp(-t * apart(x, y))))] as const),
  );
}

describe('smooth sensitivity', () => {
  it.each([
    [0, 0.1, 12.736080874677148],
    [0, 0.5, 3.346952402226447],
    [2, 0.1, 13.334727972270922],
    [2, 0.5, 7.278367916551601],
    [4, 0.1, 13.334727972270922],
    [4, 0.5, 8],
  ])('of position %d at t = %d is the published %d', async (position, t, expected) => {
    expect((await fast([1, 2, 4, 8, 16], 21, position, t)).smooth).toBeCloseTo(expected, 12);
  });

  it('is what its definition says, over all data sets of four records on five points', async () => {
    for (const t of [0.2, 1])
      for (const position of [0, 1, 3])
        for (const [key, expected] of byDefinition(5, 4, position, t))
          expect((await fast(key.split(',').map(Number), 5, position, t)).smooth).toBeCloseTo(expected, 12);
  });

  it('is the double maximum on random data, tied or not, near or far from the ends', async () => {
    const data = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.constantFrom(3, 3, 3, 500, 501, 1000), { minLength: 1, maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(
        data,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -9, max: 2, noNaN: true }),
        async (x, q, logT) => {
          const sorted = x.toSorted((a, b) => a - b);
          const position = Math.floor(q * (x.length - 1));
          const t = Math.exp(logT);
          const { smooth, index } = await fast(x, 1001, position, t);
          expect(index).toBe(sorted[position]);
          expect(smooth / Math.max(2 ** -64, naive(sorted, 1001, position, t))).toBeCloseTo(1, 12);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads a window of many equal or distant records and finds the same', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => Math.floor((i * 7919) % 1e6));
    const tied = Array.from({ length: 20_000 }, (_, i) => (i < 19_000 ? 5 : 999_000));
    for (const x of [many, tied])
      for (const t of [0.002, 0.05, 3]) {
        const sorted = x.toSorted((a, b) => a - b);
        const { smooth } = await fast(x, 1e6 + 1, 10_000, t);
        // The pairs nearby and the ends: all others are below them here.
        let most = 1e6 * Math.exp(-t * 20_000);
        for (let i = 6000; i <= 10_000; i += 1)
          for (let j = 10_000; j <= 14_000; j += i % 50 === 0 ? 1 : 4001)
            most = Math.max(most, (sorted[j] - sorted[i]) * Math.exp(-t * Math.max(j - i - 1, 0)));
        expect(smooth).toBeGreaterThanOrEqual(Math.max(most, 2 ** -64) * (1 - 1e-12));
      }
  });

  it('changes by a factor of at most e^t from neighbour to neighbour, however tied', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 40 }),
        fc.integer({ min: 0, max: 30 }),
        fc.constantFrom(0.01, 0.3, 2),
        async (x, other, t) => {
          const y = [other, ...x.slice(1)];
          const position = x.length >> 1;
          const [a, b] = [await fast(x, 31, position, t), await fast(y, 31, position, t)];
          expect(Math.abs(Math.log(a.smooth / b.smooth))).toBeLessThanOrEqual(t + 1e-12);
          expect(Math.abs(a.index - b.index)).toBeLessThanOrEqual(Math.min(a.smooth, b.smooth) * (1 + 1e-12));
        },
      ),
    );
  });
});
