import * as z from 'zod/mini';
import { type ErrorCode, ScumbleError } from '../errors.js';
import { createLattice, createUnboundedLattice, type Lattice } from '../lattice/lattice.js';
import { compilePrior, type Prior } from '../lattice/prior.js';
import { type Guarantee, type PrivacyUnit, type Relation, relations, rowsPerUnit } from '../privacy/guarantee.js';
import type { Forecast } from './forecast.js';
import { type IntervalEnds, planIntervals } from './intervals.js';
import { leastEpsilon } from './joint-exp.js';
import type { Method, MethodRequest } from './method.js';
import { type MethodName, methodNames, methods } from './methods.js';
import { expandQuantiles, type QuantileList } from './quantile-list.js';
import { shown } from './shown.js';

export interface QuantilesOptions {
  /** Which quantiles; the answer keeps this order and its duplicates. */
  readonly quantiles: QuantileList;
  /** `[lower, upper]` in the column's unit, from domain knowledge and never from the data. Records outside are clamped. */
  readonly bounds?: readonly [number, number] | undefined;
  /**
   * What is publicly believed about where the values lie. Default: every point of the bounds alike. With a `cauchy` or
   * `half-cauchy` prior no bounds are needed.
   */
  readonly prior?: Prior | undefined;
  /** Resolution of the answer in the column's unit. Default: 1 for a declared integer type, else a power of two. */
  readonly step?: number | undefined;
  /** Privacy cost: at least 2^-32 for each quantile, which rounding may take, and at most {@link maxEpsilon}. */
  readonly epsilon: number;
  /** The delta that the release may cost, at least 0 and less than 1. Default 0: pure differential privacy. */
  readonly delta?: number | undefined;
  /**
   * How to release. Default `auto`: the method with the smallest forecast error, from public facts; one that spends delta
   * only if it is 5 % better than any that does not.
   */
  readonly method?: MethodName | 'auto' | undefined;
  /** Neighbouring relation. Default `add-remove`, under which the number of records is private too. */
  readonly relation?: Relation | undefined;
  /** Number of records as publicly known or guessed; sharpens the forecast and nothing else. */
  readonly aboutRows?: number | undefined;
  /**
   * Also release, in the same mechanism, a confidence interval for each quantile of the population that the records were
   * drawn from, with this coverage (such as 0.95). Needs `aboutRows`, and `joint-exp` or `auto`.
   */
  readonly interval?: number | undefined;
  /** Reproducible randomness for tests and experiments. The release is then NOT private, and says so. */
  readonly unsafeSeed?: number | undefined;
  /** Stops the work; what was reserved in a ledger stays spent. */
  readonly signal?: AbortSignal | undefined;
}

/** What is publicly known of a source before its rows are read. */
export interface SourceFacts {
  readonly integer?: boolean | undefined;
  readonly unit?: PrivacyUnit | undefined;
}

/** The cost and the expected error of a release, from public facts alone. */
export interface Plan {
  /** As asked, in the caller's order. */
  readonly quantiles: readonly number[];
  readonly guarantee: Guarantee;
  readonly mechanism: MethodName;
  readonly lattice: Lattice;
  readonly forecast: Forecast;
  /** With the method `auto`: the second best, and how many times the chosen one's error is expected of it. */
  readonly second?: { readonly mechanism: MethodName; readonly errorRatio: number };
}

/** Larger budgets than this promise nothing. */
export const maxEpsilon = 100;

const number = z.custom<number>((value) => typeof value === 'number');
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSignal = (value: unknown) => isObject(value) && 'aborted' in value;
const schema = z.strictObject({
  quantiles: z.optional(z.unknown()),
  bounds: z.optional(z.tuple([number, number])),
  prior: z.optional(z.custom<Prior>(isObject)),
  step: z.optional(number),
  epsilon: number,
  delta: z._default(z.number().check(z.gte(0), z.lt(1)), 0),
  method: z._default(z.enum(['auto', ...methodNames]), 'auto'),
  relation: z._default(z.enum(relations), 'add-remove'),
  aboutRows: z.optional(z.int().check(z.minimum(1))),
  interval: z.optional(z.number().check(z.gt(0), z.lt(1))),
  unsafeSeed: z.optional(z.int().check(z.minimum(0))),
  signal: z.optional(z.custom<AbortSignal>(isSignal)),
});

/** The code of each option and what it must be. */
const rules: Record<string, [ErrorCode, string]> = {
  bounds: ['bounds_invalid', 'The bounds must be two finite numbers with lower < upper'],
  step: ['step_invalid', 'The step must be a finite number greater than 0'],
  epsilon: ['epsilon_invalid', `The epsilon must be a number greater than 0 and at most ${maxEpsilon}`],
  prior: ['prior_invalid', 'The prior must be an object with a family; see Prior'],
  delta: ['delta_invalid', 'The delta must be a number of at least 0 and less than 1'],
  method: ['method_invalid', `The method must be auto, ${methodNames.join(', ')}`],
  relation: ['relation_invalid', 'The relation must be "add-remove" or "swap"'],
  aboutRows: ['option_invalid', 'The option aboutRows must be a whole number from 1 to 2^53 - 1'],
  interval: ['option_invalid', 'The option interval must be a number strictly between 0 and 1, such as 0.95'],
  unsafeSeed: ['option_invalid', 'The option unsafeSeed must be a whole number from 0 to 2^53 - 1'],
  signal: ['option_invalid', 'The option signal must be an AbortSignal'],
};

function checked(options: QuantilesOptions) {
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

/**
 * Plans a release: checks every option, prices it and forecasts its error, without looking at data.
 *
 * @throws ScumbleError of group `usage`, naming the option, what was wrong and what is allowed.
 */
export function planQuantiles(options: QuantilesOptions, facts: SourceFacts = {}): Plan {
  return prepare(options, facts).plan;
}

/** A plan with what carries it out. */
export interface Prepared {
  readonly plan: Plan;
  readonly method: Method;
  readonly request: MethodRequest;
  /** With `interval`: the ends for each quantile as asked. */
  readonly intervals: readonly IntervalEnds[] | undefined;
}

export function prepare(options: QuantilesOptions, facts: SourceFacts = {}): Prepared {
  const { bounds, prior, step, epsilon, delta, relation, aboutRows, ...rest } = checked(options);
  const unit = checkedUnit(facts.unit ?? 'row', relation);
  const quantiles = expandQuantiles(rest.quantiles as QuantileList);
  const distinct = distinctSorted(quantiles);
  const lattice = latticeFor(bounds, prior, step, facts.integer);
  const base = { quantiles: distinct, epsilon, relation, rowsPerUnit: rowsPerUnit(unit), aboutRows };
  const intervals = rest.interval === undefined ? undefined : endsFor(base, rest.interval, rest.method);
  const ends = intervals?.flatMap(({ lower, upper }) => [lower, upper]).filter((q) => q !== undefined) ?? [];
  const request: MethodRequest = {
    ...base,
    quantiles: distinctSorted([...distinct, ...ends]),
    delta,
    measure: compilePrior(prior ?? { family: 'uniform' }, lattice),
  };
  checkEpsilon(epsilon, request.quantiles.length);
  const [best, next] = rank(request, intervals ? 'joint-exp' : rest.method);
  const at = quantiles.map((q) => request.quantiles.indexOf(q));
  const plan = Object.freeze({
    quantiles,
    guarantee: Object.freeze({ relation, unit, epsilon, delta: best.method.delta(request) }),
    mechanism: best.method.name,
    lattice,
    forecast: pick(best.forecast, at),
    ...(next && { second: Object.freeze({ mechanism: next.method.name, errorRatio: next.error / best.error }) }),
  });
  const asked = intervals && quantiles.map((q) => intervals[distinct.indexOf(q)]);
  return { plan, method: best.method, request, intervals: asked };
}

function endsFor(
  request: Omit<MethodRequest, 'delta' | 'measure'>,
  level: number,
  method: MethodName | 'auto',
): IntervalEnds[] {
  const { aboutRows } = request;
  if (aboutRows === undefined)
    throw new ScumbleError(
      'option_invalid',
      'The option interval needs aboutRows: coverage depends on the number of records.',
      { option: 'interval' },
    );
  if (method !== 'auto' && method !== 'joint-exp')
    throw new ScumbleError('method_invalid', `The method must be auto or joint-exp with an interval, not ${method}.`, {
      method,
    });
  checkEpsilon(request.epsilon, 3 * request.quantiles.length);
  return planIntervals({ ...request, aboutRows }, level);
}

/** A method that spends delta has to be so much better than a pure one to be chosen by itself. */
const worthDelta = 1.05;

/** The methods that can serve the request, smallest expected error first; with a method named, that one alone. */
function rank(request: MethodRequest, name: MethodName | 'auto') {
  const asked = methods.filter((method: Method) =>
    name === 'auto' ? (method.automatic?.(request) ?? true) : method.name === name,
  );
  const able = asked.filter((method) => {
    const refusal = method.refusal(request);
    if (refusal !== undefined && name !== 'auto')
      throw new ScumbleError('method_invalid', `${refusal}.`, { method: name });
    return refusal === undefined;
  });
  return able
    .map((method) => {
      const forecast = forecastOf(method, request);
      return { method, forecast, error: forecast.expectedRankError.reduce((sum, error) => sum + error, 0) };
    })
    .sort((a, b) => a.error * handicap(a.method, request) - b.error * handicap(b.method, request));
}

/** Forecasts of the last few requests: a release is planned several times, and many quantiles take a second. */
const forecasts = new Map<string, Forecast>();

function forecastOf(method: Method, { measure, ...request }: MethodRequest): Forecast {
  const key = JSON.stringify([method.name, measure.size, request]);
  const known = forecasts.get(key) ?? method.forecast({ measure, ...request });
  forecasts.set(key, known);
  if (forecasts.size > 32) forecasts.delete(forecasts.keys().next().value!);
  return known;
}

function handicap(method: Method, request: MethodRequest): number {
  return method.delta(request) > 0 ? worthDelta : 1;
}

function checkedUnit(unit: PrivacyUnit, relation: Relation): PrivacyUnit {
  if (unit === 'row') return unit;
  if (!Number.isSafeInteger(unit.maxRows) || unit.maxRows < 1)
    throw new ScumbleError('unit_invalid', 'The rows per unit must be a whole number of at least 1.', { unit });
  if (relation === 'swap')
    throw new ScumbleError(
      'unit_invalid',
      'A privacy unit needs the relation add-remove: under swap the number of rows would have to be public.',
      { unit, relation },
    );
  return Object.freeze({ ...unit });
}

function latticeFor(
  bounds: readonly [number, number] | undefined,
  prior: Prior | undefined,
  step: number | undefined,
  integer: boolean | undefined,
): Lattice {
  if (bounds) return createLattice(bounds, step, integer);
  if (prior?.family === 'cauchy') return createUnboundedLattice(prior.scale, step, undefined, integer);
  if (prior?.family === 'half-cauchy') return createUnboundedLattice(prior.scale, step, prior.location, integer);
  throw new ScumbleError(
    'bounds_invalid',
    'The bounds must be two finite numbers with lower < upper, or be left out for a cauchy or half-cauchy prior; none was given.',
    { option: 'bounds' },
  );
}

/** @throws ScumbleError `epsilon_invalid` when this many quantiles cannot be released at this epsilon. */
export function checkEpsilon(epsilon: number, quantiles: number): void {
  const least = leastEpsilon(quantiles);
  if (!(epsilon >= least && epsilon <= maxEpsilon))
    throw new ScumbleError(
      'epsilon_invalid',
      `The epsilon must be from 2^-32 for each quantile, here ${least}, to ${maxEpsilon}, not ${epsilon}.`,
      {
        epsilon,
        least,
        most: maxEpsilon,
      },
    );
}

/** The release is made once on these. */
export function distinctSorted(quantiles: readonly number[]): number[] {
  return [...new Set(quantiles)].sort((a, b) => a - b);
}

function pick(forecast: Forecast, at: readonly number[]): Forecast {
  const entries = Object.entries(forecast).map(([key, list]) => [key, Object.freeze(at.map((i) => list[i]))]);
  return Object.freeze(Object.fromEntries(entries)) as Forecast;
}
