import { describe, expect, it } from 'vitest';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { uniformMeasure } from '../../src/lattice/measure.js';
import { stepMeasure } from '../../src/lattice/step-measure.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { appIndExp, boundedRange, indExp, separateLaws } from '../../src/quantiles/ind-exp.js';
import type { Method, MethodRequest } from '../../src/quantiles/method.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { chiSquareZ } from '../support/chi-square.js';

const size = 3;
const relations: Relation[] = ['add-remove', 'swap'];
const tuples = (m: number): number[][] =>
  m === 0 ? [[]] : tuples(m - 1).flatMap((head) => Array.from({ length: size }, (_, k) => [...head, k]));

/** Weights as a prior. */
const measureOf = (weights: readonly number[]) =>
  stepMeasure(size, { starts: Float64Array.from(weights.keys()), weights: weights.map(BigInt) });

function requestOf(quantiles: number[], epsilon: number, relation: Relation, delta = 0): MethodRequest {
  return { quantiles, epsilon, delta, relation, rowsPerUnit: 1, measure: uniformMeasure(size) };
}

/** Before sorting, which can only hide things: the laws are independent, so an output's logarithms add up. */
function audit(request: MethodRequest, each: number, records = 6) {
  return exhaustiveAudit<number[]>({
    records,
    lattice: size,
    relation: request.relation,
    epsilon: request.epsilon,
    outputs: tuples(request.quantiles.length),
    law: async (data) => {
      const laws = await separateLaws(request, each, wholeProfile(data, size));
      return (output) => output.reduce((sum, cell, j) => sum + laws[j].logProbability([cell]), 0);
    },
  });
}

describe.each(relations)('the audit of ind-exp under %s', (relation) => {
  it('never finds more than epsilon, and attains most of it', async () => {
    let largest = 0;
    for (const quantiles of [[0.5], [0.4, 0.5], [0.3, 0.5, 0.7]])
      for (const epsilon of [1, 8]) {
        const { loss } = await audit(requestOf(quantiles, epsilon, relation), epsilon / quantiles.length);
        expect(loss).toBeLessThanOrEqual(epsilon);
        largest = Math.max(largest, loss / epsilon);
      }
    expect(largest).toBeGreaterThan(0.9);
  });

  it('holds with a prior, for all quantiles or for each, and attains most of epsilon', async () => {
    let largest = 0;
    const priors = [
      [1, 500, 1],
      [300, 1, 20],
      [1, 1, 900],
    ].map(measureOf);
    for (const quantiles of [[0.5], [0.4, 0.5], [0.3, 0.5, 0.7]])
      for (const measures of [quantiles.map(() => priors[0]), priors.slice(0, quantiles.length)]) {
        const request = { ...requestOf(quantiles, 6, relation), measures };
        const { loss } = await audit(request, 6 / quantiles.length);
        expect(loss).toBeLessThanOrEqual(6);
        largest = Math.max(largest, loss / 6);
      }
    expect(largest).toBeGreaterThan(0.9);
  });

  it('catches a prior taken from the records', async () => {
    const request = requestOf([0.5], 2, relation);
    const { loss } = await exhaustiveAudit<number[]>({
      records: 5,
      lattice: size,
      relation,
      outputs: tuples(1),
      law: async (data) => {
        const counts = Array.from({ length: size }, (_, k) => 1 + 20 * data.filter((x) => x === k).length);
        const [law] = await separateLaws({ ...request, measure: measureOf(counts) }, 2, wholeProfile(data, size));
        return law.logProbability;
      },
    });
    expect(loss).toBeGreaterThan(1.5 * 2);
  });

  it('catches quantiles that each pay the whole of epsilon', async () => {
    const { loss } = await audit(requestOf([0.4, 0.5], 4, relation), 4);
    expect(loss).toBeGreaterThan(1.5 * 4);
  });

  it('of app-ind-exp never finds more than delta, which pure composition would need none of', async () => {
    let [most, loss] = [0, 0];
    for (const epsilon of [2, 4])
      for (const delta of [0.01, 0.1]) {
        const request = requestOf([0.4, 0.5, 0.6], epsilon, relation, delta);
        const found = await audit(request, boundedRange(request));
        expect(found.delta).toBeLessThanOrEqual(delta);
        most = Math.max(most, found.delta! / delta);
        loss = Math.max(loss, found.loss / epsilon);
      }
    expect(loss).toBeGreaterThan(1.05);
    expect(most).toBeGreaterThan(0.02);
  });

  it('catches app-ind-exp with a doubled budget', async () => {
    const request = requestOf([0.4, 0.5, 0.6], 4, relation, 0.001);
    expect((await audit(request, 2 * boundedRange(request))).delta).toBeGreaterThan(0.001);
  });
});

describe('ind-exp', () => {
  it('draws each quantile from its law and sorts', async () => {
    const method: Method = indExp;
    const records = [0, 0, 1, 2, 2, 2];
    const request = requestOf([0.3, 0.6], 3, 'swap');
    const laws = await separateLaws(request, 1.5, wholeProfile(records, size));
    const expected = new Map<string, number>();
    for (const output of tuples(2)) {
      const p = Math.exp(laws[0].logProbability([output[0]]) + laws[1].logProbability([output[1]]));
      const key = [...output].sort().join();
      expected.set(key, (expected.get(key) ?? 0) + p);
    }
    const seen = new Map([...expected.keys()].map((key) => [key, 0]));
    const entropy = unsafeSeededEntropy(1);
    for (let i = 0; i < 6000; i++) {
      const key = (await method.release(request, wholeProfile(records, size), entropy)).join();
      seen.set(key, seen.get(key)! + 1);
    }
    expect(Math.abs(chiSquareZ([...seen.values()], [...expected.values()]))).toBeLessThan(5);
  });

  it('with delta is offered only where a delta is allowed', () => {
    expect(appIndExp.refusal(requestOf([0.5], 1, 'swap'))).toMatch(/needs a delta/);
    expect(appIndExp.refusal(requestOf([0.5], 1, 'swap', 1e-6))).toBeUndefined();
    expect(appIndExp.delta(requestOf([0.5], 1, 'swap', 1e-6))).toBe(1e-6);
    expect(indExp.delta()).toBe(0);
  });
});
