import { describe, expect, it } from 'vitest';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import { laplaceNoise } from '../../src/quantiles/count-noise.js';
import { jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import type { NoisySize } from '../../src/quantiles/noisy-size.js';
import type { QuantilesOptions } from '../../src/quantiles/options.js';
import { prepare } from '../../src/quantiles/plan.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import type { Noise } from '../../src/random/noise.js';

const size = 3;
/** Counts from here on are one outcome, without the quantiles. */
const manyRows = 12;
const epsilon = 6;

/** A count and the released ends and quantile; or many. */
type Output = { readonly rows: number; readonly cells?: readonly number[] };
const outputs: Output[] = [{ rows: manyRows }];
for (let rows = 1; rows < manyRows; rows++) for (const cells of multisets(size, 3)) outputs.push({ rows, cells });

/** P(noise >= k). */
function tail({ logProbability }: Noise, k: number): number {
  const ratio = Math.exp(logProbability(1) - logProbability(0));
  const far = (i: number) => (Math.exp(logProbability(0)) * ratio ** i) / (1 - ratio);
  return k > 0 ? far(k) : 1 - far(1 - k);
}

/** The chance of each noisy count: at least 1, and many in one. */
function chanceOf(rows: number, n: number, noise: Noise | undefined): number {
  if (!noise) return rows === Math.max(1, n) ? 1 : 0;
  if (rows === manyRows) return tail(noise, rows - n);
  return rows === 1 ? 1 - tail(noise, 2 - n) : Math.exp(noise.logProbability(rows - n));
}

interface Variant {
  readonly relation: Relation;
  readonly maxRows?: number;
  /** Changes what the private release does. */
  readonly size?: (size: NoisySize) => NoisySize;
  /** The number of records that the ends are planned by. */
  readonly planned?: (rows: number, n: number) => number;
}

function audit({ relation, maxRows, size: change = (x) => x, planned = (rows) => rows }: Variant) {
  const options: QuantilesOptions = {
    quantiles: 'median',
    bounds: [0, size - 1],
    step: 1,
    epsilon,
    relation,
    interval: 0.01,
  };
  const facts = maxRows === undefined ? {} : { unit: { column: 'u', maxRows } };
  const bought = change(prepare(options, facts).size!);
  const plans = Array.from({ length: manyRows + 1 }, (_, rows) =>
    prepare({ ...options, epsilon: bought.epsilon, aboutRows: Math.max(1, rows) }, facts),
  );
  return exhaustiveAudit<Output>({
    records: 9,
    lattice: size,
    relation,
    rowsPerUnit: maxRows,
    outputs,
    law: async (data) => {
      const n = data.length;
      const laws = await Promise.all(
        plans.map(({ request }) => {
          const cost = { ...request, quantiles: request.quantiles.map(gridQuantile) };
          return jointExp(wholeProfile(data, size), jointExpSettings(cost, defaultInterpolation, request.measure));
        }),
      );
      return ({ rows, cells }) => {
        const chance = Math.log(chanceOf(rows, n, bought.noise));
        if (!cells || chance === Number.NEGATIVE_INFINITY) return chance;
        const at = planned(rows, n);
        const { lower, upper } = plans[at].intervals![0];
        // An end that is not released stands at the bound.
        if ((lower === undefined && cells[0] > 0) || (upper === undefined && cells[2] < size - 1))
          return Number.NEGATIVE_INFINITY;
        const released = cells.slice(lower === undefined ? 1 : 0, upper === undefined ? 2 : 3);
        return chance + laws[at].logProbability(released);
      };
    },
  });
}

describe('the audit of intervals by a noisy count', () => {
  // Three cells are few for the other two: a swap moves one rank, and two rows of a unit part of the way.
  it.each([
    { relation: 'add-remove', most: 0.85 },
    { relation: 'swap', most: 0.45 },
    { relation: 'add-remove', maxRows: 2, most: 0.75 },
  ] as const)('finds no more than epsilon, and most of what is possible: %j', async ({ most, ...variant }) => {
    const { loss } = await audit(variant);
    expect(loss).toBeLessThanOrEqual(epsilon);
    expect(loss).toBeGreaterThan(most * epsilon);
  });

  it('tries plans with and without released ends', () => {
    const options = { quantiles: 'median', bounds: [0, 2], step: 1, epsilon, interval: 0.01 } as const;
    const ends = [1, 2, 4, 8, 9].map((aboutRows) => prepare({ ...options, aboutRows }).intervals![0].lower);
    expect(ends[0]).toBeUndefined();
    expect(ends[4]).toBeDefined();
  });

  it('catches a count that is not paid for', async () => {
    const cost = { height: 1, relation: 'add-remove', rowsPerUnit: 1 } as const;
    const size = () => ({ epsilon, noise: laplaceNoise(epsilon, cost) });
    expect((await audit({ relation: 'add-remove', size })).loss).toBeGreaterThan(1.5 * epsilon);
  });

  it('catches ends that are planned by the true number of records', async () => {
    const planned = (_: number, n: number) => n;
    expect((await audit({ relation: 'add-remove', planned })).loss).toBe(Number.POSITIVE_INFINITY);
  });

  it('catches a count of rows paid as if each unit had one', async () => {
    const cost = { height: 1, relation: 'add-remove', rowsPerUnit: 1 } as const;
    // All of epsilon on the count shows it plainly.
    const size = ({ epsilon: rest }: NoisySize) => ({ epsilon: rest / 2, noise: laplaceNoise(epsilon, cost) });
    expect((await audit({ relation: 'add-remove', maxRows: 2, size })).loss).toBeGreaterThan(1.5 * epsilon);
  });
});
