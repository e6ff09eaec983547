import type { Forecast } from './forecast.js';
import { type Method, type MethodRequest, worthDelta } from './method.js';
import type { MethodName } from './methods.js';
import type { Asked, Prepared } from './plan.js';

/** A method with its forecast of the request. */
export interface Candidate {
  readonly method: Method;
  readonly forecast: Forecast;
}

/** The plan by the candidate with the smallest expected error. */
export function choose(asked: Asked, candidates: readonly Candidate[]): Omit<Prepared, 'sized'> {
  const { quantiles, epsilon, unit, lattice, request, intervals, size } = asked;
  const [best, next] = ranked(request, candidates);
  const { relation } = request;
  const at = quantiles.map((q) => request.quantiles.indexOf(q));
  const plan = Object.freeze({
    quantiles,
    guarantee: Object.freeze({ relation, unit, epsilon, delta: best.method.delta(request) }),
    mechanism: best.method.name as MethodName,
    lattice,
    forecast: pick(best.forecast, at),
    ...(next && {
      second: Object.freeze({
        mechanism: next.method.name as MethodName,
        errorRatio: errorRatio(next.error, best.error),
      }),
    }),
  });
  return { plan, method: best.method, request, intervals, size };
}

/** Finite, also where the better one is not expected to err at all. */
function errorRatio(error: number, least: number): number {
  return error === least ? 1 : Math.min(error / least, Number.MAX_VALUE);
}

/** The candidates, smallest expected error first. */
function ranked(request: MethodRequest, candidates: readonly Candidate[]) {
  return candidates
    .map(({ method, forecast }) => {
      const error = forecast.expectedRankError.reduce((sum, error) => sum + error, 0);
      return { method, forecast, error };
    })
    .sort((a, b) => a.error * handicap(a.method, request) - b.error * handicap(b.method, request));
}

function handicap(method: Method, request: MethodRequest): number {
  return method.delta(request) > 0 ? worthDelta : 1;
}

function pick(forecast: Forecast, at: readonly number[]): Forecast {
  const entries = Object.entries(forecast).map(([key, list]) => [key, Object.freeze(at.map((i) => list[i]))]);
  return Object.freeze(Object.fromEntries(entries)) as Forecast;
}
