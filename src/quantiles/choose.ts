import type { Forecast } from './forecast.js';
import type { Method, MethodRequest } from './method.js';
import type { MethodName } from './methods.js';
import type { Asked, Prepared } from './plan.js';

/** A method and what is asked of it. */
export interface Choice {
  readonly method: Method;
  readonly request: MethodRequest;
}

/** The same with its forecast. */
export interface Candidate extends Choice {
  readonly forecast: Forecast;
}

/** What there is to choose from: each method and, where it would spend a delta but need not, the same without. */
export function choices({ methods, request }: Pick<Asked, 'methods' | 'request'>): readonly Choice[] {
  const pure = { ...request, delta: 0 };
  return methods.flatMap((method) =>
    method.delta(request) > 0 && method.refusal(pure) === undefined
      ? [
          { method, request },
          { method, request: pure },
        ]
      : [{ method, request }],
  );
}

/** The plan by the candidate with the smallest expected error. */
export function choose(asked: Asked, candidates: readonly Candidate[]): Omit<Prepared, 'sized'> {
  const { quantiles, epsilon, unit, lattice, intervals, size } = asked;
  const [best, ...others] = ranked(candidates);
  const next = others.find(({ method }) => method !== best.method);
  const { method, request } = best;
  const { relation } = request;
  const at = quantiles.map((q) => request.quantiles.indexOf(q));
  const plan = Object.freeze({
    quantiles,
    guarantee: Object.freeze({ relation, unit, epsilon, delta: method.delta(request) }),
    mechanism: method.name as MethodName,
    lattice,
    forecast: pick(best.forecast, at),
    ...(intervals && {
      intervalQuantiles: Object.freeze(
        intervals.map(({ lower = 0, upper = 1 }) => Object.freeze([lower, upper] as const)),
      ),
    }),
    ...(next && {
      second: Object.freeze({
        mechanism: next.method.name as MethodName,
        errorRatio: errorRatio(next.error, best.error),
      }),
    }),
  });
  return { plan, method, request, intervals, size };
}

/** Finite, also where the better one is not expected to err at all. */
function errorRatio(error: number, least: number): number {
  return error === least ? 1 : Math.min(error / least, Number.MAX_VALUE);
}

/** What spends a delta has to err so much less than what spends none. */
const worthDelta = 1.05;

/** The candidates, smallest expected error first. */
function ranked(candidates: readonly Candidate[]) {
  return candidates
    .map((candidate) => {
      const { method, request, forecast } = candidate;
      const error = forecast.expectedRankError.reduce((sum, error) => sum + error, 0);
      return { ...candidate, error, handicapped: method.delta(request) > 0 ? error * worthDelta : error };
    })
    .sort((a, b) => a.handicapped - b.handicapped);
}

function pick(forecast: Forecast, at: readonly number[]): Forecast {
  const entries = Object.entries(forecast).map(([key, list]) => [key, Object.freeze(at.map((i) => list[i]))]);
  return Object.freeze(Object.fromEntries(entries)) as Forecast;
}
