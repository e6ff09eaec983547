import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLattice } from '../../src/lattice/lattice.js';
import { compilePrior, type Prior } from '../../src/lattice/prior.js';
import { stepMeasure } from '../../src/lattice/step-measure.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { chiSquareZ } from '../support/chi-square.js';

describe('a step measure', () => {
  const steps = fc
    .array(fc.record({ points: fc.integer({ min: 1, max: 5 }), weight: fc.bigInt({ min: 1n, max: 2n ** 60n }) }), {
      minLength: 1,
      maxLength: 6,
    })
    .map((runs) => {
      const weights = runs.flatMap(({ points, weight }) => new Array<bigint>(points).fill(weight));
      const starts = runs.map((_, i) => runs.slice(0, i).reduce((sum, { points }) => sum + points, 0));
      return {
        weights,
        measure: stepMeasure(weights.length, { starts: Float64Array.from(starts), weights: runs.map((r) => r.weight) }),
      };
    });

  it('sums weights exactly', () => {
    fc.assert(
      fc.property(steps, fc.nat(), fc.nat(), ({ weights, measure }, a, b) => {
        const [first, last] = [a % weights.length, b % weights.length].sort((x, y) => x - y);
        const sum = weights.slice(first, last + 1).reduce((x, y) => x + y, 0n);
        expect(measure.mass(first, last)).toBe(Number(sum));
      }),
    );
  });

  it('draws in proportion to them, within any stretch', () => {
    const measure = stepMeasure(8, { starts: Float64Array.of(0, 3, 4, 7), weights: [1n, 10n, 3n, 5n] });
    const weights = [1, 1, 1, 10, 3, 3, 3, 5];
    for (const [first, last] of [
      [0, 7],
      [2, 5],
      [3, 3],
      [4, 6],
    ]) {
      const inside = weights.slice(first, last + 1);
      const total = inside.reduce((a, b) => a + b, 0);
      const seen = inside.map(() => 0);
      const entropy = unsafeSeededEntropy(first * 8 + last);
      for (let i = 0; i < 20_000; i++) seen[measure.draw(entropy, first, last) - first]++;
      expect(
        Math.abs(
          chiSquareZ(
            seen,
            inside.map((w) => w / total),
          ),
        ),
      ).toBeLessThan(5);
    }
  });
});

describe('a compiled prior', () => {
  const families: { prior: Prior; cdf: (z: number) => number }[] = [
    { prior: { family: 'cauchy', location: 3, scale: 2 }, cdf: (x) => 0.5 + Math.atan((x - 3) / 2) / Math.PI },
    {
      prior: { family: 'laplace', location: -1, scale: 0.5 },
      cdf: (x) => (x < -1 ? Math.exp((x + 1) / 0.5) / 2 : 1 - Math.exp(-(x + 1) / 0.5) / 2),
    },
    { prior: { family: 'half-cauchy', location: 0, scale: 1 }, cdf: (x) => (2 / Math.PI) * Math.atan(Math.max(0, x)) },
    {
      prior: { family: 'piecewise', edges: [-10, 0, 30], weights: [1, 3] },
      cdf: (x) => (x < -10 ? 0 : x < 0 ? (x + 10) / 40 : Math.min(1, 0.25 + x / 40)),
    },
    { prior: { family: 'gaussian', location: 10, scale: 3 }, cdf: (x) => normal((x - 10) / 3) },
    {
      prior: {
        family: 'mixture',
        share: 0.9,
        prior: { family: 'gaussian', location: 10, scale: 3 },
        robust: { family: 'uniform' },
      },
      cdf: (x) => 0.9 * normal((x - 10) / 3) + 0.1 * ((x + 100.05) / 200.1),
    },
  ];

  /** By numerical integration (Simpson). */
  function normal(z: number): number {
    const n = 2000;
    const [a, b] = [-9, Math.max(-9, Math.min(9, z))];
    let sum = 0;
    for (let i = 0; i <= n; i++)
      sum += (i === 0 || i === n ? 1 : i % 2 ? 4 : 2) * Math.exp(-((a + ((b - a) * i) / n) ** 2) / 2);
    return (sum * (b - a)) / n / 3 / Math.sqrt(2 * Math.PI);
  }

  it.each(families)('is within a hundredth of the law of $prior.family', ({ prior, cdf }) => {
    const lattice = createLattice([-100, 100], 0.1);
    const measure = compilePrior(prior, lattice);
    const total = measure.mass(0, lattice.size - 1);
    const [below, above] = [cdf(-100.05), cdf(100.05)];
    for (let k = 0; k < lattice.size; k += 13) {
      const wanted = (cdf(lattice.value(k) + 0.05) - below) / (above - below);
      expect(Math.abs(measure.mass(0, k) / total - wanted)).toBeLessThan(0.01);
    }
  });

  it('keeps all mass of pieces inside them, also where edges cut points', () => {
    const lattice = createLattice([0, 200], 1);
    const edges = [56.6, 58.4, 60];
    const measure = compilePrior({ family: 'piecewise', edges, weights: [1, 3] }, lattice);
    const total = measure.mass(0, 200);
    const shares = [57, 58, 59, 60].map((k) => measure.mass(k, k) / total);
    // The point k stands for the values from k - 1/2 to k + 1/2.
    const cdf = (x: number) =>
      (Math.min(x, 58.4) - 56.6) / 1.8 / 4 + ((Math.max(0, Math.min(x, 60) - 58.4) / 1.6) * 3) / 4;
    for (const [i, share] of shares.entries())
      expect(share).toBeCloseTo(cdf(57.5 + i) - (i === 0 ? 0 : cdf(56.5 + i)), 9);
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });

  it('of a mixture with all of its share on one part is that part', () => {
    const lattice = createLattice([-100, 100], 0.1);
    const [prior, robust]: Prior[] = [
      { family: 'gaussian', location: 10, scale: 3 },
      { family: 'laplace', location: -20, scale: 5 },
    ];
    for (const [share, part] of [
      [1, prior],
      [0, robust],
    ] as const) {
      const [mixed, alone] = [
        compilePrior({ family: 'mixture', share, prior, robust }, lattice),
        compilePrior(part, lattice),
      ];
      const whole = (measure: typeof mixed) => measure.mass(0, lattice.size - 1);
      for (let k = 0; k < lattice.size; k += 7)
        expect(Math.abs(mixed.mass(0, k) / whole(mixed) - alone.mass(0, k) / whole(alone))).toBeLessThan(2e-3);
    }
  });

  it('keeps the density of a Cauchy law within a tenth, 2^51 points out', () => {
    const lattice = createLattice([-(2 ** 52), 2 ** 52 - 1], 1);
    const measure = compilePrior({ family: 'cauchy', location: 0, scale: 8 }, lattice);
    const middle = 2 ** 52;
    for (const z of [1, 100, 2 ** 20, 2 ** 40, 2 ** 48]) {
      const from = middle + 8 * z; // z scales out, and an eighth more
      const far = z + (z + 1) / 8;
      const ratio = measure.mass(from, from + z) / measure.mass(0, lattice.size - 1);
      const wanted = Math.atan2(far - z, 1 + z * far) / Math.PI;
      expect(Math.abs(ratio / wanted - 1)).toBeLessThan(0.1);
    }
  });

  it('gives every point some mass, whatever the prior', () => {
    const lattice = createLattice([0, 1e6], 1);
    for (const prior of [
      { family: 'laplace', location: -1e9, scale: 1e-3 },
      { family: 'gaussian', location: 5, scale: 0.1 },
      { family: 'piecewise', edges: [-5, -1], weights: [1] },
      { family: 'half-cauchy', location: 1e12, scale: 1 },
      { family: 'piecewise', edges: [-5, 10, 1e7], weights: [1e308, 1e308] },
    ] as const) {
      const measure = compilePrior(prior, lattice);
      for (const k of [0, 1, 5, 777, 999_999, 1_000_000]) expect(measure.mass(k, k)).toBeGreaterThanOrEqual(1);
    }
  });

  it.each([
    { family: 'cauchy', location: Number.NaN, scale: 1 },
    { family: 'laplace', location: 0, scale: 0 },
    { family: 'gaussian', location: 0, scale: -1 },
    { family: 'piecewise', edges: [0, 0], weights: [1] },
    { family: 'piecewise', edges: [0, 1], weights: [1, 2] },
    { family: 'piecewise', edges: [0, 1, 2], weights: [0, 0] },
    { family: 'mixture', share: 1.5, prior: { family: 'uniform' }, robust: { family: 'uniform' } },
  ] as Prior[])('refuses %j', (prior) => {
    expect(() => compilePrior(prior, createLattice([0, 1], 0.1))).toThrow(
      expect.objectContaining({ code: 'prior_invalid' }),
    );
  });
});
