import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counted,
  createLattice,
  type Lattice,
  latticeIndex,
  planQuantiles,
  publicPrior,
  quantiles,
} from '../../src/index.js';
import { compilePrior } from '../../src/lattice/prior.js';

const lattice = createLattice([0, 100], 0.5);

/** How many of the records lie from one value to another, the latter left out. */
const between = (records: readonly number[], from: number, to: number) =>
  records.map((x) => lattice.value(latticeIndex(lattice, x))).filter((x) => x >= from && x < to).length;

async function piecesOf(records: readonly number[]) {
  const prior = await publicPrior(records, lattice);
  if (prior.family !== 'piecewise') throw new Error(prior.family);
  return prior;
}

describe('a prior from public records', () => {
  const lists = fc.array(fc.oneof(fc.double({ min: -20, max: 120, noNaN: true }), fc.constantFrom(7, 30, 30.5)), {
    minLength: 1,
    maxLength: 300,
  });

  it('is their histogram, from the least to the greatest, and cuts no point', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (records) => {
        const { edges, weights } = await piecesOf(records);
        expect(weights).toEqual(weights.map((_, i) => between(records, edges[i], edges[i + 1])));
        expect(weights.reduce((a, b) => a + b)).toBe(records.length);
        expect(weights[0] * weights.at(-1)!).toBeGreaterThan(0);
        for (const edge of edges) expect((edge * 2) % 1).toBe(edge < 0 ? -0.5 : 0.5);
      }),
    );
  });

  it('has few bins, none of which holds many records of several values', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (records) => {
        const { edges, weights } = await piecesOf(records);
        const bins = Math.ceil(2 * Math.cbrt(records.length));
        expect(weights.length).toBeLessThanOrEqual(2 * bins + 1);
        for (const [i, weight] of weights.entries())
          if (edges[i + 1] - edges[i] > 0.5) expect(weight).toBeLessThan((2 * records.length) / bins + 2);
      }),
    );
  });

  it('of one value lies there', async () => {
    expect(await publicPrior([7, 7, 7], lattice)).toEqual({ family: 'piecewise', edges: [6.75, 7.25], weights: [3] });
  });

  it('of counted values is that of their records', async () => {
    const repeated = await publicPrior([1, 1, 1, 5, 9, 9], lattice);
    expect(await publicPrior(counted([1, 5, 9], [3, 1, 2]), lattice)).toEqual(repeated);
  });

  it('far from 0 has edges that doubles can tell apart', async () => {
    const far = createLattice([2 ** 60, 2 ** 60 + 2 ** 20], 64);
    const prior = await publicPrior([2 ** 60 + 512, 2 ** 60 + 512, 2 ** 60 + 1024, 2 ** 60 + 1024], far);
    expect(compilePrior(prior, far).size).toBe(far.size);
  });

  it('needs a lattice', async () => {
    for (const lattice of [undefined, {}, { size: 3 }])
      await expect(publicPrior([1, 2], lattice as unknown as Lattice)).rejects.toThrow(/lattice .* createLattice/);
  });

  it('needs a record', async () => {
    await expect(publicPrior([Number.NaN], lattice)).rejects.toMatchObject({ code: 'values_invalid' });
  });
});

describe('a wide prior of a mixture', () => {
  const prior = {
    family: 'mixture',
    share: 0.9,
    prior: { family: 'piecewise', edges: [5, 6], weights: [1] },
    robust: { family: 'cauchy', location: 0, scale: 10 },
  } as const;

  it('needs no bounds, and gives the lattice', async () => {
    const { robust } = prior;
    const asked = { quantiles: 'median', epsilon: 1, unsafeSeed: 1 } as const;
    expect(planQuantiles({ ...asked, prior }).lattice.size).toBe(
      planQuantiles({ ...asked, prior: robust }).lattice.size,
    );
    const [value] = (await quantiles([5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8], { ...asked, prior })).values;
    expect(Math.abs(value - 5.5)).toBeLessThan(1);
  });

  it('that has bounds only is refused without them', () => {
    const bounded = { ...prior, robust: { family: 'uniform' } } as const;
    expect(() => planQuantiles({ quantiles: 'median', epsilon: 1, prior: bounded })).toThrow(
      expect.objectContaining({ code: 'bounds_invalid' }),
    );
  });
});
