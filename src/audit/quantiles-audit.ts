import { ScumbleError } from '../errors.js';
import type { Relation } from '../privacy/guarantee.js';
import { checkEpsilon, distinctSorted } from '../quantiles/plan.js';
import { expandQuantiles, type QuantileList } from '../quantiles/quantile-list.js';
import { gridQuantile } from '../quantiles/targets.js';
import type { ExhaustiveResult } from './exhaustive.js';

/** What is audited: the mechanism of a release on small data sets. */
export interface QuantilesAudit {
  /** Data sets of 0 to this many records are tried; 1 to 12. */
  readonly records: number;
  /** Number of lattice points, 2 to 64. */
  readonly lattice: number;
  /** Which quantiles, as of a release. */
  readonly quantiles: QuantileList;
  /** The promise to check. */
  readonly epsilon: number;
  /** Which data sets are neighbours. Default `add-remove`. */
  readonly relation?: Relation | undefined;
  /** Rows that one unit may have; add-remove only. Default 1. */
  readonly rowsPerUnit?: number | undefined;
  /** Stops the work. */
  readonly signal?: AbortSignal | undefined;
}

export interface QuantilesAuditResult extends ExhaustiveResult<readonly number[]> {
  /** The claim: epsilon. */
  readonly bound: number;
  /** Whether the loss is within the bound. */
  readonly holds: boolean;
}

/** An audit compares about so many probabilities at the most. */
const mostWork = 2e8;

/**
 * Checks the options of an audit.
 *
 * @param extra the work of making one law, for so many lattice points and quantiles, where it is not that of its outputs.
 * @throws ScumbleError `option_invalid`, `quantiles_invalid` or `epsilon_invalid`.
 */
export function checkedAudit(options: QuantilesAudit, extra?: (lattice: number, quantiles: number) => number) {
  const { records, lattice, epsilon, relation = 'add-remove', rowsPerUnit = 1, signal } = options;
  const quantiles = distinctSorted(expandQuantiles(options.quantiles));
  checkEpsilon(epsilon, quantiles.length);
  whole('records', records, 1, 12);
  whole('lattice', lattice, 2, 64);
  whole('rowsPerUnit', rowsPerUnit, 1, records);
  const outputs = choose(lattice + quantiles.length - 1, quantiles.length) * records * lattice;
  const work = choose(records + lattice, records) * (outputs + (extra?.(lattice, quantiles.length) ?? 0));
  if (work > mostWork)
    throw new ScumbleError(
      'option_invalid',
      'The audit is exhaustive and this one is too large; use fewer records, lattice points or quantiles.',
      { work, most: mostWork },
    );
  return {
    cost: { quantiles: quantiles.map(gridQuantile), epsilon, relation, rowsPerUnit },
    request: { records, lattice, relation, rowsPerUnit, signal },
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
