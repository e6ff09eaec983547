import type { PrivacyUnit } from '../privacy/guarantee.js';
import type { RankView, ViewRequest } from '../ranks/source.js';

/**
 * Private records that belong to groups, each to one at most. Implement this to connect an engine.
 *
 * With a unit the source uses the rows of each unit in *one* group only, chosen from the unit's own rows in the groups asked
 * for, and at most `maxRows` of them: so one unit changes the records of one group.
 */
export interface GroupedSource {
  /** As in `RankSource`. */
  readonly integer?: boolean;
  /** As in `RankSource`, see above. */
  readonly unit?: PrivacyUnit;
  /**
   * Refuses names that no group can have, by what is publicly known of them and never by the records: where a type is declared,
   * what is no text of it. It is called before records are read, and may be called before anything is spent.
   *
   * @throws ScumbleError `groups_invalid`.
   */
  checkGroups?(groups: readonly string[]): Promise<void>;
  /** Opens one consistent snapshot of the records of all groups; those without a value are dropped. */
  openGroups(request: GroupsRequest): Promise<GroupsView>;
}

/** What groups are opened for. */
export interface GroupsRequest extends Pick<ViewRequest, 'lattice' | 'signal'> {
  /** The groups wanted; undefined for all that hold records. */
  readonly groups?: readonly string[] | undefined;
}

/** Counts over one snapshot of all groups. */
export interface GroupsView {
  /** The groups asked for in their order, or else all that hold records and maybe more: then they are private. */
  readonly names: readonly string[];
  /** The records of the group at a place of `names`. */
  group(place: number): Promise<RankView>;
  /** For each name the number of its records, with a unit that of the units they belong to. */
  sizes(): Promise<readonly number[]>;
  /** Lets go of the snapshot. */
  close(): Promise<void>;
}
