import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import Database from 'libsql';
import { ScumbleError } from '../errors.js';
import type { RunOutcome } from './candidate.js';
import type { Saved, SelectionState } from './state.js';

/** `scms`: marks the file as the state of a selection. */
const applicationId = 0x73636d73;

const schema = `
  CREATE TABLE selection (fingerprint TEXT NOT NULL, runs INTEGER NOT NULL) STRICT;
  CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE run (run INTEGER PRIMARY KEY, outcome TEXT) STRICT;
  PRAGMA application_id = ${applicationId};
`;

/**
 * The record of a selection in a file, kept by SQLite: every step is on disk before the selection goes on, and the process
 * may die at any moment. One process at a time can hold it. The file is made for its owner alone (mode 0600) and removed at the
 * end. Outputs must be JSON.
 *
 * @throws ScumbleError `option_invalid` when the file is of another kind, in use, or cannot be written.
 */
export function stateFile<Output>(path: string): SelectionState<Output> {
  let db: Database.Database | undefined;

  function connect(): Database.Database {
    if (db) return db;
    // SQLite would make it readable for others, and takes a short file of another kind for an empty one.
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
    else if (!isEmptyOrDatabase(path)) throw otherKind();
    const opened = new Database(path);
    try {
      opened.pragma('locking_mode = EXCLUSIVE');
      opened.pragma('synchronous = EXTRA');
      opened.exec('BEGIN EXCLUSIVE');
      const { id, objects } = opened
        .prepare(
          'SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_application_id',
        )
        .get() as { id: number; objects: number };
      if (id !== applicationId && (id !== 0 || objects !== 0)) throw otherKind();
      if (id === 0) opened.exec(schema);
      opened.exec('COMMIT');
    } catch (error) {
      opened.close();
      throw error;
    }
    return (db = opened);
  }

  async function usable<T>(use: () => T): Promise<T> {
    try {
      return use();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const why = reasons.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'cannot be written; name another';
      throw new ScumbleError('option_invalid', `The state ${path} ${why}.`, { option: 'state', path });
    }
  }

  return {
    load: () => usable(() => (existsSync(path) ? read<Output>(connect()) : undefined)),
    begin: (fingerprint, runs) =>
      usable(() => void connect().prepare('INSERT INTO selection VALUES (?, ?)').run(fingerprint, runs)),
    started: (run) => usable(() => void connect().prepare('INSERT INTO run (run) VALUES (?)').run(run)),
    finished: (run, outcome) =>
      usable(
        () => void connect().prepare('UPDATE run SET outcome = ? WHERE run = ?').run(JSON.stringify(outcome), run),
      ),
    note: (name, value) =>
      usable(() => void connect().prepare('INSERT OR REPLACE INTO note VALUES (?, ?)').run(name, value)),
    close: () => usable(close),
    remove: () =>
      usable(() => {
        close();
        rmSync(path, { force: true });
      }),
  };

  function close(): void {
    // Closing alone lets go of the file only when its statements have been collected.
    db?.pragma('locking_mode = NORMAL');
    db?.prepare('SELECT count(*) FROM note').get();
    db?.close();
    db = undefined;
  }
}

const otherKind = () => Object.assign(new Error(), { code: 'SQLITE_NOTADB' });

function isEmptyOrDatabase(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(16);
    const length = readSync(file, head);
    return length === 0 || head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(file);
  }
}

const reasons: readonly [string, string][] = [
  ['SQLITE_NOTADB', 'is a file of another kind; name another'],
  ['SQLITE_BUSY', 'is in use by another process'],
  ['SQLITE_FULL', 'cannot grow; the disk is full'],
];

function read<Output>(db: Database.Database): Saved<Output> | undefined {
  const head = db.prepare('SELECT fingerprint, runs FROM selection').get() as { fingerprint: string; runs: number };
  if (!head) return undefined;
  const rows = db.prepare('SELECT run, outcome FROM run ORDER BY run').all() as {
    run: number;
    outcome: string | null;
  }[];
  const outcomes: (RunOutcome<Output> | undefined)[] = [];
  for (const { run, outcome } of rows) outcomes[run] = outcome === null ? undefined : JSON.parse(outcome);
  const notes = db.prepare('SELECT name, value FROM note').all() as { name: string; value: string }[];
  return {
    fingerprint: head.fingerprint,
    runs: head.runs,
    outcomes: Array.from(outcomes, (outcome) => outcome ?? undefined),
    notes: Object.fromEntries(notes.map(({ name, value }) => [name, value])),
  };
}
