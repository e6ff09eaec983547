import { multisets } from '../../src/audit/multisets.js';
import type { Relation } from '../../src/privacy/guarantee.js';
import type { Interpolation } from '../../src/quantiles/states.js';

export interface NaiveRequest {
  records: readonly number[];
  size: number;
  quantiles: readonly number[];
  rate: number;
  interpolation: Interpolation;
  /** Largest |rank - target| that is kept. */
  reach?: number;
  /** Weight of the uniform law. */
  floor?: number;
  /** The rank that c records in a cell add at position t; default: the definition. */
  within?: (c: number, t: number) => number;
}

/**
 * JointExp from its definition: m fine positions drawn independently and uniformly, sorted, reweighted by
 * exp(-rate * cost), rounded down to cells, mixed with the uniform law. O((size*S)^m); the probability of each ascending
 * vector of cells, keyed by its text.
 */
export function naiveLaw(request: NaiveRequest): Map<string, number> {
  const { records, size, quantiles, rate, interpolation, reach = Number.POSITIVE_INFINITY, floor = 0 } = request;
  const { steps, ramp } = interpolation;
  const { within = (c, t) => (t >= 1 ? Math.min(c, steps) : 0) + Math.max(c - steps, 0) * ramp[t] } = request;
  const n = records.length;
  const m = quantiles.length;
  const rankOf = (position: number) => {
    const cell = Math.floor(position / ramp.length);
    const t = position % ramp.length;
    const c = records.filter((x) => x === cell).length;
    return records.filter((x) => x < cell).length + within(c, t);
  };
  const ranks = Array.from({ length: size * ramp.length }, (_, position) => rankOf(position));
  const edges = [0, ...quantiles, 1];
  const law = new Map<string, number>();
  let total = 0;
  for (const positions of multisets(size * ramp.length, m)) {
    const r = [0, ...positions.map((p) => ranks[p]), n];
    if (quantiles.some((q, j) => Math.abs(r[j + 1] - q * n) > reach + 1e-9)) continue;
    const cost = edges.slice(1).reduce((sum, q, j) => sum + Math.abs(r[j + 1] - r[j] - (q - edges[j]) * n), 0);
    const weight = Math.exp(-rate * cost) * orderings(positions);
    total += weight;
    const key = positions.map((p) => Math.floor(p / ramp.length)).join();
    law.set(key, (law.get(key) ?? 0) + weight);
  }
  return new Map(
    [...multisets(size, m)].map((cells) => {
      const inside = (law.get(cells.join()) ?? 0) / total;
      return [cells.join(), (1 - floor) * inside + (floor * orderings(cells)) / size ** m];
    }),
  );
}

/** In how many orders the multiset can be drawn. */
function orderings(values: readonly number[]): number {
  const factorial = (k: number): number => (k <= 1 ? 1 : k * factorial(k - 1));
  const copies = new Map<number, number>();
  for (const v of values) copies.set(v, (copies.get(v) ?? 0) + 1);
  return [...copies.values()].reduce((product, k) => product / factorial(k), factorial(values.length));
}

/** The definition of the sensitivity, for audits: Lemma 3 and Lemma 10 in their words. */
export function naiveRate(epsilon: number, quantiles: readonly number[], relation: Relation): number {
  const edges = [0, ...quantiles, 1];
  const least = Math.min(...edges.slice(1).map((q, j) => q - edges[j]));
  return epsilon / (2 * (relation === 'swap' ? 2 : 2 * (1 - least)));
}
