import { forecastRankError } from './forecast.js';
import { jointExp, jointExpSettings } from './joint-exp.js';
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
    const cost = { ...request, quantiles: request.quantiles.map(gridQuantile) };
    const settings = jointExpSettings(cost, defaultInterpolation, request.measure);
    return (await jointExp(profile, settings, signal)).sample(entropy);
  },
} as const satisfies Method;
