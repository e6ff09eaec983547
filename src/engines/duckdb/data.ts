import type { Engine } from './engine.js';
import type { DuckDBOptions } from './options.js';
import type { Progress } from './progress.js';
import { type Rows, scanRows, textRows } from './rows.js';
import type { Scan } from './scan.js';
import type { TextInput } from './text-input.js';
import type { Where } from './where.js';

/** The rows of a source, and how they come into the engine. */
export interface Data extends Rows {
  /** Reads into the engine what cannot be scanned where it is. */
  load(progress: Progress, signal: AbortSignal | undefined): Promise<void>;
}

export async function scanned(
  engine: Engine,
  scan: Scan,
  options: DuckDBOptions,
  where: Where | undefined,
): Promise<Data> {
  return { ...(await scanRows(engine, scan, options, where)), load: async () => {} };
}

export async function loaded(
  engine: Engine,
  input: TextInput,
  options: DuckDBOptions,
  where: Where | undefined,
): Promise<Data> {
  const sql = await textRows(engine, input, options, where);
  const more = [
    ...(options.counts === undefined ? [] : ['amount']),
    ...(options.groupBy === undefined ? [] : ['name']),
  ];
  const types = more.map((column) => `, ${column} ${column === 'amount' ? 'BIGINT' : 'VARCHAR'}`).join('');
  let done: Promise<void> | undefined;
  async function load(progress: Progress, signal: AbortSignal | undefined) {
    await engine.session.run(`CREATE TABLE records (value DOUBLE, unit VARCHAR${types})`, signal);
    for await (const { block, fraction } of input.blocks()) {
      await engine.session.run(`INSERT INTO records ${sql}`, signal, [block]);
      if (fraction !== undefined) progress.report(fraction);
    }
    progress.report(1);
  }
  const records = `SELECT ${['value', 'unit', ...more].join(', ')} FROM records`;
  return {
    sql: records,
    summary: records,
    integer: false,
    load: (progress, signal) => (done ??= load(progress, signal)),
  };
}
