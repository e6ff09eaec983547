import { ScumbleError, throwIfAborted } from '../errors.js';
import { latticeIndex } from '../lattice/lattice.js';
import { runsOf } from './counted-runs.js';
import { isIntegerArray } from './memory.js';
import type { RankSource } from './source.js';

/** The most records that one row of counted data stands for. */
export const mostRecords = 2 ** 32;

/**
 * How many records a row of counted data stands for, from its own count alone: a fraction is rounded down, what is more
 * than {@link mostRecords} is cut to it, and a null, NaN, negative count or what is no number stands for none. The cap keeps
 * sums whole numbers below 2^53, and so exact, for up to 2^21 rows that reach it; what is proved of a release holds, as for
 * plain records, up to 2^33 records in all.
 */
export function recordsOf(count: unknown): number {
  const number = typeof count === 'number' || typeof count === 'bigint' ? Number(count) : Number.NaN;
  return number >= 1 ? Math.min(Math.floor(number), mostRecords) : 0;
}

/**
 * Counted data as a source: row i stands for `counts[i]` records of the value `values[i]`, as if that many equal values had
 * been given to `quantiles`. A count that is a fraction is rounded down, more than 2^32 is 2^32, and a null, NaN, negative
 * count or what is no number is 0. Read at once; changing the lists later changes nothing.
 *
 * One unit of count is one record, as counted by that rule. Neighbouring data sets differ by one unit of the count of some value, more or less
 * (add-remove) or moved to another value (swap, where the sum of all counts is public). A release protects one unit of
 * count, not a row, which may stand for many records. Nulls are dropped under add-remove and count at the lower bound
 * under swap, as many times as their count says.
 *
 * @param values numbers in the column's unit; what is no number is a null. An integer typed array is declared integer.
 * @param counts as many counts.
 * @throws ScumbleError `values_invalid` when either is no list or they are not equally long.
 */
export function counted(
  values: Iterable<number | bigint | null | undefined>,
  counts: Iterable<number | bigint | null | undefined>,
): RankSource {
  const numbers = listOf(values).map((value) =>
    typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN,
  );
  const records = listOf(counts).map(recordsOf);
  if (numbers.length !== records.length)
    throw new ScumbleError('values_invalid', 'The values and the counts must be equally many.');
  return {
    unit: 'count',
    integer: isIntegerArray(values),
    async open({ lattice, nulls, signal }) {
      throwIfAborted(signal);
      const counts = new Map<number, number>();
      for (let i = 0; i < numbers.length; i++) {
        const index = nulls === 'lower' && Number.isNaN(numbers[i]) ? 0 : latticeIndex(lattice, numbers[i]);
        if (records[i] > 0 && index >= 0) counts.set(index, (counts.get(index) ?? 0) + records[i]);
      }
      return runsOf(counts);
    },
  };
}

function listOf(column: Iterable<unknown>): unknown[] {
  if (typeof column === 'object' && column !== null && Symbol.iterator in column) return Array.from<unknown>(column);
  throw new ScumbleError('values_invalid', 'The values and the counts must be arrays, typed arrays or iterables.');
}
