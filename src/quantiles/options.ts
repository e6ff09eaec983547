import * as z from 'zod/mini';
import { type ErrorCode, ScumbleError } from '../errors.js';
import type { Prior } from '../lattice/prior.js';
import { type Relation, relations } from '../privacy/guarantee.js';
import { adaptations, type TreeOptions } from './method.js';
import { type MethodName, methodNames } from './methods.js';
import type { QuantileList } from './quantile-list.js';
import { shown } from './shown.js';

export interface QuantilesOptions extends TreeOptions {
  /** Which quantiles; the answer keeps this order and its duplicates. */
  readonly quantiles: QuantileList;
  /** `[lower, upper]` in the column's unit, from domain knowledge and never from the data. Records outside are clamped. */
  readonly bounds?: readonly [number, number] | undefined;
  /**
   * What is publicly believed about where the values lie. Default: every point of the bounds alike. With a `cauchy` or
   * `half-cauchy` prior, or one made robust by such, no bounds are needed.
   */
  readonly prior?: Prior | undefined;
  /**
   * A prior for each quantile, in their order, instead of one for all; with bounds, and of `approximate-quantiles`, `ind-exp`
   * and `app-ind-exp` only.
   */
  readonly priors?: readonly Prior[] | undefined;
  /**
   * The smoothness t of `csmooth`, greater than 0: one for all quantiles or one for each, in their order. From public data, never from
   * the private: a choice made on those would leak. Default: the best on a public reference.
   */
  readonly smoothing?: number | readonly number[] | undefined;
  /** Resolution of the answer in the column's unit. Default: 1 for a declared integer type, else a power of two. */
  readonly step?: number | undefined;
  /** Privacy cost: at least 2^-32 for each quantile, which rounding may take, and at most {@link maxEpsilon}. */
  readonly epsilon: number;
  /**
   * The delta that the release may cost: 0, or from 1e-280 to less than 1. Default 0: pure differential privacy. A method that
   * can do without spends it only if the forecast error is 5 % larger otherwise.
   */
  readonly delta?: number | undefined;
  /**
   * How to release. Default `auto`: the method with the smallest forecast error, from public facts; one that spends delta
   * only if any that does not errs 5 % more.
   */
  readonly method?: MethodName | 'auto' | undefined;
  /** Neighbouring relation. Default `add-remove`, under which the number of records is private too. */
  readonly relation?: Relation | undefined;
  /** Number of records as publicly known or guessed; sharpens the forecast and places intervals, nothing else. */
  readonly aboutRows?: number | undefined;
  /**
   * Also release, in the same mechanism, a confidence interval for each quantile of the population that the records were
   * drawn from, with at least this coverage (such as 0.95; docs/guide.md says what that rests on). Needs `joint-exp` or
   * `auto`, the uniform prior, and one row a unit. It depends on the number of records: that is `aboutRows` or else, under add-remove, counted with noise for 5 %
   * of epsilon; under swap it is public.
   */
  readonly interval?: number | undefined;
  /** Reproducible randomness for tests and experiments. The release is then NOT private, and says so. */
  readonly unsafeSeed?: number | undefined;
  /** Stops the work; what was reserved in a ledger stays spent. */
  readonly signal?: AbortSignal | undefined;
}

/** Shares of a smaller delta could round up, as doubles close to 0 do. */
export const leastDelta = 1e-280;

/** Larger budgets than this promise nothing. */
export const maxEpsilon = 100;

const number = z.custom<number>((value) => typeof value === 'number');
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSignal = (value: unknown) => isObject(value) && 'aborted' in value;
const schema = z.strictObject({
  quantiles: z.optional(z.unknown()),
  bounds: z.optional(z.tuple([number, number])),
  prior: z.optional(z.custom<Prior>(isObject)),
  priors: z.optional(z.array(z.custom<Prior>(isObject))),
  step: z.optional(number),
  epsilon: number,
  delta: z._default(
    z.number().check(
      z.lt(1),
      z.refine((delta) => delta === 0 || delta >= leastDelta),
    ),
    0,
  ),
  method: z._default(z.enum(['auto', ...methodNames]), 'auto'),
  relation: z._default(z.enum(relations), 'add-remove'),
  aboutRows: z.optional(z.int().check(z.minimum(1))),
  interval: z.optional(z.number().check(z.gt(0), z.lt(1))),
  smoothing: z.optional(z.union([z.number().check(z.gt(0)), z.array(z.number().check(z.gt(0)))])),
  branching: z.optional(z.int().check(z.minimum(2))),
  height: z.optional(z.int().check(z.minimum(1), z.maximum(53))),
  power: z.optional(z.number().check(z.gte(0), z.lte(8))),
  adaptation: z.optional(z.enum(adaptations)),
  unsafeSeed: z.optional(z.int().check(z.minimum(0))),
  signal: z.optional(z.custom<AbortSignal>(isSignal)),
});

/** The code of each option and what it must be. */
const rules: Record<string, [ErrorCode, string]> = {
  bounds: ['bounds_invalid', 'The bounds must be two finite numbers with lower < upper'],
  step: ['step_invalid', 'The step must be a finite number greater than 0'],
  epsilon: ['epsilon_invalid', `The epsilon must be a number greater than 0 and at most ${maxEpsilon}`],
  prior: ['prior_invalid', 'The prior must be an object with a family; see Prior'],
  priors: ['prior_invalid', 'The priors must be a list of objects with a family, one for each quantile; see Prior'],
  delta: ['delta_invalid', `The delta must be 0, or a number from ${leastDelta} to less than 1`],
  method: ['method_invalid', `The method must be auto, ${methodNames.join(', ')}`],
  relation: ['relation_invalid', 'The relation must be "add-remove" or "swap"'],
  aboutRows: ['option_invalid', 'The option aboutRows must be a whole number from 1 to 2^53 - 1'],
  interval: ['option_invalid', 'The option interval must be a number strictly between 0 and 1, such as 0.95'],
  smoothing: ['option_invalid', 'The option smoothing must be a number greater than 0, or a list of such'],
  branching: ['option_invalid', 'The option branching must be a whole number of at least 2'],
  height: ['option_invalid', 'The option height must be a whole number from 1 to 53'],
  power: ['option_invalid', 'The option power must be a number from 0 to 8'],
  adaptation: ['option_invalid', 'The option adaptation must be "conditional" or "edge"'],
  unsafeSeed: ['option_invalid', 'The option unsafeSeed must be a whole number from 0 to 2^53 - 1'],
  signal: ['option_invalid', 'The option signal must be an AbortSignal'],
};

/**
 * Checks each option by itself.
 *
 * @throws ScumbleError of group `usage`, naming the option, what was wrong and what is allowed.
 */
export function checked(options: QuantilesOptions) {
  const { success, data, error } = schema.safeParse(options);
  if (success) return data;
  const [issue] = error.issues;
  const names = Object.keys(schema.shape).join(', ');
  if (issue.code === 'unrecognized_keys')
    throw new ScumbleError('option_invalid', `There is no option ${shown(issue.keys[0])}; the options are ${names}.`, {
      option: issue.keys[0],
    });
  const option = issue.path[0] as keyof QuantilesOptions | undefined;
  if (option === undefined)
    throw new ScumbleError('option_invalid', `The options must be an object with ${names}, not ${shown(options)}.`);
  const [code, rule] = rules[option];
  const given = options[option] === undefined ? '; none was given' : `, not ${shown(options[option])}`;
  throw new ScumbleError(code, `${rule}${given}.`, { option });
}
