import { approximateQuantiles, approximateQuantilesSettings } from './approximate-quantiles.js';
import type { Method, MethodRequest } from './method.js';
import { defaultInterpolation } from './states.js';
import { gridQuantile } from './targets.js';
import { forecastTree } from './tree-forecast.js';

/** A binary tree of exponential mechanisms; pure epsilon-DP. See approximate-quantiles.ts and its proof. */
export const approximateQuantilesMethod = {
  name: 'approximate-quantiles',
  refusal: () => undefined,
  /** One quantile is drawn as by joint-exp. */
  automatic: ({ quantiles }: MethodRequest) => quantiles.length > 1,
  delta: () => 0,
  forecast: (request: MethodRequest) => forecastTree(request),
  release(request: MethodRequest, profile, entropy, signal) {
    const cost = { ...request, quantiles: request.quantiles.map(gridQuantile) };
    const measures = request.quantiles.map(() => request.measure);
    const settings = approximateQuantilesSettings(cost, defaultInterpolation, measures);
    return approximateQuantiles(profile, settings, entropy, signal);
  },
} as const satisfies Method;
