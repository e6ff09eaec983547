import type { RankProfile } from '../ranks/locate.js';
import { forecastRankError } from './forecast.js';
import { type JointExpLaw, jointExp, jointExpSettings } from './joint-exp.js';
import type { Method, MethodRequest } from './method.js';
import { defaultInterpolation } from './states.js';
import { gridQuantile } from './targets.js';

/** All quantiles from one exponential mechanism; pure epsilon-DP. See joint-exp.ts and its proof. */
export const jointExpMethod = {
  name: 'joint-exp',
  refusal: () => undefined,
  delta: () => 0,
  forecast: forecastRankError,
  async release(request: MethodRequest, profile, entropy, signal) {
    return (await lawOf(request, profile, signal)).sample(entropy);
  },
  async sampler(request: MethodRequest, profile, signal) {
    return (await lawOf(request, profile, signal)).sample;
  },
} as const satisfies Method;

function lawOf(request: MethodRequest, profile: RankProfile, signal?: AbortSignal): Promise<JointExpLaw> {
  const cost = { ...request, quantiles: request.quantiles.map(gridQuantile) };
  return jointExp(profile, jointExpSettings(cost, defaultInterpolation, request.measure), signal);
}
