import { ScumbleError } from '../errors.js';
import { type Numbers, sourceOf } from '../ranks/memory.js';
import type { RankSource, RankView } from '../ranks/source.js';
import type { GroupedSource } from './source.js';

/** For each group its records. */
export type NumbersByGroup = Readonly<Record<string, Numbers | RankSource>>;

/**
 * The grouped source that values stand for: one that an engine gives, or an object with the records of each group.
 *
 * @throws ScumbleError `values_invalid` when they are neither, `unit_invalid` when a group has a unit of its own.
 */
export async function groupedSourceOf(
  values: NumbersByGroup | GroupedSource,
  signal?: AbortSignal,
): Promise<GroupedSource> {
  if (typeof values === 'object' && values !== null) {
    if ('openGroups' in values && typeof values.openGroups === 'function') return values as GroupedSource;
    const isList = Symbol.iterator in values || Symbol.asyncIterator in values;
    if (!isList && typeof (values as Partial<RankSource>).open !== 'function')
      return sourceOfGroups(values as NumbersByGroup, signal);
  }
  throw new ScumbleError(
    'values_invalid',
    'The values must be an object with the records of each group, or a source that was opened with a column of groups.',
  );
}

async function sourceOfGroups(values: NumbersByGroup, signal: AbortSignal | undefined): Promise<GroupedSource> {
  const sources = new Map<string, RankSource>();
  for (const [name, records] of Object.entries(values)) sources.set(name, await sourceOf(records, signal));
  for (const { unit } of sources.values())
    if (unit !== undefined && unit !== 'row')
      throw new ScumbleError(
        'unit_invalid',
        'The groups must be of rows: a unit of another kind could be in several of these sources; let one source make the groups.',
        { unit },
      );
  // Whether the lists hold integers is not looked at: which of them there are depends on the records.
  return {
    async openGroups({ groups, ...request }) {
      const names = groups ?? [...sources.keys()];
      const views: RankView[] = [];
      for (const name of names) {
        const source = sources.get(name) ?? (await sourceOf([]));
        views.push(await source.open({ ...request, nulls: 'drop' }));
      }
      return {
        names,
        group: async (place) => views[place],
        sizes: () => Promise.all(views.map(recordsIn)),
        close: async () => {
          for (const view of views) await view.close();
        },
      };
    },
  };
}

/** All records, in two bins as wide as half of the largest lattice. */
async function recordsIn(view: RankView): Promise<number> {
  const { below, counts, above } = await view.coarse(52, 0, 2);
  return below + counts[0] + counts[1] + above;
}
