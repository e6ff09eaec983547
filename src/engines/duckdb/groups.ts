import { randomBytes } from 'node:crypto';
import { ScumbleError } from '../../errors.js';
import type { GroupsRequest, GroupsView } from '../../groups/source.js';
import type { Session } from './engine.js';
import type { Column } from './scan.js';
import { double, identifier, text } from './sql.js';
import { rankView } from './view.js';

/** What the rows of all groups are. */
export interface GroupedRows {
  /** SQL for rows of a `value`, a `unit`, the `name` of their group and, when counted, an `amount`. */
  readonly rows: string;
  readonly counted: boolean;
  /** With a unit: the most rows of each. */
  readonly maxRows: number | undefined;
  /** Follows a pass over all rows. */
  pass<T>(statement: Promise<T>): Promise<T>;
}

/**
 * Copies the rows of the groups into the session, where each group has a number, and counts from there. Names of groups
 * that the caller gives are parameters and never part of a statement.
 */
export async function groupsView(
  session: Session,
  { lattice, groups, signal }: GroupsRequest,
  { rows, counted, maxRows, pass }: GroupedRows,
): Promise<GroupsView> {
  await session.run('CREATE TEMP TABLE names (name VARCHAR, place INTEGER)', signal);
  if (groups)
    for (const [place, name] of groups.entries())
      await session.run('INSERT INTO names VALUES ($1, $2)', signal, [name, place]);
  else
    await session.run(
      `INSERT INTO names SELECT name, row_number() OVER (ORDER BY name) - 1 FROM (SELECT DISTINCT name FROM (${rows}) WHERE name <> '')`,
      signal,
    );
  const isNumber = `value <= ${double(Number.POSITIVE_INFINITY)}`;
  const members = `SELECT rows.*, place FROM (${rows}) rows JOIN names USING (name) WHERE ${isNumber}`;
  const amount = counted ? ', amount' : '';
  const kept =
    maxRows === undefined ? `SELECT value, place${amount} FROM (${members})` : chosenInOneGroupSql(members, maxRows);
  // In the order of groups, so that who counts one passes over the blocks of the others.
  await pass(session.run(`CREATE TEMP TABLE kept AS ${kept} ORDER BY place`, signal));
  const names = groups ?? (await namesOf(session, signal));
  const number = counted ? 'sum(amount)' : maxRows === undefined ? 'count(*)' : 'count(*) FILTER (first)';
  const numbers = (sql: string) => session.numbers(sql, signal);
  return {
    names,
    async group(place) {
      const group = `SELECT value${amount} FROM kept WHERE place = ${place}`;
      return rankView(lattice, {
        rows: group,
        summary: group,
        counted,
        nulls: 'drop',
        numbers,
        pass: numbers,
        close: async () => {},
      });
    },
    async sizes() {
      const [places, found] = await numbers(`SELECT place::DOUBLE, ${number}::DOUBLE FROM kept GROUP BY place`);
      const sizes = names.map(() => 0);
      for (const [i, place] of places.entries()) sizes[place] = found[i];
      return sizes;
    },
    close: async () => session.close(),
  };
}

async function namesOf(session: Session, signal: AbortSignal | undefined): Promise<string[]> {
  const result = await session.run('SELECT name FROM names ORDER BY place', signal);
  return (await result.getRows()).map(([name]) => String(name));
}

/**
 * The rows of each unit in one group, and at most `maxRows` of them. The rows of a unit that are in a group asked for are
 * put in the order of a hash of their content and a salt that is fresh for every release; the group of the first is the
 * unit's, and its first rows there are used. All that decides is the unit's own rows: what other units have, or in which
 * order rows are stored, changes nothing. Rows that agree in value and group may stand for each other. One row of each unit
 * is marked as its first.
 */
export function chosenInOneGroupSql(members: string, maxRows: number, salt = randomBytes(16).toString('hex')): string {
  const order = 'PARTITION BY unit ORDER BY mark, value, name, copy';
  return `SELECT value, place, turn = 1 AS first FROM (
    SELECT value, place, row_number() OVER (${order}) AS turn FROM (
      SELECT *, first_value(place) OVER (${order}) AS chosen FROM (
        SELECT *, hash(hash(${text(salt)}, unit, value, name, copy)) AS mark FROM (
          SELECT *, row_number() OVER (PARTITION BY unit, value, name) AS copy FROM (${members}) WHERE unit IS NOT NULL)))
    WHERE place = chosen) WHERE turn <= ${maxRows}`;
}

const groupTypes =
  /^(VARCHAR|ENUM|BOOLEAN|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(\d+,\d+\)|FLOAT|DOUBLE|DATE|UUID)$/;

/**
 * SQL for the name of a row's group in a typed source: the text of its value, by which alone groups are told apart. A
 * column may compare text in a way of its own, by which one row could be in two groups; so it is taken apart into bytes.
 *
 * @throws ScumbleError `groups_invalid` when the type has values whose text might fail or depend on the machine.
 */
export function groupNameSql({ name, type, unreadable }: Column): string {
  if (unreadable !== undefined || !groupTypes.test(type))
    throw new ScumbleError(
      'groups_invalid',
      `The column ${name} has the type ${type}, of which no groups are made; use text, an enum, a boolean, a number, a date or a UUID.`,
      { option: 'groupBy', column: name, type },
    );
  return `decode(encode(CAST(${identifier(name)} AS VARCHAR)))`;
}

/** What a name looks like, by type. */
const examples: readonly [RegExp, string][] = [
  [/INT|,0\)$/, '7'],
  [/^DECIMAL/, '7.50, with all decimals of the type'],
  [/^(FLOAT|DOUBLE)$/, '7.0'],
  [/^BOOLEAN$/, 'true or false'],
  [/^DATE$/, '2024-01-31'],
  [/^UUID$/, '6f1c1b1e-0000-4000-8000-123456789abc'],
];

/**
 * Refuses names that are not the text of any value of the column's type: their groups would be empty whatever the records
 * are. Only the type is looked at, so the answer says nothing of records. Text may be anything, and so may an enum: which
 * values that has may have been collected from the records.
 *
 * @throws ScumbleError `groups_invalid`.
 */
export async function checkNames(
  session: Session,
  { name: column, type }: Column,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (/^(VARCHAR|ENUM)$/.test(type)) return;
  const values = names.map((_, i) => `(${i}, $${i + 1}::VARCHAR)`).join(', ');
  const sql = `SELECT name, CAST(TRY_CAST(name AS ${type}) AS VARCHAR) FROM (VALUES ${values}) given(place, name) ORDER BY place`;
  for (const [name, written] of await (await session.run(sql, signal, [...names])).getRows()) {
    if (written === name) continue;
    const example = examples.find(([form]) => form.test(type))?.[1];
    const instead =
      written === null
        ? `a name is the text of a value, such as ${example}`
        : `the closest is ${JSON.stringify(written)}`;
    throw new ScumbleError(
      'groups_invalid',
      `The group ${JSON.stringify(name)} is no value of the column ${column}, of type ${type}, as that type writes them; ${instead}.`,
      { option: 'groups', group: name, column, type },
    );
  }
}
