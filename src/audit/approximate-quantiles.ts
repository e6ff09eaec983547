import { uniformMeasure } from '../lattice/measure.js';
import { approximateQuantilesSettings } from '../quantiles/approximate-quantiles.js';
import type { TreeOptions } from '../quantiles/method.js';
import { planQuantiles } from '../quantiles/plan.js';
import { defaultInterpolation } from '../quantiles/states.js';
import { treeDepth } from '../quantiles/tree-plan.js';
import { approximateQuantilesLaw } from './approximate-quantiles-law.js';
import { exhaustiveAudit } from './exhaustive.js';
import { wholeProfile } from './joint-exp.js';
import { multisets } from './multisets.js';
import { checkedAudit, type QuantilesAudit, type QuantilesAuditResult } from './quantiles-audit.js';

/** What is audited, and the form of the tree as in `quantiles`. */
export interface ApproximateQuantilesAudit extends QuantilesAudit, Omit<TreeOptions, 'height'> {}

/**
 * Audits the ApproximateQuantiles of `quantiles` exhaustively, as {@link auditJointExp} does for JointExp. A law is a sum
 * over the fine positions of all nodes, so less is feasible than there. What is audited is pure: no delta is spent.
 *
 * @throws ScumbleError `option_invalid`, `quantiles_invalid` or `epsilon_invalid`.
 */
export async function auditApproximateQuantiles(options: ApproximateQuantilesAudit): Promise<QuantilesAuditResult> {
  const { branching = 2, power = 0, adaptation = 'conditional' } = options;
  const { cost, request } = checkedAudit(options, (points, quantiles) => workOfLaw(points, quantiles, branching));
  const { lattice } = request;
  // What is audited is a release, so the form of the tree is checked as that of one.
  const { quantiles, epsilon } = options;
  const release = { quantiles, epsilon, method: 'approximate-quantiles', branching, power, adaptation } as const;
  planQuantiles({ ...release, bounds: [0, lattice - 1], step: 1 });
  const measure = uniformMeasure(lattice);
  const measures = cost.quantiles.map(() => measure);
  const settings = approximateQuantilesSettings(cost, defaultInterpolation, measures, {
    shape: { branching, power },
    adaptation,
  });
  const result = await exhaustiveAudit<readonly number[]>({
    ...request,
    outputs: [...multisets(lattice, cost.quantiles.length)],
    law: (data) => approximateQuantilesLaw(wholeProfile(data, lattice), settings),
  });
  return { ...result, bound: cost.epsilon, holds: result.loss <= cost.epsilon };
}

/** Each level has intervals with one or two ends anywhere, and in each the positions of all draws of a node. */
function workOfLaw(lattice: number, quantiles: number, branching: number): number {
  const levels = treeDepth(quantiles, branching);
  return (
    20 * (lattice * defaultInterpolation.ramp.length) ** (Math.min(levels, 3) + Math.min(branching - 1, quantiles) - 1)
  );
}
