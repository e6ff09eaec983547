import type Database from 'libsql';
import type { Relation } from '../privacy/guarantee.js';
import { amountText, atLeastZero, minus, type Units } from './amount.js';
import type { CheckedBudget, CheckedSpend } from './check.js';
import type { BudgetStatus, BudgetUnit, LedgerEntry } from './ledger.js';
import { columnOf, countColumn } from './refusal.js';

/** Every read below fetches all its rows: a statement left half-way would hold its transaction open. */

interface BudgetRow {
  dataset: string;
  relation: Relation;
  unit: string | null;
  epsilon: bigint;
  delta: bigint;
}

interface SpendRow extends BudgetRow {
  id: bigint;
  time: string;
  max_rows: bigint | null;
  mechanism: string;
  status: 'reserved' | 'committed';
}

/** The budgets of all data sets, or of one. */
export function readBudgets(db: Database.Database, dataset?: string): CheckedBudget[] {
  return select<BudgetRow>(db, 'SELECT * FROM budget', dataset).map(({ unit, ...row }) => ({
    ...row,
    unit: unitOf(unit),
  }));
}

/** What was spent, for each data set, relation and unit. Summed in two halves, because a sum may exceed 64 bits. */
export function readSpent(db: Database.Database, dataset?: string): CheckedBudget[] {
  const half = 10n ** 9n;
  const sums = ['epsilon', 'delta'].map(
    (name) => `sum(${name} / ${half}) AS ${name}_high, sum(${name} % ${half}) AS ${name}`,
  );
  const query = `SELECT dataset, relation, unit, ${sums.join(', ')} FROM spend`;
  return select<BudgetRow & { epsilon_high: bigint; delta_high: bigint }>(
    db,
    query,
    dataset,
    'GROUP BY dataset, relation, unit',
  ).map(({ unit, epsilon_high, delta_high, ...row }) => ({
    ...row,
    unit: unitOf(unit),
    epsilon: epsilon_high * half + row.epsilon,
    delta: delta_high * half + row.delta,
  }));
}

/** Budgets beside spends: one status for a data set with a budget, else one for each relation and unit spent under. */
export function readStatus(db: Database.Database, dataset?: string): readonly BudgetStatus[] {
  const spent = readSpent(db, dataset);
  const budgets = readBudgets(db, dataset);
  const limited = budgets.map((budget) =>
    status(budget, spent.find((total) => total.dataset === budget.dataset) ?? { epsilon: 0n, delta: 0n }, budget),
  );
  const limits = new Set(budgets.map((budget) => budget.dataset));
  const unlimited = spent.filter((total) => !limits.has(total.dataset)).map((total) => status(total, total, null));
  return Object.freeze(
    [...limited, ...unlimited].sort((a, b) => (a.dataset < b.dataset ? -1 : a.dataset > b.dataset ? 1 : 0)),
  );
}

export function readHistory(db: Database.Database, dataset?: string): readonly LedgerEntry[] {
  const rows = select<SpendRow>(db, 'SELECT * FROM spend', dataset, 'ORDER BY id');
  return Object.freeze(
    rows.map((row) =>
      Object.freeze<LedgerEntry>({
        id: Number(row.id),
        time: row.time,
        dataset: row.dataset,
        relation: row.relation,
        unit:
          row.max_rows === null
            ? simpleUnit(row.unit)
            : Object.freeze({ column: row.unit!, maxRows: Number(row.max_rows) }),
        ...amountText(row),
        mechanism: row.mechanism,
        status: row.status,
      }),
    ),
  );
}

export function writeBudget(db: Database.Database, budget: CheckedBudget): void {
  db.prepare('REPLACE INTO budget (dataset, relation, unit, epsilon, delta) VALUES (?, ?, ?, ?, ?)').run(
    budget.dataset,
    budget.relation,
    columnOf(budget),
    budget.epsilon,
    budget.delta,
  );
}

/** @returns the id of the new spend. */
export function writeSpend(db: Database.Database, spend: CheckedSpend): number {
  const statement = db.prepare(`INSERT INTO spend
    (time, dataset, relation, unit, max_rows, epsilon, delta, mechanism, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'reserved')`);
  const { lastInsertRowid } = statement.run(
    new Date().toISOString(),
    spend.dataset,
    spend.relation,
    columnOf(spend),
    spend.maxRows === null ? null : BigInt(spend.maxRows),
    spend.epsilon,
    spend.delta,
    spend.mechanism,
  );
  return Number(lastInsertRowid);
}

/** @returns false when there is no such spend. */
export function writeCommitted(db: Database.Database, id: number): boolean {
  return db.prepare(`UPDATE spend SET status = 'committed' WHERE id = ?`).run(id).changes > 0;
}

function select<Row>(db: Database.Database, query: string, dataset: string | undefined, tail = ''): Row[] {
  const statement = db.prepare(`${query} ${dataset === undefined ? '' : 'WHERE dataset = ?'} ${tail}`);
  return statement.all(...(dataset === undefined ? [] : [dataset])) as Row[];
}

function status({ dataset, relation, unit }: CheckedBudget, total: Units, granted: Units | null): BudgetStatus {
  const spent = amountText(total);
  const budget = granted && amountText(granted);
  const remaining = granted && amountText(atLeastZero(minus(granted, total)));
  const amount = (name: keyof Units) =>
    Object.freeze({ budget: budget?.[name] ?? null, spent: spent[name], remaining: remaining?.[name] ?? null });
  return Object.freeze({ dataset, relation, unit, epsilon: amount('epsilon'), delta: amount('delta') });
}

function simpleUnit(column: string | null): 'row' | 'count' {
  return column === null ? 'row' : 'count';
}

function unitOf(column: string | null): BudgetUnit {
  return column === null || column === countColumn ? simpleUnit(column) : Object.freeze({ column });
}
