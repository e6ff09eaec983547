import { describe, expect, it } from 'vitest';
import { exhaustiveAudit, type LogLaw } from '../../src/audit/exhaustive.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import type { IntervalEnds } from '../../src/quantiles/intervals.js';
import { type JointExpSettings, jointExp, jointExpSettings } from '../../src/quantiles/joint-exp.js';
import { type Prepared, prepare } from '../../src/quantiles/plan.js';
import { defaultInterpolation } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import type { Noise } from '../../src/random/noise.js';

const size = 3;
const records = 10;
/** Counts from here on are one outcome, without the quantiles. */
const manyRows = 20;
const epsilon = 10;
const options = { quantiles: [0.4], bounds: [0, size - 1], step: 1, epsilon, interval: 0.01 } as const;
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
  /** Changes what is released once the count is known. */
  readonly sized?: (planned: Prepared, rows: number, n: number) => Prepared;
}

interface Release {
  readonly ends: IntervalEnds;
  readonly settings: JointExpSettings;
}

/** What is released once the count is known; of the same requests the settings are the same object. */
function releases(planned: Prepared, sized: NonNullable<Variant['sized']>): (rows: number, n: number) => Release {
  const byCount = new Map<string, Release>();
  const byRequest = new Map<string, Release>();
  const kept = (map: Map<string, Release>, key: string, make: () => Release) => {
    const release = map.get(key) ?? make();
    map.set(key, release);
    return release;
  };
  return (rows, n) =>
    kept(byCount, `${rows} ${n}`, () => {
      const { request, intervals } = sized(planned, rows, n);
      const cost = { ...request, quantiles: request.quantiles.map(gridQuantile) };
      const settings = () => jointExpSettings(cost, defaultInterpolation, request.measure);
      return kept(byRequest, [cost.epsilon, ...cost.quantiles].join(), () => ({
        ends: intervals![0],
        settings: settings(),
      }));
    });
}

/** As a release does: what is planned before the count, the count with its noise, and what is planned by that. */
function audit({ relation, sized = (planned, rows) => planned.sized(rows) }: Variant) {
  const planned = prepare({ ...options, relation });
  const added = planned.size!.noise;
  const releaseOf = releases(planned, sized);
  return exhaustiveAudit<Output>({
    records,
    lattice: size,
    relation,
    outputs,
    law: async (data) => {
      const n = data.length;
      const laws = new Map<JointExpSettings, LogLaw<readonly number[]>>();
      const byRows: Release[] = [];
      for (let rows = 1; rows < manyRows; rows++) {
        byRows[rows] = releaseOf(rows, n);
        const { settings } = byRows[rows];
        if (!laws.has(settings))
          laws.set(settings, (await jointExp(wholeProfile(data, size), settings)).logProbability);
      }
      const law: LogLaw<Output> = ({ rows, cells }) => {
        const chance = Math.log(chanceOf(rows, n, added));
        if (!cells || chance === Number.NEGATIVE_INFINITY) return chance;
        const { ends, settings } = byRows[rows];
        const { lower, upper } = ends;
        // An end that is not released stands at the bound.
        if ((lower === undefined && cells[0] > 0) || (upper === undefined && cells[2] < size - 1))
          return Number.NEGATIVE_INFINITY;
        const released = cells.slice(lower === undefined ? 1 : 0, upper === undefined ? 2 : 3);
        return chance + laws.get(settings)!(released);
      };
      expect(outputs.reduce((sum, output) => sum + Math.exp(law(output)), 0)).toBeCloseTo(1, 9);
      return law;
    },
  });
}

describe('the audit of intervals by a noisy count', () => {
  // Three cells are few for swap: it moves one rank only.
  it.each([
    { relation: 'add-remove', most: 0.999 },
    { relation: 'swap', most: 0.9 },
  ] as const)('finds no more than epsilon, and most of what is possible: %j', async ({ most, ...variant }) => {
    const { loss } = await audit(variant);
    expect(loss).toBeLessThanOrEqual(epsilon);
    expect(loss).toBeGreaterThan(most * epsilon);
  });

  it.each([
    { relation: 'add-remove', counts: manyRows - 1 },
    { relation: 'swap', counts: records },
  ] as const)('tries plans with no end, one and both: %j', ({ relation, counts }) => {
    const planned = prepare({ ...options, relation });
    const ends = Array.from({ length: counts }, (_, i) => Object.values(planned.sized(i + 1).intervals![0]));
    expect(new Set(ends.map((both) => both.filter((end) => end !== undefined).length))).toEqual(new Set([0, 1, 2]));
  });

  it('catches a count that is not paid for', async () => {
    const sized = (_: Prepared, rows: number) => prepare({ ...options, aboutRows: rows });
    expect((await audit({ relation: 'add-remove', sized })).loss).toBeGreaterThan(1.04 * epsilon);
  });

  it('catches ends that are planned by the true number of records', async () => {
    const sized = (planned: Prepared, _: number, n: number) => planned.sized(Math.max(1, n));
    expect((await audit({ relation: 'add-remove', sized })).loss).toBe(Number.POSITIVE_INFINITY);
  });
});
