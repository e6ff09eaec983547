import { ScumbleError } from '../errors.js';
import { shown } from './shown.js';

/** Which quantiles to release: numbers strictly between 0 and 1, a name, or `count:30` for 30 evenly spaced ones. */
export type QuantileList = readonly number[] | 'median' | 'quartiles' | 'deciles' | 'percentiles' | `count:${number}`;

const named: Readonly<Record<string, number>> = { median: 1, quartiles: 3, deciles: 9, percentiles: 99 };
/** The most quantiles that one release may ask for. */
export const maxQuantiles = 1000;

/**
 * The quantiles that a list names, in its order and with its duplicates.
 * @throws ScumbleError `quantiles_invalid`: empty, over 1000, not numbers, or outside (0, 1).
 */
export function expandQuantiles(list: QuantileList): readonly number[] {
  if (Array.isArray(list)) return checked(list);
  const count = countOf(list);
  if (count >= 1 && count <= maxQuantiles)
    return Object.freeze(Array.from({ length: count }, (_, i) => (i + 1) / (count + 1)));
  throw new ScumbleError(
    'quantiles_invalid',
    `The quantiles must be a list of numbers between 0 and 1, median, quartiles, deciles, percentiles or count:N with N from 1 to ${maxQuantiles}, not ${shown(list)}.`,
    { quantiles: list },
  );
}

/** How many evenly spaced quantiles a text asks for; 0 when it is none of the known ones. */
function countOf(text: unknown): number {
  if (typeof text !== 'string') return 0;
  return Object.hasOwn(named, text) ? named[text] : Number(/^count:(\d+)$/.exec(text)?.[1] ?? 0);
}

function checked(list: readonly number[]): readonly number[] {
  if (list.length === 0 || list.length > maxQuantiles)
    throw new ScumbleError(
      'quantiles_invalid',
      `The quantiles must be a list of 1 to ${maxQuantiles} numbers, not of ${list.length}.`,
      { count: list.length },
    );
  for (const q of list) {
    if (q === 0 || q === 1)
      throw new ScumbleError(
        'quantiles_invalid',
        `The quantiles must lie strictly between 0 and 1: ${q} is the ${q === 0 ? 'minimum' : 'maximum'}, which rests on a single record and cannot be released usefully.`,
        { quantile: q },
      );
    if (!(typeof q === 'number' && q > 0 && q < 1))
      throw new ScumbleError(
        'quantiles_invalid',
        `The quantiles must be numbers strictly between 0 and 1, not ${shown(q)}.`,
        {
          quantile: q,
        },
      );
  }
  return Object.freeze([...list]);
}
