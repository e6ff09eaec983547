import type { GroupsPlan } from '../groups/plan.js';
import type { GroupsRelease } from '../groups/quantiles-by-group.js';
import type { Lattice } from '../lattice/lattice.js';
import type { Forecast } from '../quantiles/forecast.js';
import type { Answer } from './answer.js';
import { formatValues } from './numbers.js';

/** The releases of all groups as the rows of one answer. */
export function groupedAnswer({ groups, quantiles, forecast }: GroupsRelease, lattice: Lattice): Answer {
  const repeated = <T>(list: readonly T[]) => groups.flatMap(() => list);
  const errors = Object.entries(forecast).map(([key, list]) => [key, repeated(list)]);
  const ends = groups.flatMap(({ intervals }) => intervals ?? []).map((pair) => formatValues(pair, lattice));
  return {
    groups: groups.flatMap(({ group }) => quantiles.map(() => group)),
    quantiles: repeated(quantiles),
    values: groups.flatMap(({ values }) => formatValues(values, lattice)),
    intervals: ends.length > 0 ? ends : undefined,
    forecast: Object.fromEntries(errors) as unknown as Forecast,
  };
}

/** The sizes that were bought for intervals, where they were; undefined otherwise. */
export function sizesInWords({ groups }: GroupsRelease): string | undefined {
  const sizes = groups.flatMap(({ group, noisyRows }) =>
    noisyRows === undefined ? [] : [`${group} about ${noisyRows}`],
  );
  return sizes.length === 0 ? undefined : `counted with noise for 5 % of epsilon: ${sizes.join(', ')}`;
}

/** How the groups share the cost, and how they are found. */
export function groupsInWords({ guarantee, selection }: GroupsPlan, groupBy: string): string {
  const { relation, unit, epsilon } = guarantee;
  const share =
    relation === 'swap'
      ? `under swap groups pay twice, because a change leaves one group and enters another: each has the noise of epsilon ${epsilon / 2}`
      : typeof unit === 'string'
        ? `each record is in one group of ${groupBy} at most, so all of them together cost what one does`
        : `each ${unit.column} counts in one group of ${groupBy}, chosen by its own rows, so all of them together cost what one does`;
  if (!selection) return share;
  const size = typeof unit === 'string' ? 'its number of records' : `its number of ${unit.column}`;
  return `${share}; finding them takes epsilon ${Number(selection.epsilon.toPrecision(3))} of it: a group is listed if ${size}, with noise, is at least ${selection.threshold}, and of the rest nothing is said`;
}
