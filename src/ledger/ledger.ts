import type { Guarantee, PrivacyUnit, Relation } from '../privacy/guarantee.js';
import type { Amount, AmountText } from './amount.js';

/** Whose presence a budget protects. How many rows of a unit a release uses is that release's own affair. */
export type BudgetUnit =
  | 'row'
  | 'count'
  | {
      /** The column that tells units apart. */
      readonly column: string;
    };

/**
 * The notion of privacy that a budget is counted in. Amounts under one notion say nothing under another (an epsilon per
 * row is not an epsilon per person; under swap the size is public), so they are never added up.
 */
export interface Protection {
  /** Which data sets are neighbours. */
  readonly relation: Relation;
  /** In what neighbours differ. */
  readonly unit: BudgetUnit;
}

/** What may be spent of a data set. */
export interface Budget extends Protection {
  /** Total epsilon, from 10^-12 to 1,000,000; anything finer than 10^-12 is rounded down. */
  readonly epsilon: Amount;
  /** Total delta, from 0 to 1; anything finer than 10^-18 is rounded down. Default 0. */
  readonly delta?: Amount | undefined;
}

/** What a release is about to take. A {@link Guarantee} fits as it is; its amounts may be decimal text instead. */
export interface SpendRequest {
  /** The name under which everything released of the same data is counted. */
  readonly dataset: string;
  /** What the release promises, which is what it costs. */
  readonly guarantee: Omit<Guarantee, 'epsilon' | 'delta'> & {
    /** Greater than 0 and at most 1,000,000; anything finer than 10^-12 is rounded up. */
    readonly epsilon: Amount;
    /** From 0 to 1; anything finer than 10^-18 is rounded up. */
    readonly delta: Amount;
  };
  /** A public label, such as `joint-exp`. */
  readonly mechanism: string;
}

/** A spend that is on disk. */
export interface Reservation {
  /** For {@link Ledger.commit}. */
  readonly id: number;
  /** What was taken. */
  readonly reserved: AmountText;
  /** What the budget has left after this spend; null when no budget is set: the spend is recorded, not limited. */
  readonly remaining: AmountText | null;
}

/** Where one data set stands; decimals as plain text. */
export interface BudgetStatus extends Protection {
  /** The name of the data set. */
  readonly dataset: string;
  /** Epsilons add up. */
  readonly epsilon: AmountStatus;
  /** Deltas add up. */
  readonly delta: AmountStatus;
}

/** One amount of a budget, as plain decimal text. */
export interface AmountStatus {
  /** Null when no budget is set. */
  readonly budget: string | null;
  /** The sum of all spends. */
  readonly spent: string;
  /** At least 0, also where the budget was lowered below what is spent. Null when no budget is set. */
  readonly remaining: string | null;
}

/** One spend as recorded; decimals as plain text. */
export interface LedgerEntry {
  /** Ascending with time. */
  readonly id: number;
  /** ISO 8601, UTC, of the reservation. */
  readonly time: string;
  /** The name of the data set. */
  readonly dataset: string;
  /** Which data sets are neighbours. */
  readonly relation: Relation;
  /** In what neighbours differ. */
  readonly unit: PrivacyUnit;
  /** What was taken. */
  readonly epsilon: string;
  /** What was taken. */
  readonly delta: string;
  /** As the release named it. */
  readonly mechanism: string;
  /** `reserved`: the release was never reported as done. It is spent all the same. */
  readonly status: 'reserved' | 'committed';
}

/**
 * A durable account of what was released of each data set. Spends of a data set add up, epsilon to epsilon and delta to
 * delta: basic composition (Dwork and Roth 2014, theorem 3.16), which holds also when every release and its epsilon are
 * chosen after seeing the earlier ones (Rogers, Roth, Ullman and Vadhan 2016). All that is stored is public: names,
 * amounts, times.
 *
 * There is no way to give a spend back: once data may have been read, nobody can tell what was learnt from them.
 */
export interface Ledger {
  /**
   * Sets or replaces the budget of a data set. Spends recorded before count; a budget below what is spent is allowed
   * and refuses every further release.
   *
   * A data set with a budget keeps its relation and unit for good, and recorded spends under another relation or unit
   * stand in the way of a budget, because they cannot be counted in it: leaving them out would promise too much.
   *
   * @throws ScumbleError `amount_invalid`, `dataset_required`, `relation_invalid`, `unit_invalid`, `budget_mismatch`
   *   (`details.budget` or `details.spends`, and `details.asked`) or `ledger_unusable`.
   */
  setBudget(dataset: string, budget: Budget): Promise<BudgetStatus>;
  /**
   * Takes a spend from the budget, durably: when the promise resolves it has reached the disk. Call it before any
   * private row is read. Concurrent callers, also in other processes, take turns.
   *
   * @throws ScumbleError `budget_exceeded` (`details.asked`, `.remaining`, `.budget`), `budget_mismatch`
   *   (`details.asked`, `.budget`), `amount_invalid`, `dataset_required`, `relation_invalid`, `unit_invalid`,
   *   `option_invalid` or `ledger_unusable`. Nothing is spent then.
   */
  reserve(request: SpendRequest): Promise<Reservation>;
  /** Notes that the release of a reservation was made. Again is harmless. Throws `option_invalid` for an unknown id. */
  commit(id: number): Promise<void>;
  /** Where the data sets (or one) stand, by name; without a budget there is one entry per relation and unit. */
  budgets(dataset?: string): Promise<readonly BudgetStatus[]>;
  /** The spends of all data sets (or one), oldest first. */
  history(dataset?: string): Promise<readonly LedgerEntry[]>;
  /** Closes the file; nothing more can be asked. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Reserves, runs, commits. When `run` fails or the process dies the spend stays, as `reserved`.
 *
 * @returns what `run` returned.
 * @throws ScumbleError what {@link Ledger.reserve} throws, before `run` is called; or whatever `run` throws.
 */
export async function spend<T>(
  ledger: Ledger,
  request: SpendRequest,
  run: (reservation: Reservation) => T | Promise<T>,
): Promise<T> {
  const reservation = await ledger.reserve(request);
  const result = await run(reservation);
  await ledger.commit(reservation.id);
  return result;
}
