import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice, createUnboundedLattice, latticeIndex } from '../../src/lattice/lattice.js';
import { type Distribution, distributionSource } from '../../src/ranks/distribution.js';
import { locate } from '../../src/ranks/locate.js';

const lattices = [createLattice([-3, 5]), createLattice([-3, 5], 0.25), createUnboundedLattice(1)];
const location = 1;
const scale = 0.5;

/** The value below which a share of the distribution lies. */
const inverse: Record<string, (u: number) => number> = {
  uniform: (u) => -1 + 3 * u,
  laplace: (u) => location + scale * (u < 0.5 ? Math.log(2 * u) : -Math.log(2 - 2 * u)),
  cauchy: (u) => location + scale * Math.tan(Math.PI * (u - 0.5)),
};
const distributions = (rows: number): Distribution[] => [
  { family: 'uniform', bounds: [-1, 2], rows },
  { family: 'laplace', location, scale, rows },
  { family: 'cauchy', location, scale, rows },
];

const profileOf = async (distribution: Distribution, lattice: (typeof lattices)[number]) =>
  locate(await distributionSource(distribution).open({ lattice, nulls: 'drop' }), lattice, { low: 0.5, high: 0.5 });

describe('a named distribution', () => {
  it('counts its quantiles at (i + 1/2)/rows', async () => {
    for (const lattice of lattices)
      for (const rows of [1, 2, 7, 1000])
        for (const distribution of distributions(rows)) {
          const values = Array.from({ length: rows }, (_, i) => inverse[distribution.family]((i + 0.5) / rows));
          const cells = values.map((x) => latticeIndex(lattice, x));
          const profile = await profileOf(distribution, lattice);
          expect(profile.n).toBe(rows);
          // Between the cells: a value on the edge of one may be rounded to either side.
          const places = [0, lattice.size, ...cells.flatMap((cell) => [cell - 3, cell + 4])];
          const asked = places.filter((k) => k >= 0 && k <= lattice.size);
          const far = asked.filter((k) => cells.every((cell) => Math.abs(cell - k) > 2 || lattice.size > 1e6));
          const ranks = await profile.ranksAt(far);
          for (const [i, k] of far.entries()) expect(ranks[i]).toBe(cells.filter((cell) => cell < k).length);
        }
  });

  it('is a profile that never falls, with as many records as stated, of any number', async () => {
    const rows = fc.constantFrom(1, 10, 10 ** 6, 2 ** 40);
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.nat(lattices.length - 1),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        async (n, l, at) => {
          const lattice = lattices[l];
          const profile = await profileOf({ family: 'gaussian', location, scale, rows: n }, lattice);
          const asked = [0, ...at.map((u) => Math.floor(u * lattice.size)).sort((a, b) => a - b), lattice.size];
          const ranks = await profile.ranksAt(asked);
          expect(ranks[0]).toBe(0);
          expect(ranks[ranks.length - 1]).toBe(n);
          for (let i = 1; i < ranks.length; i++) expect(ranks[i]).toBeGreaterThanOrEqual(ranks[i - 1]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of the gaussian family has half its records below the location and 84 % below one scale more', async () => {
    const lattice = createLattice([-3, 5], 0.001);
    const profile = await profileOf({ family: 'gaussian', location, scale, rows: 10 ** 6 }, lattice);
    const [half, more] = await profile.ranksAt([4001, 4501]);
    expect(Math.abs(half / 10 ** 6 - 0.5)).toBeLessThan(0.001);
    expect(Math.abs(more / 10 ** 6 - 0.8413)).toBeLessThan(0.001);
  });

  it.each([
    { family: 'gaussian', location: 0, scale: 0, rows: 5 },
    { family: 'laplace', location: Number.NaN, scale: 1, rows: 5 },
    { family: 'uniform', bounds: [1, 1], rows: 5 },
    { family: 'uniform', rows: 0 },
    { family: 'poisson', rows: 5 },
  ])('%j is refused', (distribution) => {
    expect(() => distributionSource(distribution as Distribution)).toThrow(
      expect.objectContaining({ code: 'option_invalid' }),
    );
  });
});
