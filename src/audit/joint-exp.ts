import type { Relation } from '../privacy/guarantee.js';
import { type JointExpSettings, jointExp, jointExpSettings } from '../quantiles/joint-exp.js';
import { defaultInterpolation } from '../quantiles/states.js';
import type { RankProfile } from '../ranks/locate.js';
import { type ExhaustiveResult, exhaustiveAudit } from './exhaustive.js';
import { multisets } from './multisets.js';
import { checkedAudit, type QuantilesAudit, type QuantilesAuditResult } from './quantiles-audit.js';

/**
 * Audits the JointExp of `quantiles` exhaustively: all data sets of a small lattice, all their neighbours, all
 * outputs, with the settings of a private release.
 *
 * @throws ScumbleError `option_invalid`, `quantiles_invalid` or `epsilon_invalid`.
 */
export async function auditJointExp(options: QuantilesAudit): Promise<QuantilesAuditResult> {
  const { cost, request } = checkedAudit(options);
  const result = await auditSettings(jointExpSettings(cost, defaultInterpolation), request);
  return { ...result, bound: cost.epsilon, holds: result.loss <= cost.epsilon };
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
