import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type GlobalRankSettings,
  globalRankLawNotPrivate,
  globalRankNotPrivate,
} from '../../experiments/global-rank-not-private.mjs';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { budgetTree } from '../../src/quantiles/tree-plan.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { chiSquareZ } from '../support/chi-square.js';
import { treeLaw } from '../support/tree-law.js';

/* The published program, kept to replay its curves: what the paper claims of it does not hold. */

const evenly = (m: number) => Array.from({ length: m }, (_, j) => (j + 1) / (m + 1));
/** A prior with these weights. */
const weighted = (weights: readonly number[]) => ({
  size: weights.length,
  massBelow: (k: number) => weights.slice(0, k).reduce((a, b) => a + b, 0),
});
const three: GlobalRankSettings = {
  quantiles: [0.25, 0.5, 0.75],
  epsilon: 1,
  ...weighted([1, 10_000, 1, 1]),
  branching: 2,
  power: 0,
  adaptation: 'conditional',
};

async function lossOf(settings: GlobalRankSettings, relation: Relation, records: number): Promise<number> {
  const { size, quantiles } = settings;
  const result = await exhaustiveAudit<readonly number[]>({
    records,
    lattice: size,
    relation,
    outputs: [...multisets(size, quantiles.length)],
    law: (data) => {
      const law = globalRankLawNotPrivate(data, settings);
      return (outputs) => Math.log(law.get(outputs.join()) ?? 0);
    },
  });
  return result.loss;
}

describe('ranks among all records in every node are not private at the stated epsilon', () => {
  it.each(['add-remove', 'swap'] as const)('the audit finds more than epsilon under %s', async (relation) => {
    expect(await lossOf(three, relation, 7)).toBeGreaterThan(1.25);
    expect(await lossOf({ ...three, adaptation: 'edge' }, relation, 7)).toBeGreaterThan(1.45);
  });

  it('one quantile, which has one node, costs what is stated, and more quantiles cost more', async () => {
    const of = (m: number) => lossOf({ ...three, quantiles: evenly(m), epsilon: 4 }, 'add-remove', 8);
    const losses = [await of(1), await of(3), await of(7)];
    expect(losses[0]).toBeLessThanOrEqual(4 + 1e-9);
    expect(losses[1]).toBeGreaterThan(1.3 * 4);
    expect(losses[2]).toBeGreaterThan(losses[1]);
  });
});

describe('the replay', () => {
  it.each(['conditional', 'edge'] as const)(
    'is the definition with global ranks and floored targets, %s',
    (adaptation) => {
      for (const records of [[], [0], [0, 1, 1, 3], [2, 2, 2, 2, 3]])
        for (const [branching, power] of [
          [2, 0],
          [3, 1.5],
        ]) {
          const settings = { ...three, adaptation, branching, power };
          const unscaled = budgetTree(three.quantiles.map(gridQuantile), { branching, power });
          const halved = (node: typeof unscaled): typeof unscaled => ({
            ...node,
            rate: node.rate / 2,
            children: node.children.map((child) => child && halved(child)),
          });
          const weights = three.quantiles.map(() => [1, 10_000, 1, 1]);
          const rest = { interpolation: plainRanks, weights, global: three.quantiles, floored: true };
          const exact = treeLaw({ records, size: 4, tree: halved(unscaled), adaptation, ...rest });
          const law = globalRankLawNotPrivate(records, settings);
          for (const [key, p] of exact) expect(law.get(key) ?? 0).toBeCloseTo(p, 9);
        }
    },
  );

  it('draws from its law', () => {
    const settings = { ...three, branching: 3, power: 1.5, adaptation: 'edge' } as const;
    const records = [0, 1, 1, 3];
    const entropy = unsafeSeededEntropy(9);
    const law = [...globalRankLawNotPrivate(records, settings)];
    const seen = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const key = globalRankNotPrivate(records, settings, () => (entropy.word() + 0.5) / 2 ** 32).join();
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const counts = law.map(([key]) => seen.get(key) ?? 0);
    expect(
      Math.abs(
        chiSquareZ(
          counts,
          law.map(([, p]) => p),
        ),
      ),
    ).toBeLessThan(5);
  });

  it('is not part of the package', () => {
    const src = fileURLToPath(new URL('../../src', import.meta.url));
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) expect(readFileSync(`${src}/${file}`, 'utf8')).not.toMatch(/global-?rank|experiments\//i);
  });
});
