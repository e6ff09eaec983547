import { approximateQuantilesLaw } from '../../src/audit/approximate-quantiles-law.js';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import { type Measure, uniformMeasure } from '../../src/lattice/measure.js';
import { stepMeasure } from '../../src/lattice/step-measure.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import {
  type ApproximateQuantilesSettings,
  approximateQuantilesSettings,
  type TreeForm,
} from '../../src/quantiles/approximate-quantiles.js';
import { type Interpolation, plainRanks } from '../../src/quantiles/states.js';
import { gridQuantile } from '../../src/quantiles/targets.js';
import { type TreeLawRequest, treeLaw } from './tree-law.js';

/** A tree on a small lattice. */
export interface TreeCase extends TreeForm {
  readonly quantiles: readonly number[];
  readonly epsilon: number;
  readonly relation: Relation;
  /** Lattice points. */
  readonly size: number;
  readonly rowsPerUnit?: number;
  readonly interpolation?: Interpolation;
  /** Prior weights of the cells, one list for all quantiles or one for each. Default: all 1. */
  readonly weights?: readonly (readonly number[])[];
}

export const binary = { branching: 2, power: 0 };
export const ternary = { branching: 3, power: 1 };

export function measureOf(weights: readonly number[]): Measure {
  return stepMeasure(weights.length, { starts: Float64Array.from(weights.keys()), weights: weights.map(BigInt) });
}

/** The settings of a private release. */
export function settingsOf(asked: TreeCase): ApproximateQuantilesSettings {
  const { quantiles, size, interpolation = plainRanks, weights, rowsPerUnit = 1, ...rest } = asked;
  const priors = weights?.map(measureOf) ?? [uniformMeasure(size)];
  return approximateQuantilesSettings(
    { ...rest, quantiles: quantiles.map(gridQuantile), rowsPerUnit },
    interpolation,
    quantiles.map((_, j) => priors[j % priors.length]),
    rest,
  );
}

/** The largest loss over all data sets of up to so many records. */
export async function lossOf(asked: TreeCase, records: number, settings = settingsOf(asked)): Promise<number> {
  const result = await exhaustiveAudit<readonly number[]>({
    ...asked,
    records,
    lattice: asked.size,
    outputs: [...multisets(asked.size, asked.quantiles.length)],
    law: (data) => approximateQuantilesLaw(wholeProfile(data, asked.size), settings),
  });
  return result.loss;
}

/** The same of the definition, or of a variant of it. */
export async function naiveLossOf(
  asked: TreeCase,
  records: number,
  variant: Partial<TreeLawRequest> = {},
): Promise<number> {
  const { tree, adaptation } = settingsOf(asked);
  const { size, quantiles, interpolation = plainRanks } = asked;
  const weights = quantiles.map((_, j) => asked.weights?.[j % asked.weights.length] ?? new Array(size).fill(1));
  const result = await exhaustiveAudit<readonly number[]>({
    ...asked,
    records,
    lattice: size,
    outputs: [...multisets(size, quantiles.length)],
    law: (data) => {
      const law = treeLaw({ records: data, size, tree, interpolation, weights, adaptation, ...variant });
      return (cells) => Math.log(law.get(cells.join()) ?? 0);
    },
  });
  return result.loss;
}
