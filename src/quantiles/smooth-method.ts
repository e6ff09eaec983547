import { zcdpRho } from '../privacy/zcdp.js';
import type { Method, MethodOption, MethodRequest } from './method.js';
import { type SmoothQuantile, smooth } from './smooth.js';
import { laplaceFor, logNormalFor, type SmoothNoise } from './smooth-noise.js';
import { forecastSmooth, tunedSmoothness } from './smooth-reference.js';

/** The noise of each quantile, in their order; undefined where epsilon is too small for one. */
type NoiseFor = (request: MethodRequest) => (SmoothNoise | undefined)[];

/** Basic composition: an equal share of epsilon and delta each. The factor covers the rounding of m shares. */
const laplace: NoiseFor = ({ quantiles, epsilon, delta }) => {
  const share = (1 - 2 ** -40) / quantiles.length;
  const noise = laplaceFor(epsilon * share, delta * share);
  return quantiles.map(() => noise);
};

/** rho = total^2/2, of which each quantile has an equal share, (total/sqrt(m))^2/2. */
const logNormal: NoiseFor = ({ quantiles, epsilon, delta, aboutRows, smoothing }) => {
  const total = Math.sqrt(2 * zcdpRho(epsilon, delta));
  const share = (total / Math.sqrt(quantiles.length)) * (1 - 2 ** -40);
  return quantiles.map((q, j) => logNormalFor(share, smoothing?.[j] ?? tunedSmoothness(q, share, total, aboutRows)));
};

function smoothMethod<Name extends string>(name: Name, noiseFor: NoiseFor, takes: readonly MethodOption[] = []) {
  const settings = (request: MethodRequest): SmoothQuantile[] | undefined => {
    const noise = noiseFor(request).filter((found) => found !== undefined);
    return noise.length < request.quantiles.length
      ? undefined
      : request.quantiles.map((quantile, j) => ({ quantile, noise: noise[j] }));
  };
  return {
    name,
    takes,
    refusal(request: MethodRequest) {
      const { relation, delta, measure } = request;
      if (relation !== 'swap')
        return `The method ${name} needs the relation swap: its noise is scaled to the data by a sensitivity that is defined where the number of records is public; joint-exp and the other methods serve add-remove`;
      if (measure.mass(0, measure.size - 1) !== measure.size)
        return `The method ${name} has no use for a prior; joint-exp, approximate-quantiles, ind-exp and app-ind-exp take one`;
      if (delta === 0) return `The method ${name} needs a delta greater than 0; joint-exp needs none`;
      return settings(request)
        ? undefined
        : `The method ${name} needs a larger epsilon${takes.includes('smoothing') ? ' or another smoothing' : ''}; joint-exp would do`;
    },
    /** No data are known where they are best, and their error depends on the data far more than that of the others. */
    automatic: () => false,
    delta: ({ delta }: MethodRequest) => delta,
    forecast: (request: MethodRequest) => forecastSmooth(settings(request)!, request.aboutRows),
    async release(request: MethodRequest, profile, entropy, signal) {
      return (await smooth(profile, settings(request)!, signal)).sample(entropy);
    },
  } as const satisfies Method;
}

/** Laplace noise scaled by smooth sensitivity; (epsilon, delta)-DP under swap. See smooth.ts and its proof. */
export const smoothLaplace = smoothMethod('smooth', laplace);

/** Laplace log-normal noise scaled by smooth sensitivity; zCDP and so (epsilon, delta)-DP under swap. */
export const smoothLogNormal = smoothMethod('csmooth', logNormal, ['smoothing']);
