import { logShare, type Measure, uniformMeasure } from '../lattice/measure.js';
import type { Relation } from '../privacy/guarantee.js';
import { logFactorial } from '../privacy/log-factorial.js';
import type { Entropy } from '../random/entropy.js';
import { allZero, uniformBelow } from '../random/exact.js';
import type { RankProfile, RankRange } from '../ranks/locate.js';
import { inSlices } from '../slices.js';
import { backward, type Chain, forward, forwardRows, type Table } from './chain.js';
import { Decay, roundRate } from './decay.js';
import { type Interpolation, type States, statesOf } from './states.js';
import { type Exact, gaps, times } from './targets.js';

/**
 * JointExp: all quantiles from one exponential mechanism.
 *
 * Source: Gillenwater, Joseph, Kulesza, "Differentially Private Quantiles" (ICML 2021), mechanism M_Q', Lemmas 3 and 10.
 * Here it runs on a public lattice, over interpolated ranks, inside a window of ranks, mixed with a floor.
 *
 * Guarantee: epsilon-DP under add-remove or swap of one unit that has at most `rowsPerUnit` rows, as a statement about
 * this program: rounding is charged to epsilon. The proof is in joint-exp.proof.md, whose notation the code uses.
 */
export interface JointExpCost {
  /** Ascending, in units of 2^-53 (see gridQuantile). */
  readonly quantiles: readonly bigint[];
  readonly epsilon: number;
  readonly relation: Relation;
  readonly rowsPerUnit: number;
}

/**
 * The rate c of the exponent: the largest that costs at most epsilon, after 2^-20 of epsilon and 2^-33 per quantile are
 * set aside for rounding, truncation and the floor (proof, "Budget").
 */
export function jointExpRate({ quantiles, epsilon, relation, rowsPerUnit }: JointExpCost): number {
  const spent = epsilon * (1 - 2 ** -20) - quantiles.length * 2 ** -33;
  return roundRate(spent / (2 * rowsPerUnit * sensitivity(quantiles, relation)));
}

/** How much one record can change sum_j |rank difference - gap_j|: Lemma 3 (swap) and Lemma 10 (add-remove). */
export function sensitivity(quantiles: readonly bigint[], relation: Relation): number {
  if (relation === 'swap') return 2;
  return 2 * (1 - Math.min(...gaps(quantiles).map(Number)) / 2 ** 53);
}

/** Below this epsilon the share set aside for rounding would eat more than half of it. */
export function leastEpsilon(quantiles: number): number {
  return quantiles * 2 ** -32;
}

/** The parts of the mechanism that tests and audits vary; {@link jointExpSettings} gives those of a private release. */
export interface JointExpSettings {
  readonly quantiles: readonly bigint[];
  readonly rate: number;
  readonly interpolation: Interpolation;
  /** The public base measure (a prior common to all quantiles). Default: every lattice point alike. */
  readonly measure?: Measure;
  /** The floor has probability 2^-floorBits. */
  readonly floorBits: number;
  /** Sequences outside the window may weigh at most exp(logDrop) of those inside (the proof's r). */
  readonly logDrop: number;
}

export function jointExpSettings(
  cost: JointExpCost,
  interpolation: Interpolation,
  measure?: Measure,
): JointExpSettings {
  return {
    quantiles: cost.quantiles,
    rate: jointExpRate(cost),
    interpolation,
    ...(measure && { measure }),
    floorBits: 40,
    logDrop: -64 * Math.LN2 + Math.log(Math.min(1, cost.epsilon)),
  };
}

/** The law of the release for one data set. */
export interface JointExpLaw {
  /** Half the width of the window, in ranks. Private: for tests. */
  readonly reach: number;
  /** Draws m lattice indices, ascending. */
  sample(entropy: Entropy): number[];
  /** The natural logarithm of the probability of these ascending lattice indices. */
  logProbability(outputs: readonly number[]): number;
}

/** Covers the rounding of the logarithms that are compared with logDrop. */
const margin = 2 ** -10;

/**
 * Prepares the release: finds a window of ranks outside of which sequences weigh less than exp(logDrop) of those inside.
 * The window depends on the data; the floor keeps the guarantee pure all the same (proof, "Window and floor").
 */
export async function jointExp(
  profile: RankProfile,
  settings: JointExpSettings,
  signal?: AbortSignal,
): Promise<JointExpLaw> {
  const { quantiles, rate, interpolation, logDrop } = settings;
  const { n, size } = profile;
  const measure = settings.measure ?? uniformMeasure(size);
  const targets = quantiles.map((q) => times(q, n));
  const rest = { gaps: gaps(quantiles).map((gap) => times(gap, n)), n, decay: new Decay(rate) };
  const logMeasure = logOfAll(settings, measure);
  // One question to the source as a rule, wide enough; the window itself grows inside what is then known.
  const read = firstReach(settings, measure);
  await profile.around(rangesAround(targets, read));
  for (let reach = Math.ceil(read / 32); ; ) {
    const states = statesOf(await profile.around(rangesAround(targets, reach)), interpolation, measure);
    const chain = { ...rest, ...rowsAround(states, targets, reach), rank: states.rank, width: states.width };
    const table = await inSlices(forwardRows(chain), signal);
    const excess = logMeasure - 2 * rate * reach - table.logTotal - logDrop + margin;
    if (excess <= 0 || reach >= n) return { reach, ...law(settings, measure, states, chain, table) };
    reach = table.logTotal === Number.NEGATIVE_INFINITY ? 4 * reach : reach + Math.ceil(excess / (2 * rate));
  }
}

/** ln(N^m / m!): the weight of all sequences at cost 0. */
function logOfAll({ quantiles: { length: m }, interpolation }: JointExpSettings, measure: Measure): number {
  return m * Math.log(measure.mass(0, measure.size - 1) * interpolation.ramp.length) - logFactorial(m);
}

/** Ranks around each target to read at first: enough whenever some sequence inside weighs as much as one of mass 1. */
export function firstReach(settings: JointExpSettings, measure: Measure): number {
  return Math.max(1, Math.ceil((logOfAll(settings, measure) - settings.logDrop) / (2 * settings.rate)));
}

/** The ranks within `reach` of each target. */
export function rangesAround(targets: readonly Exact[], reach: number): RankRange[] {
  return targets.map(({ whole }) => ({ low: whole - reach, high: whole + 1 + reach }));
}

/** Row j: the states whose rank is within `reach` of target j. */
function rowsAround({ rank, length }: States, targets: readonly Exact[], reach: number): Pick<Chain, 'lo' | 'hi'> {
  const first = (beyond: (error: number) => boolean, { whole, fraction }: Exact) => {
    let [a, b] = [0, length];
    while (a < b) {
      const mid = (a + b) >>> 1;
      if (beyond(rank[mid] - whole - fraction)) b = mid;
      else a = mid + 1;
    }
    return a;
  };
  return {
    lo: Int32Array.from(targets, (target) => first((error) => error >= -reach, target)),
    hi: Int32Array.from(targets, (target) => first((error) => error > reach, target)),
  };
}

function law(
  settings: JointExpSettings,
  measure: Measure,
  states: States,
  chain: Chain,
  table: Table,
): Omit<JointExpLaw, 'reach'> {
  const m = settings.quantiles.length;
  const floor = 2 ** -settings.floorBits;
  return {
    sample(entropy) {
      // The coin of the floor comes first and always, whatever the data.
      const cells = allZero(entropy, settings.floorBits)
        ? Array.from({ length: m }, () => measure.draw(entropy, 0, measure.size - 1))
        : Array.from(backward(entropy, chain, table), (i) => cellOf(entropy, measure, states, i));
      return cells.sort((a, b) => a - b);
    },
    logProbability(outputs) {
      const inWindow = forward(restrict(chain, measure, states, outputs)).logTotal - table.logTotal;
      const base =
        logFactorial(m) - logCopies(outputs) + outputs.reduce((sum, cell) => sum + logShare(measure, cell), 0);
      return logAdd(Math.log1p(-floor) + inWindow, Math.log(floor) + base);
    },
  };
}

/** The cell of a fine position of state i, drawn from the measure by rejection: exact for runs of any width. */
function cellOf(entropy: Entropy, measure: Measure, states: States, i: number): number {
  const first = states.firstCell[i];
  const last = states.lastCell[i];
  for (;;) {
    const cell = measure.draw(entropy, first, last);
    if (first === last) return cell;
    const at = uniformBelow(entropy, states.positions);
    if ((cell > first || at >= states.firstAt[i]) && (cell < last || at <= states.lastAt[i])) return cell;
  }
}

/** The chain of the sequences that release exactly these cells: row j keeps the pieces of its states in cell j. */
function restrict(chain: Chain, measure: Measure, states: States, outputs: readonly number[]): Chain {
  const pieces: number[] = [];
  const width: number[] = [];
  const lo: number[] = [];
  const hi: number[] = [];
  let start = 0;
  outputs.forEach((cell, j) => {
    if (j === 0 || cell !== outputs[j - 1]) {
      start = pieces.length;
      for (let i = 0; i < states.length; i++) {
        if (states.firstCell[i] > cell || states.lastCell[i] < cell) continue;
        const from = cell === states.firstCell[i] ? states.firstAt[i] : 0;
        const to = cell === states.lastCell[i] ? states.lastAt[i] : states.positions - 1;
        pieces.push(i);
        width.push(measure.mass(cell, cell) * (to - from + 1));
      }
    }
    lo.push(start + pieces.slice(start).filter((i) => i < chain.lo[j]).length);
    hi.push(start + pieces.slice(start).filter((i) => i < chain.hi[j]).length);
  });
  return {
    ...chain,
    rank: Float64Array.from(pieces, (i) => states.rank[i]),
    width: Float64Array.from(width),
    lo: Int32Array.from(lo),
    hi: Int32Array.from(hi),
  };
}

/** ln(e^a + e^b). */
function logAdd(a: number, b: number): number {
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}

/** ln of the product of the factorials of how often each output occurs. */
function logCopies(outputs: readonly number[]): number {
  let sum = 0;
  for (let j = 1, copies = 1; j < outputs.length; j++) {
    copies = outputs[j] === outputs[j - 1] ? copies + 1 : 1;
    sum += Math.log(copies);
  }
  return sum;
}
