import { resolve } from 'node:path';
import { ScumbleError } from '../errors.js';
import { amountText, minus, plus } from './amount.js';
import { checkBudget, checkSpend } from './check.js';
import { openDatabase, transaction, unusable } from './database.js';
import type { Ledger } from './ledger.js';
import { exceeded, mismatch, sameProtection } from './refusal.js';
import * as tables from './tables.js';

/**
 * Opens the ledger in a file, made with its directories when missing. SQLite keeps it (write-ahead log, every commit
 * synced), so any number of processes of one machine may share it, and a process may die at any moment: a spend that
 * was acknowledged is there. Calls wait up to 20 seconds for other processes.
 *
 * @param path of the file, on a local disk; the files ending in `-wal` and `-shm` beside it belong to it.
 * @throws ScumbleError `ledger_unusable` when the place cannot be written or holds anything but a ledger of a version
 *   known here.
 */
export async function openLedger(path: string): Promise<Ledger> {
  const file = resolve(path);
  const db = await openDatabase(file);
  const run = <T>(mode: 'DEFERRED' | 'IMMEDIATE', body: () => T): T => {
    if (!db.open) throw new ScumbleError('ledger_unusable', `The ledger ${file} has been closed.`, { file });
    try {
      return transaction(db, mode, body);
    } catch (error) {
      throw unusable(file, error);
    }
  };
  const close = async () => {
    if (db.open) db.close();
  };
  return Object.freeze<Ledger>({
    async setBudget(dataset, options) {
      const asked = checkBudget(dataset, options);
      return run('IMMEDIATE', () => {
        const [budget] = tables.readBudgets(db, dataset);
        if (budget && !sameProtection(budget, asked)) throw mismatch(dataset, asked, budget, 'budget');
        const other = tables.readSpent(db, dataset).find((spent) => !sameProtection(spent, asked));
        if (other) throw mismatch(dataset, asked, other, 'spends');
        tables.writeBudget(db, asked);
        return tables.readStatus(db, dataset)[0]!;
      });
    },
    async reserve(request) {
      const asked = checkSpend(request);
      const { dataset } = asked;
      return run('IMMEDIATE', () => {
        const [budget] = tables.readBudgets(db, dataset);
        if (budget && !sameProtection(budget, asked)) throw mismatch(dataset, asked, budget, 'budget');
        // All spends of a data set with a budget have its relation and unit: there is one total at most.
        const [spent = { epsilon: 0n, delta: 0n }] = tables.readSpent(db, dataset);
        const left = budget && minus(budget, plus(spent, asked));
        if (left && (left.epsilon < 0n || left.delta < 0n)) throw exceeded(dataset, budget, spent, asked);
        const id = tables.writeSpend(db, asked);
        return Object.freeze({ id, reserved: amountText(asked), remaining: left ? amountText(left) : null });
      });
    },
    async commit(id) {
      run('IMMEDIATE', () => {
        if (!tables.writeCommitted(db, id))
          throw new ScumbleError('option_invalid', `The ledger has no reservation ${id}.`, { id });
      });
    },
    async budgets(dataset) {
      return run('DEFERRED', () => tables.readStatus(db, dataset));
    },
    async history(dataset) {
      return run('DEFERRED', () => tables.readHistory(db, dataset));
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}
