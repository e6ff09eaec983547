import { ScumbleError } from '../errors.js';
import type { Lattice } from '../lattice/lattice.js';
import type { Measure } from '../lattice/measure.js';
import { checkPrior, compilePrior, type Prior } from '../lattice/prior.js';
import type { MethodRequest } from './method.js';

/** The base measures of a request with one prior for all quantiles. */
export function commonMeasure(prior: Prior | undefined, lattice: Lattice): Pick<MethodRequest, 'measure'> {
  return { measure: compilePrior(prior ?? { family: 'uniform' }, lattice) };
}

/**
 * The base measures of a request with a prior for each quantile. Priors that are alike become one measure: draws from one
 * measure may cost less.
 *
 * @param quantiles as asked, one for each prior.
 * @param distinct the same, ascending and without duplicates.
 * @throws ScumbleError `prior_invalid`.
 */
export function measuresFor(
  priors: readonly Prior[],
  quantiles: readonly number[],
  distinct: readonly number[],
  lattice: Lattice,
): Pick<MethodRequest, 'measure' | 'measures'> {
  if (priors.length !== quantiles.length)
    throw new ScumbleError(
      'prior_invalid',
      `The priors must be one for all quantiles or one for each, here ${quantiles.length}, not ${priors.length}.`,
      { option: 'priors', count: priors.length, quantiles: quantiles.length },
    );
  for (const prior of priors) checkPrior(prior);
  const texts = priors.map(asText);
  const textOf = (q: number) => texts[quantiles.indexOf(q)];
  for (const [j, q] of quantiles.entries())
    if (texts[j] !== textOf(q))
      throw new ScumbleError('prior_invalid', `The prior of the quantile ${q}, asked for twice, must be the same.`, {
        option: 'priors',
        quantile: q,
      });
  const compiled = new Map<string, Measure>();
  const measures = distinct.map((q) => {
    const measure = compiled.get(textOf(q)) ?? compilePrior(priors[quantiles.indexOf(q)], lattice);
    compiled.set(textOf(q), measure);
    return measure;
  });
  return compiled.size === 1 ? { measure: measures[0] } : { ...commonMeasure(undefined, lattice), measures };
}

const fields = ['family', 'location', 'scale', 'edges', 'weights', 'share', 'prior', 'robust'];

/** The same text for priors that are alike, in whatever order their fields come. */
function asText(prior: Prior): string {
  return JSON.stringify(prior, fields.toSorted());
}
