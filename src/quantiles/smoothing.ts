import { ScumbleError } from '../errors.js';

/**
 * The smoothness of each distinct quantile.
 *
 * @param given one for all, or one for each of `quantiles`, in their order.
 * @throws ScumbleError `option_invalid`.
 */
export function smoothingFor(
  given: number | readonly number[],
  quantiles: readonly number[],
  distinct: readonly number[],
): number[] {
  if (typeof given === 'number') return distinct.map(() => given);
  if (given.length !== quantiles.length)
    throw new ScumbleError(
      'option_invalid',
      `The option smoothing must be one number or one for each quantile, here ${quantiles.length}, not ${given.length}.`,
      { option: 'smoothing', count: given.length, quantiles: quantiles.length },
    );
  for (const [j, q] of quantiles.entries())
    if (given[j] !== given[quantiles.indexOf(q)])
      throw new ScumbleError(
        'option_invalid',
        `The smoothing of the quantile ${q}, asked for twice, must be the same.`,
        {
          option: 'smoothing',
          quantile: q,
        },
      );
  return distinct.map((q) => given[quantiles.indexOf(q)]);
}
