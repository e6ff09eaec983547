import type { Noise } from '../random/noise.js';
import { forecastTree } from './count-forecast.js';
import { gaussianNoise, laplaceNoise } from './count-noise.js';
import { CountTree, type TreeShape, treeHeight } from './count-tree.js';
import { type TreeSettings, walk } from './count-walk.js';
import type { Method, MethodRequest } from './method.js';

/** The tree of the papers' experiments. Leaves hold several points where the lattice has more than 16^4. */
const defaultShape: TreeShape = { height: 4, branching: 16 };

/** The children of a node and theirs are all drawn. */
const mostBranching = 64;

/** A lattice of up to so many points is estimated from the whole tree; of a larger one only what is near is drawn. */
const wholeTree = 4096;

/** Noise for a tree of that height, and the delta it costs; undefined when epsilon or delta are too small for it. */
type NoiseFor = (
  request: MethodRequest,
  height: number,
) => { readonly noise: Noise; readonly delta: number } | undefined;

const laplace: NoiseFor = (request, height) => {
  const noise = laplaceNoise(request.epsilon, { ...request, height });
  return noise && { noise, delta: 0 };
};

const gaussian: NoiseFor = (request, height) => {
  const { epsilon, delta } = request;
  const noise = delta > 0 ? gaussianNoise(epsilon, delta, { ...request, height }) : undefined;
  return noise && { noise, delta };
};

/** Whichever has the smaller variance, which is public. */
const narrower: NoiseFor = (request, height) =>
  [laplace(request, height), gaussian(request, height)]
    .filter((choice) => choice !== undefined)
    .sort((a, b) => a.noise.variance - b.noise.variance)[0];

function treeMethod<Name extends string>(name: Name, noiseFor: NoiseFor, averaged: boolean) {
  const settings = (request: MethodRequest) => treeSettings(request, noiseFor, averaged);
  return {
    name,
    takes: ['branching', 'height'],
    mostBranching: () => mostBranching,
    refusal(request: MethodRequest) {
      const { measure, delta } = request;
      if (measure.mass(0, measure.size - 1) !== measure.size)
        return `The method ${name} has no use for a prior; joint-exp, approximate-quantiles, ind-exp and app-ind-exp take one`;
      if (settings(request)) return undefined;
      return noiseFor === gaussian && delta === 0
        ? `The method ${name} needs a delta greater than 0; agg-tree and lap-tree need none`
        : `The method ${name} needs a larger epsilon; joint-exp would do`;
    },
    // Leaves of several points are left to who knows that the records are not crowded into few of them.
    automatic: ({ measure: { size } }: MethodRequest) =>
      averaged && size <= defaultShape.branching ** defaultShape.height,
    delta: (request: MethodRequest) => settings(request)!.delta,
    forecast: (request: MethodRequest) => forecastTree(request, settings(request)!),
    async release(request: MethodRequest, profile, entropy) {
      const chosen = settings(request)!;
      const rows = request.relation === 'swap' ? profile.n : undefined;
      return walk(new CountTree(chosen, profile, chosen.noise, entropy), request.quantiles, chosen, rows);
    },
  } as const satisfies Method;
}

function treeSettings(request: MethodRequest, noiseFor: NoiseFor, averaged: boolean) {
  const { size } = request.measure;
  const { branching = defaultShape.branching, height: most = defaultShape.height } = request.tree ?? {};
  const height = treeHeight(size, branching, most);
  const choice = noiseFor(request, height);
  const look = !averaged ? undefined : size <= wholeTree ? height : 1;
  return choice && ({ ...choice, height, branching, look } satisfies TreeSettings & { delta: number });
}

/**
 * A tree of noisy counts over the lattice (Gillenwater, Joseph, Kulesza 2021, AggTree), its levels reconciled by the
 * weighted averaging of Honaker 2015; any number of quantiles are read off for free. Pure epsilon-DP by discrete Laplace
 * noise, or (epsilon, delta)-DP by discrete Gaussian noise where a delta is allowed and that is narrower; for either
 * relation. Proof in agg-tree.proof.md.
 */
export const aggTree = treeMethod('agg-tree', narrower, true);

/** The plain tree, without averaging, with discrete Laplace noise; epsilon-DP. */
export const lapTree = treeMethod('lap-tree', laplace, false);

/** The plain tree with discrete Gaussian noise; (epsilon, delta)-DP. */
export const gaussTree = treeMethod('gauss-tree', gaussian, false);
