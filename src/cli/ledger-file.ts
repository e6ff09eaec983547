import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Ledger } from '../ledger/index.js';
import type { Terminal } from './terminal.js';

/** The ledger of the working directory. */
export const defaultLedger = '.scumble/ledger.db';

/** What the commands about the ledger have in common. */
export interface LedgerFlags {
  readonly ledger: string;
  readonly json?: true;
  readonly quiet?: true;
}

export function addLedgerOptions(command: Command): Command {
  return command
    .option('--ledger <path>', 'the ledger file', defaultLedger)
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'no talk on standard error');
}

/** Opens the ledger (made when missing) for `use` and closes it. */
export async function withLedger<T>(path: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { openLedger } = await import('../ledger/index.js');
  const ledger = await openLedger(path);
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** Reads a ledger without making one: where there is none, nothing is recorded. */
export async function readLedger<T>(
  path: string,
  terminal: Terminal,
  read: (ledger: Ledger) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (existsSync(path)) return withLedger(path, read);
  terminal.say('Ledger', `${path} does not exist yet: nothing is recorded`);
  return [];
}
