import { ScumbleError } from '../errors.js';

/** Which quantiles to release: numbers strictly between 0 and 1, a name, or `count:30` for 30 evenly spaced ones. */
export type QuantileList = readonly number[] | 'median' | 'quartiles' | 'deciles' | 'percentiles' | `count:${number}`;

const parts = { median: 2, quartiles: 4, deciles: 10, percentiles: 100 } as const;
/** The most quantiles that one release may ask for. */
export const maxQuantiles = 1000;

/**
 * The quantiles that a list names, in its order and with its duplicates.
 * @throws ScumbleError `quantiles_invalid`: empty, over 1000, not numbers, or outside (0, 1).
 */
export function expandQuantiles(list: QuantileList): readonly number[] {
  if (typeof list !== 'string') return checked(list);
  if (Object.hasOwn(parts, list)) return evenly(parts[list as keyof typeof parts]);
  const count = /^count:(\d+)$/.exec(list);
  if (count && Number(count[1]) >= 1 && Number(count[1]) <= maxQuantiles) return evenly(Number(count[1]) + 1);
  throw new ScumbleError(
    'quantiles_invalid',
    `The quantiles must be a list of numbers between 0 and 1, median, quartiles, deciles, percentiles or count:N with N from 1 to ${maxQuantiles}, not "${list}".`,
    { quantiles: list },
  );
}

function evenly(of: number): number[] {
  return Array.from({ length: of - 1 }, (_, i) => (i + 1) / of);
}

function checked(list: readonly number[]): readonly number[] {
  if (!Array.isArray(list) || list.length === 0 || list.length > maxQuantiles)
    throw new ScumbleError('quantiles_invalid', `Ask for 1 to ${maxQuantiles} quantiles.`, { count: list?.length });
  for (const q of list) {
    if (q === 0 || q === 1)
      throw new ScumbleError(
        'quantiles_invalid',
        `The quantile ${q} is the ${q === 0 ? 'minimum' : 'maximum'}: it rests on a single record and cannot be released usefully; ask for one strictly between 0 and 1.`,
        { quantile: q },
      );
    if (!(typeof q === 'number' && q > 0 && q < 1))
      throw new ScumbleError(
        'quantiles_invalid',
        `Each quantile must be a number strictly between 0 and 1, not ${q}.`,
        {
          quantile: q,
        },
      );
  }
  return Object.freeze([...list]);
}
