import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBDoubleVector,
  DuckDBInstance,
  type DuckDBMaterializedResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import { ScumbleError, throwIfAborted } from '../../errors.js';
import { text } from './sql.js';

/** One in-memory DuckDB, and how its failures are told: never in its own words, which quote data. */
export interface Engine {
  readonly session: Session;
  /** The rows of a statement over names and types, or undefined when DuckDB refuses it. */
  tryRead(sql: string): Promise<DuckDBValue[][] | undefined>;
  /** From here on columns are read as a whole: parts of structures are not sought in the files. */
  readWhole(): Promise<void>;
  /** From here on only these files can be read, and no setting can be changed. */
  lock(files: readonly string[]): Promise<void>;
  connect(): Promise<Session>;
  close(): void;
}

/** One connection. Statements over private rows run here. */
export interface Session {
  readonly connection: DuckDBConnection;
  run(sql: string, signal: AbortSignal | undefined, values?: DuckDBValue[]): Promise<DuckDBMaterializedResult>;
  /** All columns of a statement whose columns are DOUBLE. */
  numbers(sql: string, signal: AbortSignal | undefined): Promise<Float64Array[]>;
  close(): void;
}

const settings = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  preserve_insertion_order: 'false',
  // Counts per 16-bit bin then live in one flat array.
  perfect_ht_threshold: '17',
};

/**
 * These rewrite a condition by what statistics say of all rows, or move parts of it out of its TRY. Then one
 * record could decide whether another's failing condition counts: `x < 2000 or s::INT > 0` is true of every row, also
 * where `s` is no number, as long as the statistics show that no x is larger.
 */
const unsafeForConditions = [
  'statistics_propagation',
  'expression_rewriter',
  'common_subexpressions',
  'in_clause',
  'reorder_filter',
];

/** Reads a field of a structure, and casts it, in the scan: again outside of the TRY of a condition. */
const unsafeForStructs = 'unused_columns';

/** @param conditions whether rows will be chosen by a user's condition. */
export async function startEngine(conditions = false): Promise<Engine> {
  // What does not fit in memory spills here: only this user may look, and close() removes it.
  const spill = mkdtempSync(join(tmpdir(), 'scumble-'));
  const instance = await DuckDBInstance.create(':memory:', {
    ...settings,
    temp_directory: spill,
    ...(conditions ? { disabled_optimizers: unsafeForConditions.join(',') } : {}),
  });
  const session = await connect(instance);
  return {
    session,
    async tryRead(sql) {
      try {
        return (await session.connection.runAndReadAll(sql)).getRows();
      } catch {
        return undefined;
      }
    },
    async readWhole() {
      const disabled = [...unsafeForConditions, unsafeForStructs].join(',');
      await session.run(`SET GLOBAL disabled_optimizers = ${text(disabled)}`, undefined);
    },
    async lock(files) {
      await session.run(`SET allowed_paths = [${files.map(text).join(', ')}]`, undefined);
      await session.run('SET enable_external_access = false', undefined);
      await session.run('SET lock_configuration = true', undefined);
    },
    connect: () => connect(instance),
    close() {
      session.close();
      instance.closeSync();
      rmSync(spill, { recursive: true, force: true });
    },
  };
}

async function connect(instance: DuckDBInstance): Promise<Session> {
  const connection = await instance.connect();
  async function run(sql: string, signal: AbortSignal | undefined, values?: DuckDBValue[]) {
    throwIfAborted(signal);
    const interrupt = () => connection.interrupt();
    signal?.addEventListener('abort', interrupt);
    try {
      return await connection.run(sql, values);
    } catch {
      throwIfAborted(signal);
      throw new ScumbleError('engine_failed', 'DuckDB could not read the data.');
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }
  return {
    connection,
    run,
    async numbers(sql, signal) {
      const result = await run(sql, signal);
      const columns = Array.from({ length: result.columnCount }, () => new Float64Array(result.rowCount));
      let row = 0;
      for (let i = 0; i < result.chunkCount; i++) {
        const chunk = result.getChunk(i);
        for (const [c, column] of columns.entries()) {
          const vector = chunk.getColumnVector(c);
          if (!(vector instanceof DuckDBDoubleVector)) throw new TypeError('a column is no DOUBLE');
          for (let r = 0; r < chunk.rowCount; r++) column[row + r] = vector.getItem(r) ?? Number.NaN;
        }
        row += chunk.rowCount;
      }
      return columns;
    },
    close: () => connection.closeSync(),
  };
}
