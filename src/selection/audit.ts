import { type Entropy, unsafeSeededEntropy } from '../random/entropy.js';
import { bits } from '../random/exact.js';
import type { Outcome, SelectionLaw } from './law.js';

/** The laws of one run on two neighbouring data sets: the same outcomes in the same order. */
export interface RunPair {
  /** Of one data set. */
  readonly a: readonly Outcome<number>[];
  /** Of its neighbour. */
  readonly b: readonly Outcome<number>[];
}

/** What an audit of a selection found. */
export interface SelectionAudit {
  /** The largest |ln P(answer | a) - ln P(answer | b)|: no smaller epsilon holds. */
  readonly loss: number;
  /** The largest hockey-stick divergence at the `epsilon` asked for: no smaller delta holds. */
  readonly delta: number;
  /** Where the loss is attained. */
  readonly witness: RunPair | undefined;
}

/**
 * Compares the exact laws of a selection on pairs of laws of a run, answer by answer, BOTTOM included. Any selection
 * can be audited, also one that is not private: `law` says what it makes of the law of a run.
 */
export function auditSelection(
  law: (run: readonly Outcome<number>[]) => SelectionLaw<number>,
  pairs: Iterable<RunPair>,
  epsilon = 0,
): SelectionAudit {
  const found = { loss: 0, delta: 0, witness: undefined as RunPair | undefined };
  const grow = Math.exp(epsilon);
  for (const pair of pairs) {
    const [p, q] = [answers(law(pair.a)), answers(law(pair.b))];
    const excess = [0, 0];
    p.forEach((x, i) => {
      const loss = x === q[i] ? 0 : Math.abs(Math.log(x) - Math.log(q[i]));
      if (loss > found.loss) Object.assign(found, { loss, witness: pair });
      excess[0] += Math.max(0, x - grow * q[i]);
      excess[1] += Math.max(0, q[i] - grow * x);
    });
    found.delta = Math.max(found.delta, ...excess);
  }
  return found;
}

const answers = (law: SelectionLaw<number>) => [...law.outcomes.map((o) => o.probability), law.bottom];

/** How close the pairs are, and how many random ones there are. */
export interface ClosePairs {
  /** Both laws are (epsilon, delta)-close. */
  readonly epsilon: number;
  /** Default 0. */
  readonly delta?: number | undefined;
  /** How many random pairs there are beside the others. */
  readonly random: number;
  /** Which random ones: the same seed gives the same pairs. Default 1. */
  readonly seed?: number | undefined;
}

/**
 * Pairs of laws of a run, with scores 0, 1, …, that the contract allows: those at which the theorems are tight, with every
 * mass at a ratio of e^±epsilon and some of them tiny, in every order of scores; two outcomes at all sizes; random laws mixed by
 * randomised response; and random laws pushed to an extreme point. With a delta, each law of a pair has that much of
 * an outcome of its own, above all others or below.
 */
export function* closePairs({ epsilon, delta = 0, random, seed = 1 }: ClosePairs): Generator<RunPair> {
  for (const [p, q] of purePairs(Math.exp(epsilon), random, unsafeSeededEntropy(seed))) {
    if (delta === 0) yield { a: outcomes(p), b: outcomes(q) };
    else
      for (const own of [
        [delta, 0],
        [0, delta],
      ])
        for (const above of [true, false]) {
          const both = [p, q].map((law, i) => {
            const rest = law.map((mass) => (1 - delta) * mass);
            const mine = i === 0 ? own : [...own].reverse();
            return outcomes(above ? [...rest, ...mine] : [...mine, ...rest]);
          });
          yield { a: both[0], b: both[1] };
        }
  }
}

const outcomes = (law: Masses) => law.map((probability, score) => ({ output: score, score, probability }));

type Masses = readonly number[];
type Laws = readonly [Masses, Masses];

function* purePairs(e: number, random: number, entropy: Entropy): Generator<Laws> {
  const corner = 1 / (1 + e);
  const splits = [[1], [1e-9, 1 - 1e-9], [1e-3, 1 - 1e-3], [0.5, 0.5]].map((shares) => shares.map((x) => x * corner));
  for (const more of splits)
    for (const less of splits)
      yield* inEveryOrder([
        [...more.map((x) => e * x), ...less],
        [...more, ...less.map((x) => e * x)],
      ]);
  for (const share of [1e-9, 1e-6, 1e-3, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9]) {
    const x = share * corner;
    yield* inEveryOrder([
      [x, 1 - x],
      [e * x, 1 - e * x],
    ]);
  }
  for (let i = 0; i < random; i++) {
    const size = 2 + bits(entropy, 2);
    const [p, q] = [randomLaw(entropy, size), randomLaw(entropy, size)];
    yield [p.map((x, j) => (e * x + q[j]) * corner), p.map((x, j) => (x + e * q[j]) * corner)];
    const pushed = pushedLaw(entropy, p, e);
    if (pushed) yield [p, pushed];
  }
}

function* inEveryOrder([p, q]: Laws): Generator<Laws> {
  for (const order of permutations(p.length)) yield [order.map((i) => p[i]), order.map((i) => q[i])];
}

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((rest) => Array.from({ length: n }, (_, at) => rest.toSpliced(at, 0, n - 1)));
}

/** Masses over several orders of magnitude. */
function randomLaw(entropy: Entropy, size: number): Masses {
  const weights = Array.from({ length: size }, () => Math.exp(-12 * (bits(entropy, 53) / 2 ** 53) ** 2));
  const total = weights.reduce((a, b) => a + b);
  return weights.map((w) => w / total);
}

/** Every mass times e or 1/e by a coin, but for the first, which takes what is left; undefined where that is too far off. */
function pushedLaw(entropy: Entropy, law: Masses, e: number): Masses | undefined {
  const pushed = law.slice(1).map((x) => (bits(entropy, 1) === 1 ? x * e : x / e));
  const left = 1 - pushed.reduce((a, b) => a + b);
  return left * e >= law[0] && left <= law[0] * e ? [left, ...pushed] : undefined;
}
