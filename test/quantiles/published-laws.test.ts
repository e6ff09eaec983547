import { describe, expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import { roundRate } from '../../src/quantiles/decay.js';
import { jointExp } from '../../src/quantiles/joint-exp.js';
import { plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { naiveRate } from '../support/naive-law.js';
import { quadraticLogTotal } from '../support/quadratic.js';

/** Ten points on which the records 0.1, 0.4, 0.4, 0.8 of [0, 1] make ranks of the widths 1, 3, 0, 4, 2. */
const records = [0, 3, 3, 7];
const size = 10;
const widths = [1, 3, 0, 4, 2];
const rankOf = (point: number) => records.filter((x) => x < point).length;

const lawOf = (quantiles: readonly number[], relation: 'swap' | 'add-remove') =>
  jointExp(wholeProfile(records, size), {
    quantiles: quantiles.map(gridQuantile),
    rate: roundRate(naiveRate(2, quantiles, relation)),
    interpolation: plainRanks,
    floorBits: 40,
    logDrop: -40,
  });

/** The probabilities of the ranks of the outputs. */
async function ranks(quantiles: readonly number[], relation: 'swap' | 'add-remove'): Promise<Map<string, number>> {
  const law = await lawOf(quantiles, relation);
  const found = new Map<string, number>();
  for (const output of multisets(size, quantiles.length)) {
    const key = output.map(rankOf).join();
    found.set(key, (found.get(key) ?? 0) + Math.exp(law.logProbability(output)));
  }
  return found;
}

describe('the published example at epsilon 2', () => {
  it.each([
    [0.25, [0.091768, 0.748355, 0, 0.135038, 0.024839]],
    [0.5, [0.045397, 0.370204, 0, 0.493605, 0.090794]],
  ])('one quantile, %d, has the ranks of the exponential mechanism', async (q, expected) => {
    const found = await ranks([q], 'swap');
    for (const [rank, chance] of expected.entries()) expect(found.get(String(rank)) ?? 0).toBeCloseTo(chance, 6);
  });

  it.each([
    ['swap', -3.211171631242083, { '1,3,3': 0.219034, '1,3,4': 0.219034, '1,1,3': 0.164275, '3,3,3': 0.035812 }],
    ['add-remove', Math.log(0.026491187625945125), { '1,3,3': 0.238809, '0,1,3': 0.119404, '3,3,3': 0.027977 }],
  ] as const)(
    'three quantiles under %s have the ranks of JointExp and its normaliser',
    async (relation, total, expected) => {
      const quantiles = [0.25, 0.5, 0.75];
      const found = await ranks(quantiles, relation);
      for (const [key, chance] of Object.entries(expected)) expect(found.get(key)).toBeCloseTo(chance, 6);
      const quadratic = quadraticLogTotal(widths, quantiles, naiveRate(2, quantiles, relation));
      expect(quadratic - 3 * Math.log(10)).toBeCloseTo(total, 12);
    },
  );
});

it('the law agrees with the quadratic program where no enumeration reaches', async () => {
  const entropy = unsafeSeededEntropy(1);
  const points = 5000;
  const data = Array.from({ length: 120 }, () => entropy.word() % points).sort((a, b) => a - b);
  const quantiles = [0.1, 0.35, 0.4, 0.62, 0.9];
  const rate = roundRate(naiveRate(1, quantiles, 'swap'));
  const settings = {
    quantiles: quantiles.map(gridQuantile),
    rate,
    interpolation: plainRanks,
    floorBits: 40,
    logDrop: -40,
  };
  const law = await jointExp(wholeProfile(data, points), settings);
  const edges = [-1, ...data, points - 1];
  const logTotal = quadraticLogTotal(
    edges.slice(1).map((x, i) => x - edges[i]),
    quantiles,
    rate,
  );
  const rank = (point: number) => data.filter((x) => x < point).length;
  for (let draw = 0; draw < 50; draw++) {
    const output = law.sample(entropy);
    if (new Set(output).size < output.length) continue;
    const all = [0, ...output.map(rank), data.length];
    const targets = [0, ...quantiles, 1].map((q) => q * data.length);
    const cost = all.slice(1).reduce((sum, r, j) => sum + Math.abs(r - all[j] - (targets[j + 1] - targets[j])), 0);
    expect(law.logProbability(output)).toBeCloseTo(-rate * cost - logTotal, 8);
  }
});
