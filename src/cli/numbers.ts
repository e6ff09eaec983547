import type { Lattice } from '../lattice/lattice.js';

/** Released values as text with the decimals of the lattice (0.3, not 0.30000000000000004). */
export function formatValues(values: readonly number[], lattice: Lattice): string[] {
  const places = lattice.format(1).split('.')[1]?.length ?? 0;
  return values.map((value) => {
    // Beyond what toFixed can write the shortest text is the readable one.
    if (places > 100 || Math.abs(value) >= 1e21) return String(value);
    return value.toFixed(places).replace(/^-(0(\.0*)?)$/, '$1');
  });
}

/** A quantile as it was asked for, or with six decimals where that is much shorter (1/31). */
export function formatQuantile(q: number): string {
  const short = Number(q.toFixed(6));
  return String(q).length > 8 && short > 0 && short < 1 ? String(short) : String(q);
}

/** Forecast errors with the same decimals, enough for two digits of the smallest: they are no more exact than that. */
export function formatErrors(errors: readonly number[]): string[] {
  const smallest = Math.min(...errors.filter((error) => error > 0));
  const places = Number.isFinite(smallest) ? Math.min(100, Math.max(0, 1 - Math.floor(Math.log10(smallest)))) : 0;
  return errors.map((error) => error.toFixed(places));
}

/** Shares of the rows in per cent. */
export function formatShares(shares: readonly number[]): string[] {
  return formatErrors(shares.map((share) => share * 100)).map((percent) => `${percent} %`);
}
