import { ScumbleError, throwIfAborted } from '../../errors.js';
import type { GroupedSource } from '../../groups/source.js';
import type { RankSource } from '../../ranks/source.js';
import { type Data, loaded, scanned } from './data.js';
import { type Engine, type Session, startEngine } from './engine.js';
import { filesOf, formatOf } from './files.js';
import { checkNames, groupsView } from './groups.js';
import { checkForFormat, checkOptions, type DuckDBOptions } from './options.js';
import { progressTo } from './progress.js';
import { literalPattern, parquetScan, tableScan } from './scan.js';
import { csvInput, jsonInput } from './text-input.js';
import { chosenSql } from './unit.js';
import { rankView } from './view.js';
import { parseWhere } from './where.js';

/** A column of a file or a table as a source of ranks. Close it when done. */
export interface DuckDBSource extends RankSource {
  /** The file's path (or the glob's) without symbolic links; undefined for standard input. */
  readonly realPath: string | undefined;
  /** Ends the engine; views end with it. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a column of a file for private quantiles. Only names and types are read here (a header line, a Parquet footer, a
 * database's catalogue): they are public, and everything that can be wrong with them is thrown here. Rows are read by
 * `open()` and by the views it gives; those fail by `aborted` or `engine_failed` alone, whatever the rows hold.
 *
 * A record of a text file is a line: a quoted field cannot hold a line break, so that no record can change how another is
 * read. A line that is malformed (too few or too many fields, broken quotes, bytes that are no UTF-8, no JSON) is a row of
 * nulls. JSON has no header: a column that a record lacks is a null there, so a misspelt name gives only nulls.
 *
 * With `groupBy` the source is also one of groups, for `quantilesByGroup`.
 *
 * @throws ScumbleError `option_invalid`, `unit_invalid`, `where_invalid`, `groups_invalid`, `file_unreadable`,
 *   `table_not_found`, `column_not_found` or `type_not_numeric`.
 */
export function openDuckDB(
  options: DuckDBOptions & { readonly groupBy: string },
): Promise<DuckDBSource & GroupedSource>;
export function openDuckDB(options: DuckDBOptions): Promise<DuckDBSource>;
export async function openDuckDB(options: DuckDBOptions): Promise<DuckDBSource> {
  checkOptions(options);
  throwIfAborted(options.signal);
  const engine = await startEngine(options.where !== undefined);
  try {
    return await prepare(engine, options);
  } catch (error) {
    release(engine, options);
    throw hidden(error);
  }
}

/** What is left of standard input would keep the process alive. */
function release(engine: Engine, { file }: DuckDBOptions): void {
  engine.close();
  if (file === '-') process.stdin.destroy();
}

async function prepare(engine: Engine, options: DuckDBOptions): Promise<DuckDBSource> {
  const format = formatOf(options);
  checkForFormat(options, format);
  const where = options.where === undefined ? undefined : await parseWhere(engine, options.where);
  const located = options.file === '-' ? undefined : await filesOf(engine, options.file);
  const files = located?.files ?? [];
  const data =
    format === 'parquet'
      ? await scanned(engine, await parquetScan(engine, files), options, where)
      : format === 'duckdb'
        ? await scanned(engine, await tableScan(engine, files[0], options.table!), options, where)
        : format === 'csv' || format === 'tsv'
          ? await loaded(engine, await csvInput(located?.files, options, format), options, where)
          : await loaded(engine, await jsonInput(files, format), options, where);
  await engine.lock(format === 'parquet' ? [...new Set(files.flatMap((file) => [file, literalPattern(file)]))] : []);
  return sourceOf(engine, data, located?.realPath, options);
}

function sourceOf(
  engine: Engine,
  data: Data,
  realPath: string | undefined,
  options: DuckDBOptions,
): DuckDBSource & Partial<GroupedSource> {
  const { unit } = options;
  const counted = options.counts !== undefined;
  const progress = progressTo(options.onProgress);
  const close = async () => release(engine, options);
  /** A snapshot of all rows in a session of its own. */
  async function snapshot<T>(
    requested: AbortSignal | undefined,
    use: (session: Session, signal?: AbortSignal) => Promise<T>,
  ) {
    const signal = either(options.signal, requested);
    let session: Session | undefined;
    try {
      await data.load(progress, signal);
      session = await engine.connect();
      await session.run('BEGIN TRANSACTION', signal);
      return await use(session, signal);
    } catch (error) {
      session?.close();
      throw hidden(error);
    }
  }
  const openGroups: GroupedSource['openGroups'] = (request) =>
    snapshot(request.signal, (session, signal) =>
      groupsView(
        session,
        { ...request, ...(signal && { signal }) },
        {
          rows: data.sql,
          counted,
          maxRows: unit?.maxRows,
          pass: (statement) => progress.during(session.connection, statement),
        },
      ),
    );
  const checkGroups: GroupedSource['checkGroups'] = async (groups) => {
    if (data.groupColumn) await checkNames(engine.session, data.groupColumn, groups, options.signal);
  };
  return {
    realPath,
    integer: data.integer,
    ...(unit ? { unit } : counted ? { unit: 'count' as const } : {}),
    async open({ lattice, nulls, signal: requested }) {
      if (nulls === 'lower' && unit) throw new ScumbleError('unit_invalid', onlyAddRemove('unit'));
      if (nulls === 'lower' && options.where !== undefined)
        throw new ScumbleError('where_invalid', onlyAddRemove('where'));
      return snapshot(requested, async (view, signal) => {
        if (unit) await view.run(`CREATE TEMP TABLE chosen AS ${chosenSql(data.sql, unit.maxRows)}`, signal);
        return rankView(lattice, {
          rows: unit ? 'SELECT value FROM chosen' : data.sql,
          summary: data.summary,
          counted,
          nulls,
          numbers: (sql) => view.numbers(sql, signal),
          pass: (sql) => progress.during(view.connection, view.numbers(sql, signal)),
          close: async () => view.close(),
        });
      });
    },
    ...(options.groupBy === undefined ? {} : { openGroups, checkGroups }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const onlyAddRemove = (option: string) =>
  `The option ${option} needs the relation add-remove: under swap the number of rows is public, and it would depend on the rows.`;

function either(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** What the caller may see of a failure: never an engine's or a parser's own words, which quote data. */
function hidden(error: unknown): unknown {
  return error instanceof ScumbleError ? error : new ScumbleError('engine_failed', 'DuckDB could not read the data.');
}
