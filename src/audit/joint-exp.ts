import { ScumbleError } from '../errors.js';
import type { Relation } from '../privacy/guarantee.js';
import { type JointExpCost, type JointExpSettings, jointExp, jointExpSettings } from '../quantiles/joint-exp.js';
import { checkEpsilon, distinctSorted } from '../quantiles/plan.js';
import { expandQuantiles, type QuantileList } from '../quantiles/quantile-list.js';
import { defaultInterpolation } from '../quantiles/states.js';
import { gridQuantile } from '../quantiles/targets.js';
import type { RankProfile } from '../ranks/locate.js';
import { type ExhaustiveResult, exhaustiveAudit } from './exhaustive.js';
import { multisets } from './multisets.js';

export interface JointExpAudit {
  /** Data sets of 0 to this many records are tried; 1 to 12. */
  readonly records: number;
  /** Number of lattice points, 2 to 64. */
  readonly lattice: number;
  readonly quantiles: QuantileList;
  readonly epsilon: number;
  readonly relation?: Relation | undefined;
  readonly rowsPerUnit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface JointExpAuditResult extends ExhaustiveResult<readonly number[]> {
  /** The claim: epsilon. */
  readonly bound: number;
  readonly holds: boolean;
}

/** An audit compares about so many probabilities at the most. */
const mostWork = 2e8;

/**
 * Audits the JointExp of `quantiles` exhaustively: all data sets of a small lattice, all their neighbours, all
 * outputs, with the settings of a private release.
 *
 * @throws ScumbleError `option_invalid`, `quantiles_invalid` or `epsilon_invalid`.
 */
export async function auditJointExp(options: JointExpAudit): Promise<JointExpAuditResult> {
  const { records, lattice, epsilon, relation = 'add-remove', rowsPerUnit = 1 } = options;
  const quantiles = distinctSorted(expandQuantiles(options.quantiles));
  checkEpsilon(epsilon, quantiles.length);
  whole('records', records, 1, 12);
  whole('lattice', lattice, 2, 64);
  whole('rowsPerUnit', rowsPerUnit, 1, records);
  const work =
    choose(records + lattice, records) * choose(lattice + quantiles.length - 1, quantiles.length) * records * lattice;
  if (work > mostWork)
    throw new ScumbleError(
      'option_invalid',
      'The audit is exhaustive and this one is too large; use fewer records, lattice points or quantiles.',
      { work, most: mostWork },
    );
  const cost: JointExpCost = { quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit };
  const settings = jointExpSettings(cost, defaultInterpolation);
  const result = await auditSettings(settings, { records, lattice, relation, rowsPerUnit, signal: options.signal });
  return { ...result, bound: epsilon, holds: result.loss <= epsilon };
}

/** The audit of JointExp with any settings, also wrong ones. */
export function auditSettings(
  settings: JointExpSettings,
  request: {
    records: number;
    lattice: number;
    relation: Relation;
    rowsPerUnit?: number;
    signal?: AbortSignal | undefined;
  },
): Promise<ExhaustiveResult<readonly number[]>> {
  return exhaustiveAudit<readonly number[]>({
    ...request,
    outputs: [...multisets(request.lattice, settings.quantiles.length)],
    law: async (data) => (await jointExp(wholeProfile(data, request.lattice), settings, request.signal)).logProbability,
  });
}

/** The rank profile of a few ascending records, all of it. */
export function wholeProfile(records: readonly number[], size: number): RankProfile {
  const counts = new Map<number, number>();
  for (const x of records) counts.set(x, (counts.get(x) ?? 0) + 1);
  const index = Float64Array.from(counts.keys());
  const segment = { first: 0, end: size, rank: 0, index, count: Float64Array.from(counts.values()) };
  return {
    n: records.length,
    size,
    around: async () => [segment],
    ranksAt: async (indices) => Float64Array.from(indices, (k) => records.filter((x) => x < k).length),
  };
}

function whole(option: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new ScumbleError(
      'option_invalid',
      `The option ${option} must be a whole number from ${least} to ${most}, not ${value}.`,
      { option, value, least, most },
    );
}

function choose(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= k; i++) product *= (n - k + i) / i;
  return product;
}
