import { ScumbleError } from '../errors.js';
import { createLattice, createUnboundedLattice, type Lattice } from '../lattice/lattice.js';
import type { Prior } from '../lattice/prior.js';
import { type Guarantee, type PrivacyUnit, type Relation, rowsPerUnit } from '../privacy/guarantee.js';
import { choices, choose } from './choose.js';
import type { Forecast } from './forecast.js';
import { type IntervalEnds, planIntervals } from './intervals.js';
import { leastEpsilon } from './joint-exp.js';
import type { Method, MethodOption, MethodRequest } from './method.js';
import { checkMethodOptions, treeOptions } from './method-options.js';
import { type MethodName, methods } from './methods.js';
import { forecastUnsized, type NoisySize, noisySize, planByDrawn } from './noisy-size.js';
import { checked, maxEpsilon, type QuantilesOptions } from './options.js';
import { commonMeasure, measuresFor } from './priors.js';
import { expandQuantiles, type QuantileList } from './quantile-list.js';
import { smoothingFor } from './smoothing.js';

/** What is publicly known of a source before its rows are read. */
export interface SourceFacts {
  /** Whether the declared type holds integers; gives the default step 1. */
  readonly integer?: boolean | undefined;
  /** Whose presence is protected. Default: each row by itself. */
  readonly unit?: PrivacyUnit | undefined;
}

/** The cost and the expected error of a release, from public facts alone. */
export interface Plan {
  /** As asked, in the caller's order. */
  readonly quantiles: readonly number[];
  /** What the release promises, which is what it costs. */
  readonly guarantee: Guarantee;
  /** The method, as asked for or chosen. */
  readonly mechanism: MethodName;
  /** The points that can be released. */
  readonly lattice: Lattice;
  /** The errors to expect, in the order of the quantiles. */
  readonly forecast: Forecast;
  /**
   * With `interval` and `aboutRows`: the two quantiles of the records at which each interval ends, 0 and 1 being the bounds,
   * where nothing narrower is sure.
   */
  readonly intervalQuantiles?: readonly (readonly [number, number])[];
  /** With the method `auto`: the second best. */
  readonly second?: {
    /** Its name. */
    readonly mechanism: MethodName;
    /** How many times the error of the chosen one is expected of it; at least about 1. */
    readonly errorRatio: number;
  };
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
  /** With `interval` but no `aboutRows`: how the size becomes known, and with it the ends. */
  readonly size: NoisySize | undefined;
  /** What is left to be released when the size is known. */
  sized(rows: number): Prepared;
}

export function prepare(options: QuantilesOptions, facts: SourceFacts = {}): Prepared {
  return chosenOf(ask(options, facts));
}

function chosenOf(asked: Asked): Prepared {
  const candidates = choices(asked).map(({ method, request }) => ({
    method,
    request,
    forecast: asked.size ? forecastUnsized(request) : forecastOf(method, request),
  }));
  return { ...choose(asked, candidates), sized: (rows) => chosenOf(asked.sized(rows)) };
}

/** What is asked for, checked; the choice of a method is left. */
export interface Asked {
  /** In the caller's order. */
  readonly quantiles: readonly number[];
  /** What all of it may cost. */
  readonly epsilon: number;
  readonly unit: PrivacyUnit;
  readonly lattice: Lattice;
  readonly request: MethodRequest;
  readonly intervals: readonly IntervalEnds[] | undefined;
  readonly size: NoisySize | undefined;
  readonly methods: readonly Method[];
  /** What is left to be asked for when the size is known. */
  sized(rows: number): Asked;
}

/** @param drawn how `aboutRows` was counted, where it is not declared. */
export function ask(options: QuantilesOptions, facts: SourceFacts = {}, drawn?: NoisySize): Asked {
  const { bounds, prior, priors, step, epsilon, delta, relation, aboutRows, ...rest } = checked(options);
  const unit = checkedUnit(facts.unit ?? 'row', relation);
  const quantiles = expandQuantiles(rest.quantiles as QuantileList);
  const distinct = distinctSorted(quantiles);
  const tree = treeOptions(rest);
  if (prior && priors)
    throw new ScumbleError(
      'prior_invalid',
      'The prior and the priors exclude each other: one for all quantiles or one for each.',
    );
  const given: MethodOption[] = [
    ...(Object.keys(tree ?? {}) as MethodOption[]),
    ...(priors ? (['priors'] as const) : []),
    ...(rest.smoothing !== undefined ? (['smoothing'] as const) : []),
  ];
  checkMethodOptions(rest.method, given, tree?.branching, distinct.length);
  const lattice = latticeFor(bounds, prior, step, facts.integer);
  const { interval } = rest;
  if (interval !== undefined) {
    checkIntervals(rest.method, epsilon, distinct.length);
    checkCoverage(prior, priors, unit);
  }
  const unknown = interval !== undefined && aboutRows === undefined;
  const size = unknown ? noisySize(epsilon, relation, rowsPerUnit(unit)) : undefined;
  if (size) checkEpsilon(size.epsilon, 3 * distinct.length);
  const base = {
    quantiles: distinct,
    epsilon: size?.epsilon ?? epsilon,
    relation,
    rowsPerUnit: rowsPerUnit(unit),
    aboutRows,
  };
  const intervals =
    interval === undefined || aboutRows === undefined
      ? undefined
      : drawn
        ? planByDrawn({ ...base, aboutRows }, interval, drawn)
        : planIntervals({ ...base, aboutRows }, interval);
  const ends = intervals?.flatMap(({ lower, upper }) => [lower, upper]).filter((q) => q !== undefined) ?? [];
  const request: MethodRequest = {
    ...base,
    quantiles: distinctSorted([...distinct, ...ends]),
    delta,
    ...(priors ? measuresFor(priors, quantiles, distinct, lattice) : commonMeasure(prior, lattice)),
    ...(tree && { tree }),
    ...(rest.smoothing !== undefined && { smoothing: smoothingFor(rest.smoothing, quantiles, distinct) }),
  };
  checkEpsilon(base.epsilon, request.quantiles.length);
  return {
    quantiles,
    epsilon,
    unit,
    lattice,
    request,
    intervals: intervals && quantiles.map((q) => intervals[distinct.indexOf(q)]),
    size,
    sized: (rows) => ask({ ...options, epsilon: base.epsilon, aboutRows: rows }, facts, size),
    methods: able(request, interval === undefined ? rest.method : 'joint-exp'),
  };
}

function checkIntervals(method: MethodName | 'auto', epsilon: number, quantiles: number): void {
  if (method !== 'auto' && method !== 'joint-exp')
    throw new ScumbleError('method_invalid', `The method must be auto or joint-exp with an interval, not ${method}.`, {
      method,
    });
  checkEpsilon(epsilon, 3 * quantiles);
}

/** Where to place intervals is worked out for independent records and a prior that draws the ends nowhere. */
function checkCoverage(prior: Prior | undefined, priors: readonly Prior[] | undefined, unit: PrivacyUnit): void {
  const fail = (needs: string) =>
    new ScumbleError('option_invalid', `An interval needs ${needs}, or it might not cover; leave one of the two out.`, {
      option: 'interval',
    });
  if (priors || (prior && prior.family !== 'uniform')) throw fail('the uniform prior, not another');
  if (rowsPerUnit(unit) > 1) throw fail('rows that are independent, not several of a unit');
}

/** The methods that can serve the request; with a method named, that one alone. */
function able(request: MethodRequest, name: MethodName | 'auto'): readonly Method[] {
  const asked = methods.filter((method: Method) =>
    name === 'auto' ? (method.automatic?.(request) ?? true) : method.name === name,
  );
  return asked.filter((method) => {
    const refusal = method.refusal(request);
    if (refusal !== undefined && name !== 'auto')
      throw new ScumbleError('method_invalid', `${refusal}.`, { method: name });
    return refusal === undefined;
  });
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

/** @throws ScumbleError `unit_invalid`. */
export function checkedUnit(unit: PrivacyUnit, relation: Relation): PrivacyUnit {
  if (unit === 'row' || unit === 'count') return unit;
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
  const wide = prior?.family === 'mixture' ? prior.robust : prior;
  if (wide?.family === 'cauchy') return createUnboundedLattice(wide.scale, step, undefined, integer);
  if (wide?.family === 'half-cauchy') return createUnboundedLattice(wide.scale, step, wide.location, integer);
  throw new ScumbleError(
    'bounds_invalid',
    'The bounds must be two finite numbers with lower < upper, or be left out for a cauchy or half-cauchy prior, or one mixed with such; none was given.',
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
