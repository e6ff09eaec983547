import { type Drawn, draw, guarded } from '../quantiles/draw.js';
import type { QuantilesRelease } from '../quantiles/quantiles.js';
import { secureEntropy, unsafeSeededEntropy } from '../random/entropy.js';
import { groupedSourceOf, type NumbersByGroup } from './memory.js';
import type { GroupsOptions } from './options.js';
import { selected } from './partition-selection.js';
import { type GroupsPlan, prepareByGroup } from './plan.js';
import type { GroupedSource, GroupsView } from './source.js';

/** The quantiles of one group. */
export interface GroupRelease extends Drawn {
  /** Its name. */
  readonly group: string;
}

/** A private release of each group: plain frozen data that serialises to JSON as it is. */
export interface GroupsRelease
  extends Pick<GroupsPlan, 'selection'>,
    Omit<QuantilesRelease, keyof Drawn | 'unsafeSeed'> {
  /** As declared and in that order; or those that were found, by name. */
  readonly groups: readonly GroupRelease[];
  /** Present only when the randomness was seeded: the release is not private. */
  readonly unsafeSeed?: number;
}

/**
 * Releases the same quantiles of each group of records with differential privacy, as `quantiles` does for all records.
 *
 * Guarantee: (epsilon, delta)-DP for all groups together, for neighbours that differ in one privacy unit, which is in one
 * group at most; proof in groups.proof.md. With declared groups, delta is what the method spends. Without, the groups are
 * found by partition selection, which spends a tenth of epsilon and needs a delta; nothing is said about groups that are not
 * listed, not even how many they are. Nulls are dropped under both relations; records of no group asked for are in none.
 * Under swap a release by group costs twice: its noise is that of half the epsilon.
 *
 * @param values an object with the records of each group, where each record is in one group, or a {@link GroupedSource}.
 * @param options as for `quantiles`, and the groups; `aboutRows` is about how many rows *each* group has.
 * @throws ScumbleError as `quantiles`, and `groups_invalid`.
 */
export async function quantilesByGroup(
  values: NumbersByGroup | GroupedSource,
  options: GroupsOptions,
): Promise<GroupsRelease> {
  const declared = prepareByGroup(options);
  const { signal, unsafeSeed } = options;
  const source = await guarded(signal, () => groupedSourceOf(values, signal));
  const { plan, each, selection } = source.integer || source.unit ? prepareByGroup(options, source) : declared;
  await guarded(signal, async () => plan.groups && source.checkGroups?.(plan.groups));
  const entropy = unsafeSeed === undefined ? secureEntropy() : unsafeSeededEntropy(unsafeSeed);
  const groups = await guarded(signal, async () => {
    const request = { lattice: plan.lattice, groups: plan.groups, ...(signal && { signal }) };
    const view = await source.openGroups(request);
    try {
      const places = selection
        ? await selected(selection, await view.sizes(), byName(view), entropy, signal)
        : [...view.names.keys()];
      const released: GroupRelease[] = [];
      for (const place of places) {
        const { drawn } = await draw(each, await view.group(place), entropy, signal);
        released.push(Object.freeze({ group: view.names[place], ...drawn }));
      }
      return Object.freeze(released);
    } finally {
      await view.close();
    }
  });
  const { lower, upper, step } = plan.lattice;
  return Object.freeze({
    groups,
    quantiles: plan.quantiles,
    guarantee: plan.guarantee,
    mechanism: plan.mechanism,
    lattice: Object.freeze({ lower, upper, step }),
    forecast: plan.forecast,
    ...(plan.second && { second: plan.second }),
    ...(plan.selection && { selection: plan.selection }),
    ...(unsafeSeed !== undefined && { unsafeSeed }),
  });
}

/** The places of all groups, by name: an order of any other kind could tell of the records. */
function byName({ names }: GroupsView): number[] {
  return [...names.keys()].sort((a, b) => (names[a] < names[b] ? -1 : 1));
}
