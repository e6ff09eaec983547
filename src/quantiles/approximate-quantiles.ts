import type { Measure } from '../lattice/measure.js';
import type { Entropy } from '../random/entropy.js';
import type { RankProfile, RankRange } from '../ranks/locate.js';
import { pauses } from '../slices.js';
import { Decay } from './decay.js';
import {
  type DrawSettings,
  type Interval,
  type IntervalDraw,
  intervalDraw,
  type Mark,
  order,
  wholeInterval,
} from './interval-draw.js';
import type { Interpolation } from './states.js';
import { times } from './targets.js';
import { planTree, type TreeCost, type TreeNode, type TreeShape } from './tree-plan.js';

/**
 * ApproximateQuantiles: a tree of exponential mechanisms, each on the records between two released values (Kaplan,
 * Schnapp, Stemmer, ICML 2022; with priors and K children Khodak, Amin, Dick, Vassilvitskii, ICML 2023, Algorithm 2). Here
 * it runs on a public lattice, over interpolated ranks, inside windows of ranks, each draw mixed with a floor.
 *
 * Guarantee: epsilon-DP under add-remove or swap of one unit that has at most `rowsPerUnit` rows, as a statement about
 * this program: rounding is charged to epsilon. With a delta and so many quantiles that it pays, (epsilon, delta)-DP by
 * zCDP instead. The proof is in approximate-quantiles.proof.md.
 */
export interface ApproximateQuantilesSettings extends DrawSettings {
  /** In units of 2^-53, ascending. */
  readonly quantiles: readonly bigint[];
  readonly tree: TreeNode;
  /** What the tree spends besides epsilon; 0 unless it is accounted in zCDP. */
  readonly delta: number;
  /** The public base measure of each quantile's draw. */
  readonly measures: readonly Measure[];
}

/** How the tree is made; default: binary and conditional. */
export interface TreeForm {
  readonly shape?: TreeShape;
  readonly adaptation?: DrawSettings['adaptation'];
}

/** Settings of a private release; audits and tests vary them. */
export function approximateQuantilesSettings(
  cost: Omit<TreeCost, 'severalPriors'>,
  interpolation: Interpolation,
  measures: readonly Measure[],
  { shape, adaptation = 'conditional' }: TreeForm = {},
): ApproximateQuantilesSettings {
  const severalPriors = new Set(measures).size > 1;
  return {
    quantiles: cost.quantiles,
    ...planTree({ ...cost, severalPriors }, shape),
    measures,
    interpolation,
    adaptation,
    floorBits: 40,
    logDrop: -64 * Math.LN2 + Math.log(Math.min(1, cost.epsilon) / cost.quantiles.length),
  };
}

/** Draws m lattice indices, ascending. `draws`: the laws of nodes, which many releases may have in common. */
export async function approximateQuantiles(
  profile: RankProfile,
  settings: ApproximateQuantilesSettings,
  entropy: Entropy,
  signal?: AbortSignal,
  draws = nodeDraws(profile, settings),
): Promise<number[]> {
  const cells: number[] = new Array(settings.quantiles.length);
  const pause = pauses(signal);
  // One question to the source as a rule; the windows themselves lie inside what is then known.
  await profile.around(firstRanges(profile.n, settings));
  const visit = async (node: TreeNode, interval: Interval): Promise<void> => {
    await pause();
    const marks: Mark[] = [];
    for (const draw of await draws(node, interval)) marks.push(await draw.sample(entropy));
    marks.sort(order);
    node.pivots.forEach((j, i) => {
      cells[j] = marks[i].cell;
    });
    const ends = [interval.from, ...marks, interval.to];
    for (const [s, child] of node.children.entries()) if (child) await visit(child, { from: ends[s], to: ends[s + 1] });
  };
  await visit(settings.tree, wholeInterval(profile, settings.interpolation));
  return cells;
}

/** The laws of a node's draws, one for each pivot. Rates repeat, and with them the tables of decays. */
export function nodeDraws(profile: RankProfile, settings: ApproximateQuantilesSettings) {
  const decays = new Map<number, Decay>();
  const decayOf = (rate: number) => {
    const decay = decays.get(rate) ?? new Decay(rate);
    decays.set(rate, decay);
    return decay;
  };
  return ({ pivots, targets, rate }: TreeNode, interval: Interval): Promise<IntervalDraw[]> =>
    Promise.all(
      pivots.map((j, i) => intervalDraw(profile, interval, targets[i], decayOf(rate), settings.measures[j], settings)),
    );
}

/** An ancestor rarely misses by more, in units of 1/c; what lies beyond is read when it is needed. */
const usualError = 16;

/**
 * Ranks around the targets to read at first: each window as wide as it must be whenever some position inside weighs as
 * much as one of mass 1, and wider by what the ancestors may have missed.
 */
function firstRanges(n: number, settings: ApproximateQuantilesSettings): RankRange[] {
  const { quantiles, tree, measures, interpolation, logDrop } = settings;
  const ranges: RankRange[] = [];
  const visit = ({ pivots, rate, children }: TreeNode, missed: number): void => {
    for (const j of pivots) {
      const { whole } = times(quantiles[j], n);
      const logMass = Math.log(measures[j].mass(0, measures[j].size - 1) * interpolation.ramp.length);
      const reach = Math.ceil((logMass - logDrop) / rate + missed);
      ranges.push({ low: whole - reach, high: whole + 1 + reach });
    }
    for (const child of children) if (child) visit(child, missed + usualError / rate);
  };
  visit(tree, 0);
  return ranges;
}
