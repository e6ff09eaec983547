import { boundedRangeBudget } from '../privacy/bounded-range.js';
import type { Entropy } from '../random/entropy.js';
import type { RankProfile } from '../ranks/locate.js';
import { type Forecast, forecastRankError } from './forecast.js';
import { firstReach, type JointExpLaw, jointExp, jointExpSettings, leastEpsilon, rangesAround } from './joint-exp.js';
import type { Method, MethodRequest } from './method.js';
import { defaultInterpolation } from './states.js';
import { gridQuantile, times } from './targets.js';

/**
 * IndExp: each quantile by an exponential mechanism of its own (Smith, "Privacy-preserving statistical estimation with
 * optimal convergence rates", STOC 2011), with epsilon/m, then sorted. Epsilon-DP by basic composition, for either
 * relation. One quantile of JointExp is this mechanism exactly: |rank - q*n| counts twice, and so does its sensitivity.
 */
export const indExp = {
  name: 'ind-exp',
  takes: ['priors'],
  refusal: () => undefined,
  delta: () => 0,
  forecast: (request: MethodRequest) => separateForecast(request, request.epsilon / request.quantiles.length),
  release: async (request: MethodRequest, profile, entropy, signal) =>
    (await separately(request, request.epsilon / request.quantiles.length, profile, signal))(entropy),
  sampler: (request: MethodRequest, profile, signal) =>
    separately(request, request.epsilon / request.quantiles.length, profile, signal),
} as const satisfies Method;

/**
 * AppIndExp: the same with the optimal composition of m bounded-range mechanisms (Dong, Durfee, Rogers 2020, Theorem 3);
 * (epsilon, delta)-DP. The calls are fixed in advance, as the theorem asks.
 *
 * Each exponential mechanism is e-bounded-range: its losses for a pair of neighbours span at most e. The truncation, the
 * floor and the rounding of joint-exp.proof.md widen that span at both ends, so twice their share is set aside.
 */
export const appIndExp = {
  name: 'app-ind-exp',
  takes: ['priors'],
  refusal: (request: MethodRequest) =>
    request.delta === 0
      ? 'The method app-ind-exp needs a delta greater than 0; ind-exp and joint-exp need none'
      : boundedRange(request) < leastEpsilon(1)
        ? 'The method app-ind-exp needs a larger epsilon for so many quantiles; joint-exp would do'
        : undefined,
  delta: ({ delta }: MethodRequest) => delta,
  forecast: (request: MethodRequest) => separateForecast(request, boundedRange(request)),
  release: async (request: MethodRequest, profile, entropy, signal) =>
    (await separately(request, boundedRange(request), profile, signal))(entropy),
  sampler: (request: MethodRequest, profile, signal) => separately(request, boundedRange(request), profile, signal),
} as const satisfies Method;

export function boundedRange({ quantiles, epsilon, delta }: MethodRequest): number {
  return boundedRangeBudget(quantiles.length, epsilon, delta) * (1 - 2 ** -20) - 2 ** -32;
}

async function separately(
  request: MethodRequest,
  epsilon: number,
  profile: RankProfile,
  signal?: AbortSignal,
): Promise<(entropy: Entropy) => number[]> {
  const laws = await separateLaws(request, epsilon, profile, signal);
  return (entropy) => laws.flatMap((law) => law.sample(entropy)).sort((a, b) => a - b);
}

/** The law of each quantile by itself; they are drawn independently. */
export async function separateLaws(
  request: MethodRequest,
  epsilon: number,
  profile: RankProfile,
  signal?: AbortSignal,
): Promise<JointExpLaw[]> {
  const each = request.quantiles.map((q, j) => {
    const measure = request.measures?.[j] ?? request.measure;
    return {
      ...jointExpSettings({ ...request, quantiles: [gridQuantile(q)], epsilon }, defaultInterpolation, measure),
      measure,
    };
  });
  // Read at once what all of them will ask for: a source may need a scan for each question.
  await profile.around(
    each.flatMap((settings) =>
      rangesAround([times(settings.quantiles[0], profile.n)], firstReach(settings, settings.measure)),
    ),
  );
  const laws: JointExpLaw[] = [];
  for (const settings of each) laws.push(await jointExp(profile, settings, signal));
  return laws;
}

function separateForecast(request: MethodRequest, epsilon: number): Forecast {
  const each = request.quantiles.map((q) => forecastRankError({ ...request, quantiles: [q], epsilon }));
  const keys = Object.keys(each[0]) as (keyof Forecast)[];
  return Object.fromEntries(
    keys.map((key) => [key, each.map((forecast) => forecast[key]?.[0])]),
  ) as unknown as Forecast;
}
