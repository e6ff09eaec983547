import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { ScumbleError } from '../errors.js';

/** How long to wait for other processes that hold the ledger, in milliseconds. */
const patience = 20_000;

/** `scmb`: marks the file as a ledger. */
const applicationId = 0x73636d62n;
const version = 1n;

/** Amounts are in units of account (see amount.ts); a null unit is the row, anything else a column. */
const schema = `
  CREATE TABLE budget (
    dataset TEXT PRIMARY KEY,
    relation TEXT NOT NULL CHECK (relation IN ('add-remove', 'swap')),
    unit TEXT,
    epsilon INTEGER NOT NULL CHECK (epsilon > 0),
    delta INTEGER NOT NULL CHECK (delta >= 0)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE spend (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    dataset TEXT NOT NULL,
    relation TEXT NOT NULL CHECK (relation IN ('add-remove', 'swap')),
    unit TEXT,
    max_rows INTEGER CHECK (max_rows >= 1),
    epsilon INTEGER NOT NULL CHECK (epsilon > 0),
    delta INTEGER NOT NULL CHECK (delta >= 0),
    mechanism TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('reserved', 'committed'))
  ) STRICT;
  CREATE INDEX spend_total ON spend (dataset, relation, unit, epsilon, delta);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

/** Opens the ledger file, made with its directories when missing. Integers are read as bigint. */
export async function openDatabase(file: string): Promise<Database.Database> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      makeDirectory(dirname(file));
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
        throw new ScumbleError('ledger_unusable', `The ledger ${file} must be a file, not a directory or device.`, {
          file,
        });
      return connect(file);
    } catch (error) {
      // Turning on the write-ahead log ignores the busy timeout when several processes meet at a new file.
      if (!isBusy(error) || Date.now() > deadline) throw unusable(file, error);
      await sleep(10);
    }
  }
}

/** Runs `body` in a transaction that is undone when it throws. */
export function transaction<T>(db: Database.Database, mode: 'DEFERRED' | 'IMMEDIATE', body: () => T): T {
  db.exec(`BEGIN ${mode}`);
  try {
    const result = body();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, such as a full disk, have ended the transaction already.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** One clear sentence for whatever the file system or the database says. */
export function unusable(file: string, error: unknown): ScumbleError {
  if (error instanceof ScumbleError) return error;
  const code = codeOf(error);
  const reason =
    Object.entries(reasons).find(([prefix]) => code.startsWith(prefix))?.[1] ??
    'cannot be opened; name a file in a place that can be written';
  return new ScumbleError('ledger_unusable', `The ledger ${file} ${reason}.`, { file }, { cause: error });
}

const reasons: Record<string, string> = {
  SQLITE_NOTADB: 'is a file of another kind; name a ledger or a file that does not exist yet',
  SQLITE_CORRUPT: 'is damaged; it may have lost spends, so nothing can be released on it',
  SQLITE_BUSY: `was held by another process for more than ${patience / 1000} seconds`,
  SQLITE_READONLY: 'cannot be written; it needs write permission',
  SQLITE_FULL: 'cannot grow; the disk is full',
};

function connect(file: string): Database.Database {
  const db = new Database(file, { timeout: patience });
  try {
    db.defaultSafeIntegers(true);
    const isNew = transaction(db, 'DEFERRED', () => inspect(db, file)) === 'new';
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // On macOS a plain fsync stops at the drive's cache.
    db.pragma('fullfsync = ON');
    if (isNew) transaction(db, 'IMMEDIATE', () => inspect(db, file) === 'new' && db.exec(schema));
    const [check] = db.pragma('quick_check(1)') as { quick_check: string }[];
    if (check?.quick_check !== 'ok')
      throw new ScumbleError('ledger_unusable', `The ledger ${file} ${reasons.SQLITE_CORRUPT}.`, { file });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Run in a transaction, or the answers may belong to different moments. */
function inspect(db: Database.Database, file: string): 'new' | 'ledger' {
  const query = `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS objects
    FROM pragma_application_id, pragma_user_version`;
  const [row] = db.prepare(query).all() as { application_id: bigint; user_version: bigint; objects: bigint }[];
  const { application_id, user_version, objects } = row!;
  if (application_id === applicationId && user_version <= version) return 'ledger';
  if (application_id === 0n && user_version === 0n && objects === 0n) return 'new';
  const reason =
    application_id === applicationId
      ? `has schema version ${user_version}, and this program knows versions up to ${version}; use a newer scumble`
      : reasons.SQLITE_NOTADB;
  throw new ScumbleError('ledger_unusable', `The ledger ${file} ${reason}.`, { file });
}

function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  makeDirectory(parent);
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may just have made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  // A new directory survives a power cut only when its parent has been synced; Windows does not offer that.
  if (process.platform === 'win32') return;
  const handle = openSync(parent, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

const isBusy = (error: unknown) => codeOf(error).startsWith('SQLITE_BUSY');

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
