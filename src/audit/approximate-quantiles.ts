import { uniformMeasure } from '../lattice/measure.js';
import { approximateQuantilesSettings } from '../quantiles/approximate-quantiles.js';
import { defaultInterpolation } from '../quantiles/states.js';
import { approximateQuantilesLaw } from './approximate-quantiles-law.js';
import { exhaustiveAudit } from './exhaustive.js';
import { wholeProfile } from './joint-exp.js';
import { multisets } from './multisets.js';
import { checkedAudit, type QuantilesAudit, type QuantilesAuditResult } from './quantiles-audit.js';

/**
 * Audits the ApproximateQuantiles of `quantiles` exhaustively, as {@link auditJointExp} does for JointExp. A law is a sum
 * over the fine positions of all nodes, so less is feasible than there.
 *
 * @throws ScumbleError `option_invalid`, `quantiles_invalid` or `epsilon_invalid`.
 */
export async function auditApproximateQuantiles(options: QuantilesAudit): Promise<QuantilesAuditResult> {
  const { cost, request } = checkedAudit(options, workOfLaw);
  const { lattice } = request;
  const measure = uniformMeasure(lattice);
  const measures = cost.quantiles.map(() => measure);
  const settings = approximateQuantilesSettings(cost, defaultInterpolation, measures);
  const result = await exhaustiveAudit<readonly number[]>({
    ...request,
    outputs: [...multisets(lattice, cost.quantiles.length)],
    law: (data) => approximateQuantilesLaw(wholeProfile(data, lattice), settings),
  });
  return { ...result, bound: cost.epsilon, holds: result.loss <= cost.epsilon };
}

/** Each level has intervals with one or two ends anywhere, and a position in each. */
function workOfLaw(lattice: number, quantiles: number): number {
  const levels = Math.ceil(Math.log2(quantiles + 1));
  return 20 * (lattice * defaultInterpolation.ramp.length) ** Math.min(levels, 3);
}
