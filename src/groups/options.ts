import { ScumbleError } from '../errors.js';
import type { QuantilesOptions } from '../quantiles/options.js';
import { shown } from '../quantiles/shown.js';

export interface GroupsOptions extends QuantilesOptions {
  /**
   * The groups to release, in the order of the answer: from what is publicly known, never from the data. All of them are in
   * the answer, whether they hold records or not. Without, groups are found by partition selection, which needs a `delta`.
   */
  readonly groups?: readonly string[] | undefined;
}

/** The most groups that may be declared. */
export const maxGroups = 1000;

/**
 * Checks declared groups.
 *
 * @throws ScumbleError `groups_invalid`.
 */
export function checkGroups(groups: unknown): readonly string[] {
  const refused = (what: string) =>
    new ScumbleError('groups_invalid', `The groups must be 1 to ${maxGroups} different names, ${what}.`, {
      option: 'groups',
    });
  if (!Array.isArray(groups)) throw refused(`not ${shown(groups)}`);
  if (groups.length === 0 || groups.length > maxGroups) throw refused(`not ${groups.length}`);
  for (const [i, name] of groups.entries()) {
    if (typeof name !== 'string' || name === '') throw refused(`texts of at least one character, not ${shown(name)}`);
    // Otherwise two names could become one where an engine reads them.
    if (/\p{Surrogate}/u.test(name)) throw refused(`each well-formed Unicode, which number ${i + 1} is not`);
    if (groups.indexOf(name) < i) throw refused(`and ${shown(name)} is given twice`);
  }
  return Object.freeze([...groups]);
}
