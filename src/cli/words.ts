import type { Reservation } from '../ledger/index.js';
import type { Guarantee, PrivacyUnit, Relation } from '../privacy/guarantee.js';
import type { Forecast } from '../quantiles/forecast.js';
import type { TreeOptions } from '../quantiles/method.js';
import type { Plan } from '../quantiles/plan.js';
import type { PlanFlags } from './plan-options.js';

/** `row`, `unit of count`, or `user_id (at most 5 rows each)`. */
export function unitInShort(unit: PrivacyUnit): string {
  if (unit === 'count') return 'unit of count';
  return unit === 'row' ? unit : `${unit.column} (at most ${unit.maxRows} rows each)`;
}

/** `epsilon 1, add-remove, per row`. */
export function guaranteeInShort({ epsilon, delta, relation, unit }: Guarantee): string {
  return `epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}, ${relation}, per ${unitInShort(unit)}`;
}

/** The guarantee in plain words, with what it does not cover. `counts`: the column of counts, where there is one. */
export function guaranteeInWords({ epsilon, delta, relation, unit }: Guarantee, counts = 'count'): string {
  // Three digits of what exceeds 1, or a small epsilon would seem to change nothing.
  const factor = Number((1 + Number(Math.expm1(epsilon).toPrecision(3))).toPrecision(15));
  const effect =
    delta > 0
      ? `makes any set of answers at most ${factor} times (e^${epsilon}) as likely or unlikely, give or take a probability of ${delta} (delta)`
      : `makes any answer at most ${factor} times (e^${epsilon}) as likely or unlikely`;
  if (typeof unit === 'object')
    return `adding or removing everything with one value of ${unit.column} ${effect}; at most ${unit.maxRows} rows of each are used`;
  if (unit === 'count') {
    const one = `one unit of ${counts}`;
    const change =
      relation === 'swap' ? `moving ${one} to another value, their sum being public,` : `adding or removing ${one}`;
    return `${change} ${effect}; the guarantee is per unit of ${counts}: neither a row nor a person with several units is protected as one`;
  }
  const change =
    relation === 'swap' ? 'changing any one row, the number of rows being public,' : 'adding or removing any one row';
  return `${change} ${effect}; the guarantee is per row: a person with several rows is not protected as one (see --unit)`;
}

/** What a reservation took and what is left. */
export function costInWords({ reserved, remaining }: Reservation, dataset: string, ledger: string): string {
  const withDelta = reserved.delta !== '0';
  const amounts = ({ epsilon, delta }: Reservation['reserved']) =>
    `epsilon ${epsilon}${withDelta ? ` and delta ${delta}` : ''}`;
  const left = remaining
    ? `${amounts(remaining)} remains in its budget`
    : 'no budget is set: recorded, not limited (see scumble budget set)';
  return `${amounts(reserved)} of data set ${dataset}, recorded in ${ledger}; ${left}`;
}

/** What the error columns mean. */
export function errorsInWords({ rankError95Share }: Forecast, rows = 'the declared number of rows'): string {
  const shares = rankError95Share ? `, in records and as a share of ${rows}` : ', in records';
  return `how far the rank of a value is expected to be from its target, and what 95 % of releases stay within${shares}`;
}

/** What the leaves of a tree of counts hide, where they hold several points; undefined where they do not. */
export function leavesInWords(
  mechanism: string,
  size: number,
  { branching = 16, height = 4 }: TreeOptions,
): string | undefined {
  const leaves = branching ** height;
  if (!/-tree$/.test(mechanism) || size <= leaves) return undefined;
  return `the lattice has ${size} points, and each of the ${leaves} leaves of the tree holds several: values are no finer than that, and the forecast assumes that records are not crowded into few of them (see --height, --branching and --step)`;
}

/** Which method was chosen, and by how much. */
export function methodInWords(chosen: string, { mechanism, errorRatio }: NonNullable<Plan['second']>): string {
  const more =
    errorRatio < 1.05
      ? 'is about as good'
      : errorRatio > 1000
        ? 'is expected to err far more'
        : `is expected to err ${errorRatio.toFixed(1)} times as much`;
  return `${chosen}; the next best, ${mechanism}, ${more}`;
}

/** The answer to `--rank-error`. */
export function wantedErrorInWords(rankError: number, epsilon: string, groupBy?: string): string {
  const each = groupBy === undefined ? '' : ' of each group';
  return `--epsilon ${epsilon} keeps the expected rank error of every quantile${each} within ${rankError}`;
}

/** How the number of rows that intervals need will become known, when it is not declared. */
export function sizeInWords(relation: Relation): string {
  const found =
    relation === 'swap' ? 'public under swap, used as it is' : 'to be counted with noise for 5 % of epsilon';
  return `${found}; without --reference the errors are upper bounds for any number`;
}

/** How wide the intervals will be, as far as that is known before the rows are counted. */
export function intervalsInWords({ quantiles, intervalQuantiles: ends }: Plan, level: number): string {
  if (!ends) return `at ${level}; with --about-rows it is shown here where they will end`;
  const wide = quantiles.filter((_, j) => ends[j][0] === 0 || ends[j][1] === 1);
  const widest = ends.reduce((best, [low, high], j) => (high - low > ends[best][1] - ends[best][0] ? j : best), 0);
  const [low, high] = ends[widest].map((share) => Number(share.toPrecision(4)));
  const bounds =
    wide.length > 0
      ? `; those of ${wide.length > 6 ? `${wide.length} quantiles` : wide.join(', ')} will reach a bound, which more rows or epsilon, or fewer quantiles, may help`
      : '';
  return `at ${level}; the widest, of ${quantiles[widest]}, from the quantile ${low} to ${high} of the rows${bounds}`;
}

/** What the forecast of a plan rests on. */
export function basisInWords({ reference, aboutRows, method, groupBy }: PlanFlags): string {
  if (reference === undefined)
    return method === 'smooth' || method === 'csmooth'
      ? `from public facts alone: ${aboutRows ?? 1000} records from a normal law in the middle of the bounds, its deviation a two-hundredth of them (see --reference)`
      : 'from public facts alone: records distinct and evenly spread (see --reference)';
  const each = groupBy === undefined ? '' : ', as what each group looks like';
  const chosen = `${each}${method === 'auto' ? '; a release chooses without it, unless --method names this method' : ''}`;
  if (typeof reference === 'string')
    return `on the stated reference ${reference}, whose rows count as public and are not protected${chosen}`;
  const { family, ...numbers } = reference;
  const shape = [family, ...Object.values(numbers).flat()].join(' ');
  return `on the stated reference, ${aboutRows} records of the distribution ${shape}${chosen}`;
}
