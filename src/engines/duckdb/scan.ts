import type { DuckDBValue } from '@duckdb/node-api';
import { ScumbleError } from '../../errors.js';
import type { Engine } from './engine.js';
import { identifier, text } from './sql.js';
import { publicType } from './types.js';

/** Typed rows that are read where they are: Parquet files or a table. */
export interface Scan {
  /** What comes after FROM. */
  readonly sql: string;
  /** The same for a look at the extent of a column, from a file's statistics where they are. */
  readonly bySummary: string;
  readonly columns: readonly Column[];
}

/** What asks for a column. */
export type ColumnOption = 'column' | 'unit' | 'counts' | 'groupBy';

export interface Column {
  readonly name: string;
  /** By {@link publicType}. */
  readonly type: string;
  /** The same as SQL, with what a message must not show. */
  readonly sqlType: string;
  /** Why some of its values might not be read; undefined where all can. */
  readonly unreadable?: string | undefined;
  /** Computed by the database; what it depends on is not known. */
  readonly generated?: boolean | undefined;
}

export async function parquetScan(engine: Engine, files: readonly string[]): Promise<Scan> {
  const columns = await describe(engine, parquetSql(files.slice(0, 1)));
  if (!columns)
    throw new ScumbleError('file_unreadable', `The file ${files[0]} is not a Parquet file.`, { file: files[0] });
  const unreadable = await unreadableColumns(engine, files[0]);
  for (const file of files.slice(1)) {
    for (const [name, why] of await unreadableColumns(engine, file)) unreadable.set(name, why);
    const others = await describe(engine, parquetSql([file]));
    if (JSON.stringify(others) !== JSON.stringify(columns))
      throw new ScumbleError('file_unreadable', `The file ${file} has not the same columns as ${files[0]}.`, { file });
  }
  return {
    // Some writers leave NaN out of their statistics, and DuckDB believes them unless told.
    sql: parquetSql(files, ', can_have_nan = true'),
    bySummary: parquetSql(files),
    columns: columns.map((column) => ({ ...column, unreadable: unreadable.get(column.name) })),
  };
}

/** The columns of a Parquet file of which DuckDB cannot read or print every value that may be stored: some times. */
async function unreadableColumns(engine: Engine, file: string): Promise<Map<string, string>> {
  const schema = await engine.tryRead(
    `SELECT name, coalesce(num_children, 0)::INT,
       CASE WHEN converted_type = 'TIMESTAMP_MILLIS' OR logical_type LIKE 'TimestampType%MILLIS=Milli%' THEN 'TIMESTAMP(MILLIS)'
         WHEN starts_with(converted_type, 'TIME_M') OR starts_with(logical_type, 'TimeType') THEN 'TIME' END
     FROM parquet_schema(${text(literalPattern(file))})`,
  );
  if (!schema) throw new ScumbleError('file_unreadable', `The schema of the file ${file} cannot be read.`, { file });
  const found = new Map<string, string>();
  // The schema lists a tree, parents first; the first row is the root of all columns.
  for (let at = 1; at < schema.length; ) {
    const column = String(schema[at][0]);
    for (let left = 1; left > 0 && at < schema.length; at++) {
      const [, children, kind] = schema[at];
      if (kind !== null) found.set(column, String(kind));
      left += Number(children) - 1;
    }
  }
  return found;
}

/** The pattern that matches this name alone: DuckDB takes every name for one. */
export function literalPattern(file: string): string {
  return file.replace(/[*?[]/g, '[$&]');
}

function parquetSql(files: readonly string[], option = ''): string {
  return `read_parquet([${files.map((file) => text(literalPattern(file))).join(', ')}], hive_partitioning = false${option})`;
}

/** A table of a DuckDB database; the file is only read. */
export async function tableScan(engine: Engine, file: string, table: string): Promise<Scan> {
  if (!(await engine.tryRead(`ATTACH ${text(file)} AS source (READ_ONLY)`)))
    throw new ScumbleError('file_unreadable', `The file ${file} cannot be opened as a DuckDB database.`, { file });
  const tables = await engine.tryRead(
    `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' ORDER BY schema_name <> 'main'`,
  );
  const found = find(tables, table);
  const sql = `source.${(found ?? []).map((part) => identifier(String(part))).join('.')}`;
  const columns = found && (await describe(engine, sql));
  if (columns) {
    const generated = await generatedColumns(engine, found.map(String));
    return {
      sql,
      bySummary: sql,
      columns: columns.map((column) => ({ ...column, generated: generated.has(column.name) })),
    };
  }
  const views = await engine.tryRead(
    `SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'source' AND NOT internal`,
  );
  const why = find(views, table)
    ? `The database has the view ${table}, but views are not read`
    : `The database has no table ${table}`;
  const names = (tables ?? []).map(([schema, name]) => (schema === 'main' ? name : `${schema}.${name}`));
  throw new ScumbleError('table_not_found', `${why}; its tables: ${names.join(', ') || 'none'}.`, { table });
}

/**
 * The generated columns of a table. The catalogue does not say which are; but what generates them stands where others have a
 * default, while a description gives defaults alone.
 */
async function generatedColumns(engine: Engine, [schema, table]: readonly string[]): Promise<Set<string>> {
  const listed = await engine.tryRead(
    `SELECT column_name FROM duckdb_columns() WHERE database_name = 'source' AND schema_name = ${text(schema!)} AND table_name = ${text(table!)} AND column_default IS NOT NULL`,
  );
  const described = await engine.tryRead(`DESCRIBE source.${identifier(schema!)}.${identifier(table!)}`);
  const defaults = new Set(described?.filter((row) => row[4] !== null).map(([name]) => String(name)));
  return new Set(listed?.map(([name]) => String(name)).filter((name) => !defaults.has(name)));
}

/** Finds a schema and a name by `name` or `schema.name`. */
function find(named: DuckDBValue[][] | undefined, table: string): DuckDBValue[] | undefined {
  return named?.find(([schema, name]) => name === table || `${schema}.${name}` === table);
}

/** Names and types alone: no row is read. */
export async function describe(engine: Engine, sql: string): Promise<Column[] | undefined> {
  const rows = await engine.tryRead(`DESCRIBE SELECT * FROM ${sql}`);
  return rows?.map(([name, type]) => ({ name: String(name), type: publicType(String(type)), sqlType: String(type) }));
}

const integers = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$|^DECIMAL\(\d+,0\)$/;
const hints: readonly [RegExp, string][] = [
  [/^(DATE|TIME[A-Z_ ]*)$/, 'store seconds or days as a number, for example epoch(column)'],
  [/^BOOLEAN$/, 'store 0 and 1 as a number'],
  [/^VARCHAR$/, 'store the numbers in a numeric column'],
];

/** Whether a declared type holds integers only. @throws ScumbleError `type_not_numeric`. */
export function isInteger({ name, type }: Column, option: ColumnOption = 'column'): boolean {
  if (integers.test(type)) return true;
  if (/^(FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/.test(type)) return false;
  const hint = hints.find(([form]) => form.test(type))?.[1] ?? 'choose a numeric column';
  throw new ScumbleError(
    'type_not_numeric',
    `The column ${name} has the type ${type}, which is not numeric; ${hint}.`,
    {
      column: name,
      type,
      option,
    },
  );
}

/**
 * @param option what asks for the column.
 * @throws ScumbleError `column_not_found`.
 */
export function findColumn<T extends { readonly name: string }>(
  columns: readonly T[],
  name: string,
  option: ColumnOption = 'column',
): T {
  const found = columns.filter((column) => column.name === name);
  if (found.length === 1) return found[0];
  const names = columns.map((column) => column.name).join(', ');
  const what = found.length === 0 ? `There is no column ${name}` : `There is more than one column ${name}`;
  throw new ScumbleError('column_not_found', `${what}; there are: ${names}.`, { column: name, option });
}
