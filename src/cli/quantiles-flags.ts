import type { Format } from '../engines/duckdb/options.js';
import { ScumbleError } from '../errors.js';
import type { GroupsOptions } from '../groups/options.js';
import type { Prior } from '../lattice/prior.js';
import type { PrivacyUnit, Relation } from '../privacy/guarantee.js';
import type { TreeOptions } from '../quantiles/method.js';
import type { MethodName } from '../quantiles/methods.js';
import type { QuantilesOptions } from '../quantiles/options.js';
import type { QuantileList } from '../quantiles/quantile-list.js';
import { type Mix, type PublicFile, priorOptions } from './priors.js';

/** The options that `quantiles` and `plan` have in common, as the option parser hands them over. */
export interface CommonFlags extends TreeOptions {
  readonly column: string;
  readonly bounds?: [number, number];
  /** One for all quantiles, or one for each. */
  readonly prior?: readonly (Prior | PublicFile)[];
  readonly priorMix?: Mix;
  /** One for all quantiles, or one for each. */
  readonly smoothing?: number | readonly number[];
  readonly method: MethodName | 'auto';
  readonly step?: number;
  readonly quantiles: QuantileList;
  readonly delta?: string;
  readonly relation: Relation;
  readonly unit?: string;
  readonly maxRows?: number;
  readonly where?: string;
  readonly counts?: string;
  readonly groupBy?: string;
  readonly groups?: readonly string[];
  readonly format?: Format;
  readonly table?: string;
  readonly header: boolean;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly aboutRows?: number;
  readonly interval?: number;
  readonly valueUnit?: string;
  readonly dataset?: string;
  readonly ledger?: string;
  readonly seed?: number;
  readonly unsafeSeed?: true;
  readonly json?: true;
  readonly csv?: true;
  readonly quiet?: true;
  /** Of `quantiles` only. */
  readonly plot?: string;
  readonly dryRun?: true;
}

export interface QuantilesFlags extends CommonFlags {
  /** As written: the ledger accounts for the decimal. */
  readonly epsilon: string;
}

/** Refuses options that do not go together, before anything is opened. */
export function checkTogether(file: string, flags: CommonFlags): void {
  const { bounds, relation, unit, maxRows, where, seed, unsafeSeed, ledger, dataset } = flags;
  if (bounds === undefined && !isUnbounded(flags))
    throw new ScumbleError(
      'bounds_invalid',
      '--bounds is required: the range lower,upper of the answer; only with a cauchy or half-cauchy prior, or one mixed with such (--prior-mix 0.1:cauchy:0,10), it may be left out.',
    );
  if (unit !== undefined && maxRows === undefined)
    throw new ScumbleError('unit_invalid', '--unit needs --max-rows, the most rows of each unit that are used.');
  if (unit === undefined && maxRows !== undefined)
    throw new ScumbleError('unit_invalid', '--max-rows needs --unit, the column that tells units apart.');
  const filter = unit !== undefined ? '--unit' : where !== undefined ? '--where' : undefined;
  if (relation === 'swap' && filter)
    throw new ScumbleError(
      filter === '--unit' ? 'unit_invalid' : 'where_invalid',
      `${filter} cannot be used with --relation swap, because the number of rows that it leaves is private; use --relation add-remove.`,
    );
  if (seed !== undefined && !unsafeSeed)
    throw new ScumbleError('option_invalid', '--seed needs --unsafe-seed: a seeded answer is not private.');
  if (unsafeSeed && seed === undefined)
    throw new ScumbleError('option_invalid', '--unsafe-seed needs --seed, a whole number.');
  if (seed !== undefined && ledger !== undefined)
    throw new ScumbleError(
      'option_invalid',
      '--seed cannot be used with --ledger: a seeded answer is not private and is not recorded.',
    );
  if (flags.plot !== undefined && flags.dryRun)
    throw new ScumbleError('option_invalid', '--plot cannot be used with --dry-run: a plan has no values to draw.');
  if (flags.groups !== undefined && flags.groupBy === undefined)
    throw new ScumbleError('groups_invalid', '--groups needs --group-by, the column that tells groups apart.');
  if (file === '-' && dataset === undefined)
    throw new ScumbleError(
      'dataset_required',
      '--dataset is required with standard input, which has no path to be named after.',
    );
}

/** A prior that reaches everywhere; a list of them is for a range that is given. */
function isUnbounded({ prior: priors = [], priorMix }: CommonFlags): boolean {
  const [{ family }] = priors.length === 1 ? [priorMix?.robust ?? priors[0]] : [{ family: 'uniform' }];
  return family === 'cauchy' || family === 'half-cauchy';
}

/** Whose presence the options protect. */
export function unitOf({ unit, maxRows, counts }: CommonFlags): PrivacyUnit {
  if (counts !== undefined) return 'count';
  return unit === undefined || maxRows === undefined ? 'row' : { column: unit, maxRows };
}

/** The same as options of the library. */
export function libraryOptions(flags: QuantilesFlags, signal: AbortSignal): QuantilesOptions {
  return { ...unpricedOptions(flags, signal), epsilon: Number(flags.epsilon) };
}

export function unpricedOptions(flags: CommonFlags, signal: AbortSignal): Omit<QuantilesOptions, 'epsilon'> {
  const { quantiles, bounds, method, step, relation, aboutRows, interval, seed } = flags;
  const { branching, height, power, adaptation, smoothing } = flags;
  return {
    quantiles,
    bounds,
    ...priorOptions(flags),
    branching,
    height,
    power,
    adaptation,
    smoothing,
    method,
    step,
    delta: Number(flags.delta ?? 0),
    relation,
    aboutRows,
    interval,
    unsafeSeed: seed,
    signal,
  };
}

/** The same for releases by group. */
export function groupsOptions(flags: QuantilesFlags, signal: AbortSignal): GroupsOptions {
  return { ...libraryOptions(flags, signal), groups: flags.groups };
}
