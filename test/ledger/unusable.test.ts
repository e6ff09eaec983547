import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/index.js';
import { failure, freshPath, request } from './support.js';

/** A ledger with some history, all of it in the one file. */
async function closedLedger(): Promise<string> {
  const file = freshPath();
  const ledger = await openLedger(file);
  for (let i = 0; i < 200; i++) await ledger.reserve(request(0.1));
  await ledger.close();
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return file;
}

async function refusal(path: string): Promise<string> {
  const error = await failure(openLedger(path));
  expect(error.code).toBe('ledger_unusable');
  expect(error.message).toContain(path);
  expect(error.message).toMatch(/^[^\n]*\.$/);
  return error.message;
}

describe('openLedger', () => {
  it('makes missing directories', async () => {
    const file = join(dirname(freshPath()), 'a', 'b', 'ledger.db');
    await using ledger = await openLedger(file);
    await ledger.reserve(request(1));
    expect(statSync(file).isFile()).toBe(true);
  });

  it('takes an empty file for a new ledger', async () => {
    const file = freshPath();
    writeFileSync(file, '');
    await using ledger = await openLedger(file);
    expect(await ledger.history()).toEqual([]);
  });

  it('refuses a directory and a place that cannot be written', async () => {
    const file = freshPath();
    mkdirSync(file);
    expect(await refusal(file)).toContain('must be a file');
    const text = freshPath();
    writeFileSync(text, '');
    expect(await refusal(join(text, 'ledger.db'))).toContain('can be written');
    expect(await refusal(join(text, 'deeper', 'ledger.db'))).toContain('can be written');
  });

  it('refuses a file of another kind and leaves it as it was', async () => {
    const text = freshPath();
    writeFileSync(text, 'origin,delay\n'.repeat(1000));
    expect(await refusal(text)).toContain('another kind');
    expect(readFileSync(text, 'utf8')).toBe('origin,delay\n'.repeat(1000));

    const other = freshPath();
    const db = new Database(other);
    db.exec('CREATE TABLE budget (dataset TEXT)');
    db.close();
    const before = readFileSync(other);
    expect(await refusal(other)).toContain('another kind');
    expect(readFileSync(other).equals(before)).toBe(true);
  });

  it('refuses a newer version', async () => {
    const file = await closedLedger();
    const db = new Database(file);
    db.pragma('user_version = 2');
    db.close();
    expect(await refusal(file)).toContain('schema version 2');
  });

  it('refuses a damaged file', async () => {
    const overwritten = await closedLedger();
    const bytes = readFileSync(overwritten);
    writeFileSync(overwritten, bytes.fill(0xab, 4096));
    expect(await refusal(overwritten)).toContain('damaged');

    const cut = await closedLedger();
    truncateSync(cut, 8192);
    expect(await refusal(cut)).toContain('damaged');
  });

  it('refuses to be used after it was closed', async () => {
    const ledger = await openLedger(freshPath());
    await ledger.close();
    await ledger.close();
    const calls = [ledger.reserve(request(1)), ledger.commit(1), ledger.budgets(), ledger.history()];
    for (const call of calls) expect((await failure(call)).code).toBe('ledger_unusable');
  });
});
