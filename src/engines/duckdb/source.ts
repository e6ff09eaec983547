import { ScumbleError, throwIfAborted } from '../../errors.js';
import type { RankSource } from '../../ranks/source.js';
import { type Engine, type Session, startEngine } from './engine.js';
import { filesOf, formatOf } from './files.js';
import { checkForFormat, checkOptions, type DuckDBOptions } from './options.js';
import { type Progress, progressTo } from './progress.js';
import { type Rows, scanRows, textRows } from './rows.js';
import { literalPattern, parquetScan, type Scan, tableScan } from './scan.js';
import { csvInput, jsonInput, type TextInput } from './text-input.js';
import { chosenSql } from './unit.js';
import { rankView } from './view.js';
import { parseWhere, type Where } from './where.js';

/** A column of a file or a table as a source of ranks. Close it when done. */
export interface DuckDBSource extends RankSource {
  /** The file's path (or the glob's) without symbolic links; undefined for standard input. */
  readonly realPath: string | undefined;
  close(): Promise<void>;
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
 * @throws ScumbleError `option_invalid`, `unit_invalid`, `where_invalid`, `file_unreadable`, `table_not_found`,
 *   `column_not_found` or `type_not_numeric`.
 */
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

interface Data extends Rows {
  /** Reads into the engine what cannot be scanned where it is. */
  load(progress: Progress, signal: AbortSignal | undefined): Promise<void>;
}

async function scanned(engine: Engine, scan: Scan, options: DuckDBOptions, where: Where | undefined): Promise<Data> {
  return { ...(await scanRows(engine, scan, options, where)), load: async () => {} };
}

async function loaded(
  engine: Engine,
  input: TextInput,
  options: DuckDBOptions,
  where: Where | undefined,
): Promise<Data> {
  const sql = await textRows(engine, input, options, where);
  const counts = options.counts !== undefined;
  let done: Promise<void> | undefined;
  async function load(progress: Progress, signal: AbortSignal | undefined) {
    await engine.session.run(
      `CREATE TABLE records (value DOUBLE, unit VARCHAR${counts ? ', amount BIGINT' : ''})`,
      signal,
    );
    for await (const { block, fraction } of input.blocks()) {
      await engine.session.run(`INSERT INTO records ${sql}`, signal, [block]);
      if (fraction !== undefined) progress.report(fraction);
    }
    progress.report(1);
  }
  const records = `SELECT value, unit${counts ? ', amount' : ''} FROM records`;
  return {
    sql: records,
    summary: records,
    integer: false,
    load: (progress, signal) => (done ??= load(progress, signal)),
  };
}

function sourceOf(engine: Engine, data: Data, realPath: string | undefined, options: DuckDBOptions): DuckDBSource {
  const { unit } = options;
  const progress = progressTo(options.onProgress);
  const close = async () => release(engine, options);
  return {
    realPath,
    integer: data.integer,
    ...(unit ? { unit } : {}),
    async open({ lattice, nulls, signal: requested }) {
      if (nulls === 'lower' && unit) throw new ScumbleError('unit_invalid', onlyAddRemove('unit'));
      if (nulls === 'lower' && options.where !== undefined)
        throw new ScumbleError('where_invalid', onlyAddRemove('where'));
      const signal = either(options.signal, requested);
      let session: Session | undefined;
      try {
        await data.load(progress, signal);
        const view = (session = await engine.connect());
        await view.run('BEGIN TRANSACTION', signal);
        if (unit) await view.run(`CREATE TEMP TABLE chosen AS ${chosenSql(data.sql, unit.maxRows)}`, signal);
        return rankView(lattice, {
          rows: unit ? 'SELECT value FROM chosen' : data.sql,
          summary: data.summary,
          counted: options.counts !== undefined,
          nulls,
          numbers: (sql) => view.numbers(sql, signal),
          pass: (sql) => progress.during(view.connection, view.numbers(sql, signal)),
          close: async () => view.close(),
        });
      } catch (error) {
        session?.close();
        throw hidden(error);
      }
    },
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
