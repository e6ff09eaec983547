export type { Amount, AmountText } from './amount.js';
export type {
  AmountStatus,
  Budget,
  BudgetStatus,
  BudgetUnit,
  Ledger,
  LedgerEntry,
  Protection,
  Reservation,
  SpendRequest,
} from './ledger.js';
export { spend } from './ledger.js';
export { openLedger } from './sqlite.js';
