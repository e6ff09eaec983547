import { ScumbleError } from '../errors.js';
import { decimalText, parseDecimal } from '../lattice/decimal.js';

/** An amount of epsilon or delta: a decimal as text (`'0.1'`, `'1e-6'`) or a number, which means its shortest decimal. */
export type Amount = string | number;

/** An amount as plain decimal text, such as `'0.1'` or `'0.000001'`. */
export interface AmountText {
  /** At most 12 decimals. */
  readonly epsilon: string;
  /** At most 18 decimals. */
  readonly delta: string;
}

/** An amount in units of account: epsilon in 10^-12, delta in 10^-18. */
export interface Units {
  readonly epsilon: bigint;
  readonly delta: bigint;
}

interface Account {
  readonly name: keyof Units;
  /** The unit of account is 10^-places. */
  readonly places: number;
  /** The largest single amount; in units it stays below 2^63. */
  readonly most: bigint;
  readonly zero: boolean;
}

const accounts = {
  epsilon: { name: 'epsilon', places: 12, most: 1_000_000n, zero: false },
  delta: { name: 'delta', places: 18, most: 1n, zero: true },
} as const satisfies Record<keyof Units, Account>;

/** What a release takes: anything finer than the unit of account is rounded up. Throws `amount_invalid`. */
export function spendUnits(epsilon: Amount, delta: Amount): Units {
  return { epsilon: toUnits(epsilon, accounts.epsilon, 'up'), delta: toUnits(delta, accounts.delta, 'up') };
}

/** What a budget grants: anything finer than the unit of account is rounded down. Throws `amount_invalid`. */
export function budgetUnits(epsilon: Amount, delta: Amount): Units {
  return { epsilon: toUnits(epsilon, accounts.epsilon, 'down'), delta: toUnits(delta, accounts.delta, 'down') };
}

/** The plain decimal text of both, without trailing zeros. */
export function amountText({ epsilon, delta }: Units): AmountText {
  return Object.freeze({ epsilon: unitsText(epsilon, accounts.epsilon), delta: unitsText(delta, accounts.delta) });
}

export function plus(a: Units, b: Units): Units {
  return { epsilon: a.epsilon + b.epsilon, delta: a.delta + b.delta };
}

export function minus(a: Units, b: Units): Units {
  return { epsilon: a.epsilon - b.epsilon, delta: a.delta - b.delta };
}

/** Nothing less than zero is left of a budget. */
export function atLeastZero({ epsilon, delta }: Units): Units {
  return { epsilon: epsilon > 0n ? epsilon : 0n, delta: delta > 0n ? delta : 0n };
}

function toUnits(amount: Amount, account: Account, rounding: 'up' | 'down'): bigint {
  const decimal = parseDecimal(String(amount));
  if (!decimal || decimal.units < 0n) throw invalid(amount, account);
  const fine = decimal.units * 10n ** BigInt(account.places);
  const scale = 10n ** BigInt(decimal.places);
  const units = (rounding === 'up' ? fine + scale - 1n : fine) / scale;
  if ((units === 0n && !account.zero) || units > account.most * 10n ** BigInt(account.places))
    throw invalid(amount, account);
  return units;
}

function unitsText(units: bigint, { places }: Pick<Account, 'places'>): string {
  return decimalText({ units, places }).replace(/\.?0+$/, '');
}

function invalid(amount: Amount, { name, places, most, zero }: Account): ScumbleError {
  const least = zero ? '0' : unitsText(1n, { places });
  return new ScumbleError('amount_invalid', `The ${name} must be a number from ${least} to ${most}, not ${amount}.`, {
    option: name,
    amount,
    least,
    most: String(most),
  });
}
