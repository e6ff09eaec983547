import { ScumbleError } from '../../errors.js';
import { countedSql } from './counts.js';
import type { Engine } from './engine.js';
import { groupNameSql } from './groups.js';
import type { DuckDBOptions } from './options.js';
import { recordsSql } from './records.js';
import { type Column, findColumn, isInteger, type Scan } from './scan.js';
import { identifier } from './sql.js';
import type { TextInput } from './text-input.js';
import { isNested } from './types.js';
import { refused, type Where } from './where.js';
import { checkCondition } from './where-trial.js';

/**
 * Rows as SQL: a DOUBLE `value` and a `unit` (null where none is asked for), after the filter; with `counts` also the
 * number of records that each stands for, a BIGINT `amount` of at least 1, and with `groupBy` the `name` of its group.
 */
export interface Rows {
  readonly sql: string;
  /** The `value` of the same rows or of more, from statistics where there are some. */
  readonly summary: string;
  /** True only where the declared type holds integers. */
  readonly integer: boolean;
  /** The column of groups, where its type is declared. */
  readonly groupColumn?: Column | undefined;
}

/** The rows of Parquet files or a table, read where they are. */
export async function scanRows(
  engine: Engine,
  { sql: scan, bySummary, columns }: Scan,
  options: DuckDBOptions,
  where: Where | undefined,
): Promise<Rows> {
  const integer = isInteger(findColumn(columns, options.column));
  const unit = options.unit && findColumn(columns, options.unit.column, 'unit');
  if (unit) checkUnit(unit);
  if (options.counts !== undefined) isInteger(findColumn(columns, options.counts, 'counts'), 'counts');
  const named = (where?.columns ?? []).map((name) => whereColumn(columns, name));
  checkNamed(options, named);
  const isStruct = (name: string) => columns.some((column) => column.name === name && column.type.includes('STRUCT('));
  checkTaken(where, (name) => isStruct(whereColumn(columns, name)));
  for (const column of columns)
    if (column.generated && project(options, named).includes(column.name)) throw generated(column);
  const groupColumn = options.groupBy === undefined ? undefined : findColumn(columns, options.groupBy, 'groupBy');
  const group = groupColumn && groupNameSql(groupColumn);
  for (const column of columns) if (column.unreadable && named.includes(column.name)) throw refused(mayFail(column));
  const read = (name: string) => {
    // Some casts of JSON fail in a way that TRY does not catch; its text is as good.
    const isJson = columns.some((column) => column.name === name && column.type === 'JSON');
    return isJson ? `CAST(${identifier(name)} AS VARCHAR) AS ${identifier(name)}` : identifier(name);
  };
  const from = `SELECT ${project(options, named).map(read).join(', ')} FROM ${scan}`;
  if (named.some(isStruct)) await engine.readWhole();
  await checkCondition(engine, where, from);
  return {
    sql: select(options, where, from, 'CAST', group, project(options, named)),
    summary: `SELECT CAST(${identifier(options.column)} AS DOUBLE) AS value FROM ${bySummary}`,
    integer,
    groupColumn,
  };
}

function checkUnit(unit: Column): void {
  if (unit.unreadable) throw new ScumbleError('unit_invalid', `The unit is refused: ${mayFail(unit)}.`);
  if (isNested(unit.type))
    throw new ScumbleError(
      'unit_invalid',
      `The column ${unit.name} has the type ${unit.type}, of which no units are made; use text, an enum, a boolean, a number, a date or a UUID.`,
      { option: 'unit', column: unit.name, type: unit.type },
    );
}

const mayFail = ({ name, unreadable }: Column) =>
  `the column ${name} holds ${unreadable}, of which not every value can be read (store TIMESTAMP(MICROS) instead)`;

/** The rows in a block of text, the parameter `$1`. */
export async function textRows(
  engine: Engine,
  input: TextInput,
  options: DuckDBOptions,
  where: Where | undefined,
): Promise<string> {
  input.check(options.column);
  if (options.unit) input.check(options.unit.column, 'unit');
  if (options.counts !== undefined) input.check(options.counts, 'counts');
  if (options.groupBy !== undefined) input.check(options.groupBy, 'groupBy');
  const { columns: header } = input.format.kind === 'csv' ? input.format : { columns: undefined };
  const named = (where?.columns ?? []).map((name) => {
    if (header)
      return whereColumn(
        header.map((column) => ({ name: column })),
        name,
      );
    input.check(name);
    return name;
  });
  checkNamed(options, named);
  checkTaken(where, () => false);
  const columns = project(options, named);
  const types = columns.map((name) => `NULL::VARCHAR AS ${identifier(name)}`).join(', ');
  await checkCondition(engine, where, `SELECT ${types}`);
  const group = options.groupBy === undefined ? undefined : identifier(options.groupBy);
  return select(options, where, recordsSql(input.format, columns), 'TRY_CAST', group, columns);
}

function select(
  { column, unit, counts }: DuckDBOptions,
  where: Where | undefined,
  from: string,
  cast: 'CAST' | 'TRY_CAST',
  group: string | undefined,
  columns: readonly string[],
): string {
  const alias = identifier(unlike(columns));
  const unitOf = unit ? identifier(unit.column) : 'NULL';
  const filter = where ? `WHERE ${where.sql}` : '';
  const asDouble = (name: string) => `${cast}(${identifier(name)} AS DOUBLE)`;
  const amount = counts === undefined ? '' : `, ${asDouble(counts)} AS amount`;
  const name = group === undefined ? '' : `, ${group} AS name`;
  // By a name that no column has, or a part of a column could be taken for one of the row.
  const rows = `SELECT ${asDouble(column)} AS value, ${unitOf} AS unit${amount}${name} FROM (${from}) ${alias} ${filter}`;
  return counts === undefined ? rows : countedSql(rows);
}

/** Only of a struct is there a part; any other name before a dot would be that of a table. */
function checkTaken(where: Where | undefined, isStruct: (name: string) => boolean): void {
  const other = where?.taken.find((name) => !isStruct(name));
  if (other !== undefined) throw refused(`it takes a part of ${other}, which is no column with parts`);
}

/** A name that none of the columns has, however it is spelt. */
function unlike(columns: readonly string[]): string {
  let name = 'source_row';
  while (columns.some((column) => column.toLowerCase() === name)) name += '_';
  return name;
}

function generated({ name }: Column): ScumbleError {
  return new ScumbleError(
    'column_not_found',
    `The column ${name} is generated by the database from others, and only what is stored is read; store it in a column of its own.`,
    { column: name },
  );
}

/** A condition on the count would let one unit of it put all records of its row in or out. */
function checkNamed({ counts }: DuckDBOptions, named: readonly string[]): void {
  if (counts !== undefined && named.includes(counts))
    throw refused(`it names the column of counts ${counts}, of which one unit more may change one record only`);
}

/** The columns that are read. SQL does not tell names apart that differ by case only. */
function project({ column, unit, counts, groupBy }: DuckDBOptions, named: readonly string[]): string[] {
  const asked = [unit?.column, counts, groupBy].filter((name) => name !== undefined);
  const names = [...new Set([column, ...asked, ...named])];
  const folded = new Map<string, string>();
  for (const name of names) {
    const other = folded.get(name.toLowerCase());
    if (other !== undefined)
      throw new ScumbleError('column_not_found', `The columns ${other} and ${name} differ by case only; rename one.`, {
        column: name,
      });
    folded.set(name.toLowerCase(), name);
  }
  return names;
}

function whereColumn(columns: readonly { readonly name: string }[], name: string): string {
  const found = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found.length !== 1) throw refused(`the row has ${found.length === 0 ? 'no' : 'more than one'} column ${name}`);
  return found[0].name;
}
