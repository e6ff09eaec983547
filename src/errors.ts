/**
 * What can go wrong, by stable code. The group says who has to act, and gives the command its exit code:
 * `usage` (2) the call itself is wrong, `budget` (3) the budget refuses, `data` (4) the data do not fit the
 * declared contract as their public schema shows, `aborted` (130) the caller's signal, `internal` (1) the rest.
 */
export const errorGroups = {
  bounds_invalid: 'usage',
  step_invalid: 'usage',
  lattice_too_large: 'usage',
  quantiles_invalid: 'usage',
  epsilon_invalid: 'usage',
  relation_invalid: 'usage',
  unit_invalid: 'usage',
  values_invalid: 'usage',
  delta_invalid: 'usage',
  method_invalid: 'usage',
  prior_invalid: 'usage',
  option_invalid: 'usage',
  where_invalid: 'usage',
  dataset_required: 'usage',
  amount_invalid: 'usage',
  budget_mismatch: 'usage',
  budget_exceeded: 'budget',
  ledger_unusable: 'usage',
  file_unreadable: 'data',
  table_not_found: 'data',
  column_not_found: 'data',
  type_not_numeric: 'data',
  aborted: 'aborted',
  engine_failed: 'internal',
  audit_failed: 'internal',
} as const;

/** A stable code: it is never reused for something else. */
export type ErrorCode = keyof typeof errorGroups;
/** Who has to act; see {@link ScumbleError.group}. */
export type ErrorGroup = (typeof errorGroups)[ErrorCode];

/**
 * The one error class of the package. `code` is stable, `message` is one sentence that says what was wrong and what is
 * allowed, `details` holds the same as data. Neither ever holds a private value: only arguments, names and schema types.
 */
export class ScumbleError extends Error {
  /** Always `ScumbleError`. */
  override readonly name = 'ScumbleError';
  /** What went wrong, for programs. */
  readonly code: ErrorCode;
  /** The argument to blame and what is allowed, by name. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = Object.freeze(details);
  }

  /** Who has to act, as every code says. */
  get group(): ErrorGroup {
    return errorGroups[this.code];
  }
}

/** Throws `aborted` when the signal has fired. What was reserved in a ledger stays spent. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ScumbleError('aborted', 'The call was aborted by its signal.');
}
