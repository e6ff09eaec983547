/** An exact decimal: `units * 10^-places`. Bounds, steps and budgets are decimals, so that 0.1 means one tenth. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

const form = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** Reads a plain or scientific decimal (`12`, `-0.5`, `1e-6`); undefined when the text is none. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = form.exec(text.trim());
  if (!match || (match[2] === '' && match[3] === '')) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > 400) return undefined;
  const places = fraction.length - shift;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  return places >= 0 ? { units: digits, places } : { units: digits * 10n ** BigInt(-places), places: 0 };
}

/** The shortest decimal that reads back as this double: what a caller who wrote `0.1` meant. */
export function decimalOf(value: number): Decimal {
  const decimal = parseDecimal(String(value));
  if (!decimal) throw new RangeError('decimalOf needs a finite number');
  return decimal;
}

/** 2^exponent as an exact decimal. */
export function powerOfTwo(exponent: number): Decimal {
  return exponent >= 0
    ? { units: 1n << BigInt(exponent), places: 0 }
    : { units: 5n ** BigInt(-exponent), places: -exponent };
}

/** Both numbers in the smaller of their two units. */
export function align(a: Decimal, b: Decimal): { a: bigint; b: bigint; places: number } {
  const places = Math.max(a.places, b.places);
  const scale = (d: Decimal) => d.units * 10n ** BigInt(places - d.places);
  return { a: scale(a), b: scale(b), places };
}

/** The nearest decimal with so many places, if there are more; halves go up. */
export function rounded({ units, places }: Decimal, most: number): Decimal {
  if (places <= most) return { units, places };
  const unit = 10n ** BigInt(places - most);
  const shifted = units + unit / 2n;
  const floor = shifted / unit - (shifted % unit < 0n ? 1n : 0n);
  return { units: floor, places: most };
}

/** The plain notation, with all its places. */
export function decimalText({ units, places }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const sign = units < 0n ? '-' : '';
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`;
}
