import { ScumbleError } from '../errors.js';
import type { Lattice } from './lattice.js';
import { type Measure, uniformMeasure } from './measure.js';
import { normalTail } from './normal-tail.js';
import { type Steps, stepMeasure } from './step-measure.js';

/**
 * What is publicly believed about where a quantile lies, in the column's unit. A prior never comes from the private data;
 * a bad one costs accuracy, never privacy.
 */
export type Prior =
  | {
      /** Every point of the bounds alike. */
      readonly family: 'uniform';
    }
  | {
      /** Symmetric about its location; a `half-cauchy` begins there and goes up. */
      readonly family: 'cauchy' | 'half-cauchy' | 'laplace' | 'gaussian';
      /** In the column's unit. */
      readonly location: number;
      /** Greater than 0. */
      readonly scale: number;
    }
  | {
      /** A histogram, or public samples. */
      readonly family: 'piecewise';
      /** Ascending; one more than there are weights. */
      readonly edges: readonly number[];
      /** `weights[i]` of the mass lies evenly between `edges[i]` and `edges[i+1]`. */
      readonly weights: readonly number[];
    }
  | {
      /** A prior made robust by another. */
      readonly family: 'mixture';
      /** What is believed. */
      readonly prior: Prior;
      /** What is trusted, such as a uniform or a Cauchy. */
      readonly robust: Prior;
      /** The share of `prior`, strictly between 0 and 1; the rest is of `robust`. */
      readonly share: number;
    };

/** Weights are shares of this; a point that deserves less gets 1. */
const total = 2 ** 112;

/**
 * Compiles a prior to integer weights on runs of lattice points: a public step function, fine near the location (1/32 of
 * a scale) and geometric in the tails. Nothing has probability zero, so any answer remains possible.
 *
 * @throws ScumbleError `prior_invalid`.
 */
export function compilePrior(prior: Prior, lattice: Lattice): Measure {
  checkPrior(prior);
  return prior.family === 'uniform' ? uniformMeasure(lattice.size) : stepMeasure(lattice.size, steps(prior, lattice));
}

function steps(prior: Prior, lattice: Lattice): Steps {
  const starts = Float64Array.from(new Set([0, ...cuts(prior, lattice.step).map((x) => pointAt(lattice, x))])).sort();
  const { lower, step, size } = lattice;
  const shares = runShares(prior, starts, (point) => lower + (point - 0.5) * step, size);
  const weights = shares.map((share, run) => {
    const points = (run + 1 < starts.length ? starts[run + 1] : size) - starts[run];
    return BigInt(Math.max(1, Math.round((share * total) / points)));
  });
  return { starts, weights };
}

/** The share of the prior's mass on the lattice that falls on each run. */
function runShares(prior: Prior, starts: Float64Array, valueBelow: (point: number) => number, size: number): number[] {
  if (prior.family === 'mixture') {
    const [a, b] = [prior.prior, prior.robust].map((part) => runShares(part, starts, valueBelow, size));
    return a.map((x, run) => prior.share * x + (1 - prior.share) * b[run]);
  }
  const masses = Array.from(starts, (start, run) =>
    massBetween(prior, valueBelow(start), valueBelow(run + 1 < starts.length ? starts[run + 1] : size)),
  );
  const sum = masses.reduce((x, y) => x + y, 0);
  return masses.map((mass) => (sum > 0 ? mass / sum : 0));
}

/** The lattice point that a run starting at this value begins with. */
function pointAt({ lower, step, size }: Lattice, x: number): number {
  return Math.min(size - 1, Math.max(0, Math.round((x - lower) / step)));
}

/** Values at which runs are cut. */
function cuts(prior: Prior, step: number): number[] {
  switch (prior.family) {
    case 'uniform':
      return [];
    case 'piecewise':
      // A point that an edge cuts is a run by itself: what is on one side of it must not spread over the other.
      return prior.edges.flatMap((x) => [x, x + step]);
    case 'mixture':
      return [...cuts(prior.prior, step), ...cuts(prior.robust, step)];
    default:
      return offsets.flatMap((z) => [prior.location - z * prior.scale, prior.location + z * prior.scale]);
  }
}

/** In scales: even steps of 1/32 up to 40, then eight steps an octave. */
const offsets = [
  ...Array.from({ length: 40 * 32 }, (_, i) => i / 32),
  ...Array.from({ length: 60 * 8 }, (_, i) => 40 * 2 ** (i / 8)),
];

/** The mass between two values, without cancellation in the tails. Its accuracy matters to utility only. */
function massBetween(prior: Exclude<Prior, { family: 'mixture' }>, from: number, to: number): number {
  if (prior.family === 'uniform') return to - from;
  if (prior.family === 'piecewise') {
    const { edges } = prior;
    // Only ratios count; sums of the largest doubles would overflow.
    const most = Math.max(...prior.weights);
    return prior.weights.reduce((sum, w, i) => {
      const weight = w / most;
      const covered = Math.min(to, edges[i + 1]) - Math.max(from, edges[i]);
      return covered > 0 ? sum + (weight * covered) / (edges[i + 1] - edges[i]) : sum;
    }, 0);
  }
  const { location, scale } = prior;
  const a = ((prior.family === 'half-cauchy' ? Math.max(from, location) : from) - location) / scale;
  const b = (to - location) / scale;
  if (!(a < b)) return 0;
  // On one side of the location only, or as the sum of both sides.
  if (a < 0 && b > 0) return massBetween(prior, from, location) + massBetween(prior, location, to);
  const [near, far] = a < 0 ? [-b, -a] : [a, b];
  if (prior.family === 'laplace') return (Math.exp(-near) * -Math.expm1(near - far)) / 2;
  if (prior.family === 'gaussian') return normalTail(near) - normalTail(far);
  return Math.atan2(far - near, 1 + near * far);
}

/**
 * Refuses what is no prior; the caller may not have been checked by a compiler.
 *
 * @throws ScumbleError `prior_invalid`.
 */
export function checkPrior(prior: Prior): void {
  const bad = (what: string) => new ScumbleError('prior_invalid', `The prior ${what}.`, { prior });
  switch (prior?.family) {
    case 'uniform':
      return;
    case 'mixture':
      if (!(prior.share >= 0 && prior.share <= 1)) throw bad('of a mixture needs a share from 0 to 1');
      checkPrior(prior.prior);
      checkPrior(prior.robust);
      return;
    case 'piecewise': {
      const { edges, weights } = prior;
      if (!Array.isArray(edges) || !Array.isArray(weights) || edges.length !== weights.length + 1 || edges.length < 2)
        throw bad('by pieces needs lists of edges and weights, one more edge than weights');
      if (!edges.every((x, i) => Number.isFinite(x) && (i === 0 || x > edges[i - 1])))
        throw bad('by pieces needs finite ascending edges');
      if (!weights.every((w) => Number.isFinite(w) && w >= 0) || weights.every((w) => w === 0))
        throw bad('by pieces needs weights of at least 0, not all 0');
      return;
    }
    case 'cauchy':
    case 'half-cauchy':
    case 'laplace':
    case 'gaussian':
      if (!Number.isFinite(prior.location) || !(Number.isFinite(prior.scale) && prior.scale > 0))
        throw bad(`${prior.family} needs a finite location and a scale greater than 0`);
      return;
    default:
      throw bad('needs a family: uniform, cauchy, half-cauchy, laplace, gaussian, piecewise or mixture');
  }
}
