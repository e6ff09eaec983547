import type { Measure } from '../lattice/measure.js';
import { bisect } from '../random/bisect.js';
import type { Entropy } from '../random/entropy.js';
import { allZero, uniformBelow } from '../random/exact.js';
import { exponent, logWeight, normalise, Row } from '../random/weights.js';
import type { RankProfile, RankRange } from '../ranks/locate.js';
import { logSum } from './chain.js';
import type { Decay } from './decay.js';
import { Kernel } from './kernel-sum.js';
import type { Adaptation } from './method.js';
import { type Interpolation, massOf, type States, statesOf } from './states.js';
import { type Exact, times } from './targets.js';

/** A fine position of a lattice (see {@link Interpolation}). */
export interface Position {
  readonly cell: number;
  readonly at: number;
}

/** A released position, or an end of the lattice, with its fine rank, which is private. */
export interface Mark extends Position {
  readonly rank: number;
}

/** The positions `from … to` and the records between them. */
export interface Interval {
  readonly from: Mark;
  readonly to: Mark;
}

/** All of the lattice; the last mark counts the records beyond the last position too. */
export function wholeInterval({ n, size }: RankProfile, { ramp }: Interpolation): Interval {
  return { from: { cell: 0, at: 0, rank: 0 }, to: { cell: size - 1, at: ramp.length - 1, rank: n } };
}

export interface DrawSettings {
  readonly interpolation: Interpolation;
  /**
   * What becomes of the prior in an interval: `conditional` keeps what lies inside it, `edge` moves the rest of its mass
   * to the nearest end.
   */
  readonly adaptation: Adaptation;
  /** The floor has probability 2^-floorBits. */
  readonly floorBits: number;
  /** Positions outside the window may weigh at most exp(logDrop) of those inside (the proof's r). */
  readonly logDrop: number;
}

/** The law of one draw. */
export interface IntervalDraw {
  sample(entropy: Entropy): Promise<Mark>;
  /** The probability of a position of the interval. */
  probability(position: Position): number;
}

/** Covers the rounding of the logarithms that are compared with logDrop. */
const margin = 2 ** -10;

/**
 * One exponential mechanism on the positions and records of an interval: the weight of a position p is its prior mass
 * times exp(-c*|h(p) - h(from) - share*n'|), n' the (fractional) number of the interval's records; inside a window of ranks,
 * with a floor (approximate-quantiles.proof.md).
 *
 * @param share the target as a share of the interval's records, in units of 2^-53.
 */
export async function intervalDraw(
  profile: RankProfile,
  interval: Interval,
  share: bigint,
  decay: Decay,
  measure: Measure,
  settings: DrawSettings,
): Promise<IntervalDraw> {
  const { interpolation, logDrop } = settings;
  const target = localTarget(share, interval);
  const kernel = new Kernel(target, decay);
  const support = supportOf(interval, measure, settings);
  const logMeasure = Math.log(massBetween(measure, interpolation, support.first, support.last));
  const records = interval.to.rank - interval.from.rank;
  // Wide enough at once when the interval's records lie evenly.
  for (let reach = Math.ceil((1 - logDrop + Math.log1p(decay.rate * records)) / decay.rate); ; ) {
    const states = statesOf(await profile.around([rangeIn(interval, target, reach)]), interpolation, measure);
    const window = windowOf(states, interval, support, target, reach, kernel, measure, interpolation);
    const logTotal = logSum(window.weights);
    const excess = logMeasure - decay.rate * reach - logTotal - logDrop + margin;
    if (excess <= 0 || reach >= records)
      return law(profile, interval, support, window, logTotal, logMeasure, measure, settings);
    reach = logTotal === Number.NEGATIVE_INFINITY ? 4 * reach : reach + Math.ceil(excess / decay.rate);
  }
}

/** share*n' in ranks from the interval's start, exactly: n' is a whole number of 2^-20. */
function localTarget(share: bigint, { from, to }: Interval): Exact {
  const { whole, fraction } = times(share, (to.rank - from.rank) * 2 ** 20);
  return { whole: whole / 2 ** 20, fraction: fraction / 2 ** 20 };
}

/** The positions whose mass the interval's own stand for: `first` goes to its start, `last` to its end. */
interface Support {
  readonly first: Position;
  readonly last: Position;
}

function supportOf({ from, to }: Interval, { size }: Measure, settings: DrawSettings): Support {
  const { adaptation, interpolation } = settings;
  if (adaptation === 'conditional') return { first: from, last: to };
  return { first: { cell: 0, at: 0 }, last: { cell: size - 1, at: interpolation.ramp.length - 1 } };
}

function rangeIn({ from, to }: Interval, target: Exact, reach: number): RankRange {
  const middle = from.rank + target.whole;
  return { low: Math.max(from.rank, middle - reach), high: Math.min(to.rank, middle + 1 + reach) };
}

/** The states near the target, cut at the interval's ends or, there, reaching as far as the support does. */
interface Window {
  readonly rank: Float64Array;
  readonly mass: Float64Array;
  readonly weights: Row;
  first(i: number): Position;
  last(i: number): Position;
}

function windowOf(
  states: States,
  { from, to }: Interval,
  support: Support,
  target: Exact,
  reach: number,
  kernel: Kernel,
  measure: Measure,
  interpolation: Interpolation,
): Window {
  const error = (i: number) => states.rank[i] - from.rank - target.whole - target.fraction;
  let start = 0;
  while (start < states.length && (order(lastOf(states, start), from) < 0 || error(start) < -reach)) start++;
  let end = start;
  while (end < states.length && order(firstOf(states, end), to) <= 0 && error(end) <= reach) end++;
  const first = (i: number) => {
    const p = firstOf(states, start + i);
    return order(p, from) <= 0 ? support.first : p;
  };
  const last = (i: number) => {
    const p = lastOf(states, start + i);
    return order(p, to) >= 0 ? support.last : p;
  };
  const rank = states.rank.subarray(start, end);
  const mass = states.width.subarray(start, end);
  // Only the outermost states can reach beyond the interval.
  for (const i of rank.length > 1 ? [0, rank.length - 1] : rank.keys())
    mass[i] = massBetween(measure, interpolation, first(i), last(i));
  const weights = new Row(0, rank.length);
  for (let i = 0; i < rank.length; i++) {
    const x = kernel.at(rank[i] - from.rank);
    const m = normalise(mass[i], kernel.decay.e);
    weights.x[i] = normalise(x * m, exponent);
    weights.e[i] = exponent;
  }
  return { rank, mass, weights, first, last };
}

function law(
  profile: RankProfile,
  interval: Interval,
  support: Support,
  { rank, mass, weights, first, last }: Window,
  logTotal: number,
  logMeasure: number,
  measure: Measure,
  { interpolation, floorBits }: DrawSettings,
): IntervalDraw {
  const { from, to } = interval;
  const within = (p: Position) => (order(p, from) < 0 ? from : order(p, to) > 0 ? to : p);
  return {
    async sample(entropy) {
      // The coin of the floor comes first and always, whatever the data.
      if (allZero(entropy, floorBits)) {
        const { cell, at } = within(positionIn(entropy, measure, interpolation, support.first, support.last));
        return { cell, at, rank: await rankOf(profile, { cell, at }, interpolation) };
      }
      const i = bisect(entropy, weights);
      const { cell, at } = within(positionIn(entropy, measure, interpolation, first(i), last(i)));
      return { cell, at, rank: rank[i] };
    },
    probability(position) {
      const floor = 2 ** -floorBits;
      const low = order(position, from) === 0 ? support.first : position;
      const high = order(position, to) === 0 ? support.last : position;
      const base = massBetween(measure, interpolation, low, high);
      const i = rank.findIndex((_, state) => order(last(state), position) >= 0);
      const inside = i >= 0 && order(first(i), position) <= 0;
      const share = inside ? Math.exp(logWeight(weights.x[i], weights.e[i]) - logTotal) * (base / mass[i]) : 0;
      return (1 - floor) * share + floor * Math.exp(Math.log(base) - logMeasure);
    },
  };
}

/** Negative, zero or positive as a lies before, at or after b. */
export function order(a: Position, b: Position): number {
  return a.cell - b.cell || a.at - b.at;
}

function massBetween(measure: Measure, { ramp }: Interpolation, first: Position, last: Position): number {
  return massOf(measure, ramp.length, first.cell, first.at, last.cell, last.at);
}

/** A position of `first … last` drawn from the measure by rejection: exact for runs of any width. */
function positionIn(
  entropy: Entropy,
  measure: Measure,
  { ramp }: Interpolation,
  first: Position,
  last: Position,
): Position {
  if (first.cell === last.cell)
    return { cell: first.cell, at: first.at + uniformBelow(entropy, last.at - first.at + 1) };
  for (;;) {
    const position = { cell: measure.draw(entropy, first.cell, last.cell), at: uniformBelow(entropy, ramp.length) };
    if (order(position, first) >= 0 && order(position, last) <= 0) return position;
  }
}

/** The fine rank of any position: only the floor, once in 2^40 draws, asks for it. */
async function rankOf(profile: RankProfile, { cell, at }: Position, { steps, ramp }: Interpolation): Promise<number> {
  const [before, after] = await profile.ranksAt([cell, cell + 1]);
  const count = after - before;
  return before + (at >= 1 ? Math.min(count, steps) : 0) + Math.max(count - steps, 0) * ramp[at];
}

function firstOf({ firstCell, firstAt }: States, i: number): Position {
  return { cell: firstCell[i], at: firstAt[i] };
}

function lastOf({ lastCell, lastAt }: States, i: number): Position {
  return { cell: lastCell[i], at: lastAt[i] };
}
