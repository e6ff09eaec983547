import { approximateQuantiles, approximateQuantilesSettings, nodeDraws } from './approximate-quantiles.js';
import type { Method, MethodRequest } from './method.js';
import { defaultInterpolation } from './states.js';
import { gridQuantile } from './targets.js';
import { forecastTree } from './tree-forecast.js';

function settingsFor({ measure, measures, tree = {}, ...request }: MethodRequest) {
  const { branching = 2, power = 0, adaptation = 'conditional' } = tree;
  const cost = { ...request, quantiles: request.quantiles.map(gridQuantile) };
  const priors = measures ?? request.quantiles.map(() => measure);
  return approximateQuantilesSettings(cost, defaultInterpolation, priors, { shape: { branching, power }, adaptation });
}

/**
 * A tree of exponential mechanisms, binary unless asked for otherwise; pure epsilon-DP, or (epsilon, delta)-DP where a
 * delta is given and draws accounted in zCDP err less. See approximate-quantiles.ts and its proof.
 */
export const approximateQuantilesMethod = {
  name: 'approximate-quantiles',
  takes: ['branching', 'power', 'adaptation', 'priors'],
  mostBranching: (quantiles: number) => quantiles + 1,
  refusal: () => undefined,
  /** One quantile is drawn as by joint-exp. */
  automatic: ({ quantiles }: MethodRequest) => quantiles.length > 1,
  delta: (request: MethodRequest) => settingsFor(request).delta,
  forecast: (request: MethodRequest) => forecastTree(request, settingsFor(request)),
  release(request: MethodRequest, profile, entropy, signal) {
    return approximateQuantiles(profile, settingsFor(request), entropy, signal);
  },
  async sampler(request: MethodRequest, profile, signal) {
    const settings = settingsFor(request);
    const draws = nodeDraws(profile, settings);
    return (entropy) => approximateQuantiles(profile, settings, entropy, signal, draws);
  },
} as const satisfies Method;
