import type { Entropy } from '../random/entropy.js';
import { uniformBelow } from '../random/exact.js';

/**
 * A public measure on the points of a lattice: what an exponential mechanism draws from when the data say nothing. All
 * masses are positive integers, so sums are exact and draws can be.
 */
export interface Measure {
  readonly size: number;
  /** The mass of the points `first … last`, rounded once. */
  mass(first: number, last: number): number;
  /** Draws one of the points `first … last` with probability exactly proportional to its mass. */
  draw(entropy: Entropy, first: number, last: number): number;
}

/** Every point has mass 1. */
export function uniformMeasure(size: number): Measure {
  return {
    size,
    mass: (first, last) => last - first + 1,
    draw: (entropy, first, last) => first + uniformBelow(entropy, last - first + 1),
  };
}

/** The natural logarithm of a point's share of the whole. */
export function logShare(measure: Measure, point: number): number {
  return Math.log(measure.mass(point, point)) - Math.log(measure.mass(0, measure.size - 1));
}
