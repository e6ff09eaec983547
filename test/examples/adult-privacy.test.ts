import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradientSum, noisyAccuracy, stepVariance, train } from '../../examples/adult/logistic.mjs';
import { datasetOf, type Record } from '../../examples/adult/people.mjs';
import { trial } from '../../examples/adult/trial.mjs';
import { zcdpRho } from '../../src/privacy/zcdp.js';
import { discreteLaplace } from '../../src/random/discrete-laplace.js';
import { hockeyStick, lawOfTwoDraws, naiveTrain, type Plan, type Program, packed } from './support.js';

const squared = (vector: Iterable<number>) => [...vector].reduce((sum, x) => sum + BigInt(x) ** 2n, 0n);

describe('what one record adds to the sum of gradients', () => {
  const feature = fc.oneof(
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.constantFrom(1, -1, 0, 5e-324, -1e-160, 1 - 2 ** -53, Math.SQRT1_2, 1 / 3),
  );
  const features = fc.oneof(
    fc.array(feature, { minLength: 1, maxLength: 60 }),
    // Equal coordinates: all are rounded the same way.
    fc.tuple(feature, fc.integer({ min: 1, max: 60 })).map(([x, n]) => Array<number>(n).fill(x)),
  );
  const weight = fc.oneof(fc.double({ min: -5, max: 5, noNaN: true }), fc.constantFrom(0, 1e100, -1e100, 1e-300));
  const clip = fc.oneof(
    fc.double({ min: 1e-6, max: 1e3, noNaN: true }),
    fc.constantFrom(0.25, 0.5, Math.SQRT1_2, 1e-6),
  );
  const units = fc.constantFrom(1, 2, 3, 5, 1000, 2 ** 16, 2 ** 20);
  const label = fc.constantFrom(0, 1);

  it('is a whole vector of norm at most units, whatever the record and the weights', () => {
    fc.assert(
      fc.property(features, label, weight, clip, units, (x, y, w, c, u) => {
        const data = datasetOf([{ features: x, label: y }], x.length);
        const sum = gradientSum(data, Array<number>(x.length).fill(w), { clip: c, units: u });
        expect(sum.every(Number.isSafeInteger)).toBe(true);
        expect(squared(sum)).toBeLessThanOrEqual(BigInt(u) ** 2n);
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  it('is used up to the fractions that are cut off', () => {
    const data = datasetOf([{ features: Array<number>(43).fill(0.9), label: 1 }], 43);
    const sum = gradientSum(data, Array<number>(43).fill(0), { clip: 1, units: 2 ** 16 });
    expect(Math.sqrt(Number(squared(sum)))).toBeGreaterThan(2 ** 16 - Math.sqrt(43) - 1);
  });

  it('does not depend on the other records', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(feature, feature, label), { minLength: 1, maxLength: 8 }), weight, (list, w) => {
        const records = list.map(([a, b, y]) => ({ features: [a, b], label: y }));
        const sumOf = (some: readonly Record[]) => gradientSum(datasetOf(some, 2), [w, -w], { clip: 0.3, units: 1000 });
        const [all, last, rest] = [sumOf(records), sumOf(records.slice(-1)), sumOf(records.slice(0, -1))];
        expect(Array.from(all, (x, j) => x - rest[j]!)).toEqual([...last].map((x) => x + 0));
      }),
      { seed: 2 },
    );
  });
});

it('the noise of all steps together costs no more than rho', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 50, noNaN: true }), fc.constantFrom(1, 2, 30, 1000), (rho, steps) => {
      const units = 2 ** 16;
      const variance = stepVariance({ rho, steps, units });
      expect((steps * units ** 2) / (2 * Number(variance))).toBeLessThanOrEqual(rho);
      expect((steps * units ** 2) / (2 * Number(variance - 1n))).toBeGreaterThan(rho * (1 - 1e-9));
    }),
    { seed: 3 },
  );
});

describe('the law of the weights, computed with every noise there is', () => {
  const [epsilon, delta] = [2, 1e-2];
  const rho = zcdpRho(epsilon, delta);
  const settings = { rate: 1, clip: 0.25, ridge: 0 };
  const steps: Plan = { rho, steps: 2, units: 10, people: 2 };
  const wide: Plan = { rho, steps: 1, units: 12, people: 2 };
  const coarse: Plan = { ...wide, units: 2 };
  const one = (x: number, label: number): Record => ({ features: [x], label });
  const two = (x: number, y: number, label: number): Record => ({ features: [x, y], label });

  /** A data set, and records that make neighbours of it when added. */
  interface Neighbours {
    readonly plan: Plan;
    readonly base: readonly Record[];
    readonly added: readonly Record[];
  }
  const single: Neighbours = { plan: steps, base: [one(1, 1)], added: [one(1, 0), one(-0.4, 1)] };
  const double: Neighbours = { plan: steps, base: [one(1, 1), one(-0.5, 0)], added: [one(1, 1), one(-1, 1)] };
  const plane: Neighbours = { plan: wide, base: [two(1, -1, 0)], added: [two(1, 1, 1), two(0.3, -1, 0)] };
  const rough: Neighbours = { ...plane, plan: coarse };

  /** The least delta that holds at epsilon, among these neighbours. */
  function leastDelta(program: Program, { plan, base, added }: Neighbours): number {
    const before = lawOfTwoDraws(program, base, settings, plan);
    const after = added.map((record) => lawOfTwoDraws(program, [...base, record], settings, plan));
    return Math.max(...after.map((law) => hockeyStick(before, law, epsilon)));
  }
  const fair = packed(train);

  it.each([
    ['two steps, one record', single, 1 / 20],
    ['two steps, two records', double, 1 / 20],
    ['two features', plane, 1 / 20],
    ['two features in coarse units', rough, 0],
  ])('%s: is (epsilon, delta)-DP, and not by far', (_, neighbours, share) => {
    const found = leastDelta(fair, neighbours);
    expect(found).toBeLessThanOrEqual(delta);
    expect(found).toBeGreaterThan(share * delta);
  });

  it.each<[string, Neighbours, Program]>([
    ['no clipping', single, (records, ...rest) => naiveTrain(records, ...rest, { clips: false })],
    ['fractions rounded up', rough, (records, ...rest) => naiveTrain(records, ...rest, { round: outwards })],
    [
      'noise for one step',
      double,
      (records, settings, plan, noise) =>
        fair(records, settings, plan, { gaussian: (variance) => noise.gaussian(variance / BigInt(plan.steps)) }),
    ],
    [
      'the number of records in place of a guess',
      single,
      (records, settings, plan, noise) => fair(records, settings, { ...plan, people: records.length }, noise),
    ],
  ])('finds a planted mistake: %s', (_, neighbours, program) => {
    expect(leastDelta(program, neighbours)).toBeGreaterThan(delta);
  });
});

const outwards = (x: number) => Math.sign(x) * Math.ceil(Math.abs(x));

describe('the law of the score', () => {
  const price = { epsilon: 0.5, people: 4 };
  const records = [
    [1, 1],
    [-1, 1],
    [0.5, 0],
  ].map(([x, label]) => ({ features: [x!], label: label! }));
  const neighbours = [
    { features: [1], label: 1 },
    { features: [1], label: 0 },
  ];

  /** Noise beyond 90 has a probability below e^-44. */
  function lawOf(program: typeof noisyAccuracy, some: readonly Record[]) {
    const law = new Map<number, number>();
    for (let x = -90; x <= 90; x++) {
      let mass = 0;
      const laplace = (s: number, t: number) => {
        mass = Math.exp(discreteLaplace(s, t).logProbability(x));
        return () => x;
      };
      const score = program(datasetOf(some, 1), [1], price, { laplace });
      law.set(score, (law.get(score) ?? 0) + mass);
    }
    return law;
  }
  const loss = (program: typeof noisyAccuracy) =>
    Math.max(
      ...neighbours.flatMap((record) => {
        const [p, q] = [lawOf(program, records), lawOf(program, [...records, record])];
        return [...p.keys(), ...q.keys()].map((score) => {
          const [a, b] = [p.get(score) ?? 0, q.get(score) ?? 0];
          return Math.abs(Math.log(a / b));
        });
      }),
    );

  it('loses epsilon and no more, at the ends of the range too', () => {
    expect(loss(noisyAccuracy)).toBeLessThan(price.epsilon + 1e-9);
    expect(loss(noisyAccuracy)).toBeGreaterThan(price.epsilon * 0.99);
    expect([...lawOf(noisyAccuracy, records).keys()].every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  it.each<[string, typeof noisyAccuracy]>([
    [
      'half the noise',
      (data, weights, of, { laplace }) => noisyAccuracy(data, weights, of, { laplace: (s, t) => laplace(2 * s, t) }),
    ],
    [
      'the number of records in place of a guess',
      (data, weights, of, noise) => noisyAccuracy(data, weights, { ...of, people: data.labels.length }, noise),
    ],
  ])('finds a planted mistake: %s', (_, program) => {
    expect(loss(program)).toBeGreaterThan(price.epsilon * 1.5);
  });
});

it('a run prints a person who trains only through the weights, and one who validates only through the score', () => {
  const asked: unknown[] = [];
  const noise = {
    gaussian(variance: bigint) {
      asked.push(variance);
      return () => 0;
    },
    laplace(s: number, t: number) {
      asked.push(s / t);
      return () => 0;
    },
  };
  const part = (label: number) => datasetOf([{ features: [1, 0.5], label }], 2);
  const price = { rho: 0.01, epsilon: 0.25 };
  const settings = { rate: 1, clip: 1, ridge: 0 };
  const run = (a: number, b: number) => trial({ training: part(a), validation: part(b) }, settings, price, noise);
  expect(run(0, 1).output).toEqual(run(0, 0).output);
  expect(run(1, 0).output).not.toEqual(run(0, 0).output);
  expect(run(0, 1).score).not.toBe(run(0, 0).score);
  expect(asked.slice(0, 2)).toEqual([stepVariance({ rho: 0.01, steps: 30, units: 2 ** 16 }), 0.25]);
});
