import { type ApproximateQuantilesSettings, nodeDraws } from '../quantiles/approximate-quantiles.js';
import { type Interval, type Mark, order, wholeInterval } from '../quantiles/interval-draw.js';
import { statesOf } from '../quantiles/states.js';
import type { TreeNode } from '../quantiles/tree-plan.js';
import type { RankProfile } from '../ranks/locate.js';
import type { LogLaw } from './exhaustive.js';

/**
 * The law of {@link approximateQuantiles} on a small lattice, from the same draws: summed over all fine positions of all
 * nodes.
 */
export async function approximateQuantilesLaw(
  profile: RankProfile,
  settings: ApproximateQuantilesSettings,
): Promise<LogLaw<readonly number[]>> {
  const { size } = profile;
  const whole = wholeInterval(profile, settings.interpolation);
  const draws = nodeDraws(profile, settings);
  const marks = await allMarks(profile, settings);
  const known = new Map<TreeNode, Map<string, Promise<Law>>>();

  const lawOf = (node: TreeNode | undefined, interval: Interval): Promise<Law> => {
    if (!node) return Promise.resolve(nothing);
    const { from, to } = interval;
    const laws = known.get(node) ?? new Map<string, Promise<Law>>();
    known.set(node, laws);
    const key = `${from.cell}.${from.at}-${to.cell}.${to.at}-${to.rank}`;
    const law = laws.get(key) ?? compute(node, interval);
    laws.set(key, law);
    return law;
  };

  const compute = async (node: TreeNode, interval: Interval): Promise<Law> => {
    const inside = marks.filter((p) => order(p, interval.from) >= 0 && order(p, interval.to) <= 0);
    const chances = (await draws(node, interval)).map((draw) => inside.map((p) => draw.probability(p)));
    const law: Law = { length: 0, chance: new Map() };
    for (const { drawn, chance } of vectors(inside, chances)) {
      const ends = [interval.from, ...drawn.sort(order), interval.to];
      let joint: Law = { length: 0, chance: new Map([[0, chance]]) };
      for (const [s, child] of node.children.entries()) {
        joint = followed(joint, await lawOf(child, { from: ends[s], to: ends[s + 1] }), size);
        if (s < drawn.length) joint = followed(joint, { length: 1, chance: new Map([[drawn[s].cell, 1]]) }, size);
      }
      law.length = joint.length;
      for (const [code, p] of joint.chance) law.chance.set(code, (law.chance.get(code) ?? 0) + p);
    }
    return law;
  };

  const { chance } = await lawOf(settings.tree, whole);
  return (cells) => Math.log(chance.get(cells.reduce((code, cell) => code * size + cell, 0)) ?? 0);
}

/** Probabilities of vectors of `length` cells, each vector a number with the cells as digits. */
interface Law {
  length: number;
  readonly chance: Map<number, number>;
}

const nothing: Law = { length: 0, chance: new Map([[0, 1]]) };

function followed(a: Law, b: Law, size: number): Law {
  if (b.length === 0) return a;
  const chance = new Map<number, number>();
  for (const [head, p] of a.chance) for (const [tail, q] of b.chance) chance.set(head * size ** b.length + tail, p * q);
  return { length: a.length + b.length, chance };
}

/** All positions with their fine ranks. */
async function allMarks(profile: RankProfile, { interpolation, measures }: ApproximateQuantilesSettings) {
  const states = statesOf(await profile.around([{ low: 0, high: profile.n }]), interpolation, measures[0]);
  const marks: Mark[] = [];
  for (let i = 0; i < states.length; i++)
    for (let cell = states.firstCell[i]; cell <= states.lastCell[i]; cell++) {
      const start = cell === states.firstCell[i] ? states.firstAt[i] : 0;
      const end = cell === states.lastCell[i] ? states.lastAt[i] : states.positions - 1;
      for (let at = start; at <= end; at++) marks.push({ cell, at, rank: states.rank[i] });
    }
  return marks;
}

/** Every way in which independent draws can fall, with its probability. */
function* vectors(
  marks: readonly Mark[],
  chances: readonly (readonly number[])[],
): Generator<{ drawn: Mark[]; chance: number }> {
  if (chances.length === 0) {
    yield { drawn: [], chance: 1 };
    return;
  }
  const [head, ...rest] = chances;
  for (const [i, p] of marks.entries())
    for (const { drawn, chance } of vectors(marks, rest)) yield { drawn: [p, ...drawn], chance: head[i] * chance };
}
