import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import { roundRate } from '../../src/quantiles/decay.js';
import { type JointExpSettings, jointExp } from '../../src/quantiles/joint-exp.js';
import { type Interpolation, plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { naiveLaw, naiveRate } from '../support/naive-law.js';

const ramps: Interpolation[] = [
  plainRanks,
  { steps: 1, ramp: [0, 0.25, 0.75] },
  { steps: 0, ramp: [0, 2 ** -20, 0.5] },
  { steps: 2, ramp: [0, 0.5] },
];

const request = fc
  .record({
    size: fc.integer({ min: 2, max: 6 }),
    m: fc.integer({ min: 1, max: 4 }),
    interpolation: fc.constantFrom(...ramps),
    relation: fc.constantFrom('add-remove' as const, 'swap' as const),
    epsilon: fc.constantFrom(0.01, 0.5, 1, 4, 20),
    floorBits: fc.constantFrom(1, 2, 5, 40),
    logDrop: fc.constantFrom(1000, 0, -20),
    seeds: fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 4, maxLength: 4 }),
    draws: fc.array(fc.nat(1000), { maxLength: 9 }),
  })
  .map(({ size, m, seeds, draws, interpolation, ...rest }) => ({
    ...rest,
    interpolation: size * interpolation.ramp.length > 12 && m > 3 ? plainRanks : interpolation,
    size,
    quantiles: seeds.slice(0, m).sort((a, b) => a - b),
    // Few distinct values: ties, and points on both bounds.
    records: draws.map((d) => (d % 3 === 0 ? 0 : d % 3 === 1 ? size - 1 : d % size)),
  }));

const ascendingly = (list: readonly number[]) => [...list].sort((a, b) => a - b);

describe('the law of joint-exp', () => {
  it('is that of the definition, on small inputs of every kind', { timeout: 300_000 }, async () => {
    let truncated = 0;
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ records, size, quantiles, interpolation, relation, epsilon, floorBits, logDrop }) => {
          const rate = roundRate(naiveRate(epsilon, quantiles, relation));
          const settings: JointExpSettings = {
            quantiles: quantiles.map(gridQuantile),
            rate,
            interpolation,
            floorBits,
            logDrop,
          };
          const law = await jointExp(wholeProfile(ascendingly(records), size), settings);
          const naive = naiveLaw({
            records,
            size,
            quantiles,
            rate,
            interpolation,
            reach: law.reach,
            floor: 2 ** -floorBits,
          });
          if (law.reach < records.length) truncated++;
          let sum = 0;
          for (const cells of multisets(size, quantiles.length)) {
            const p = Math.exp(law.logProbability(cells));
            const q = naive.get(cells.join())!;
            sum += p;
            expect(Math.abs(p - q)).toBeLessThanOrEqual(1e-9 * q);
          }
          expect(sum).toBeCloseTo(1, 9);
        },
      ),
      { numRuns: 3000 },
    );
    expect(truncated).toBeGreaterThan(300);
  });
});
