import { expect, it } from 'vitest';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { CountTree, type TreeNode, treeHeight } from '../../src/quantiles/count-tree.js';
import { walk } from '../../src/quantiles/count-walk.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';
import { noNoise } from '../support/count-tree.js';

/*
 * The proof says: of the data, a release from a tree of counts sees noisy counts alone (and, under swap, the public number
 * of records). So two data sets whose noisy counts happen to be the same must give the same answer, after the same
 * questions.
 */

interface Walked {
  readonly size: number;
  readonly branching: number;
  readonly look: number | undefined;
  readonly quantiles: readonly number[];
  readonly rows: number | undefined;
}

/** Walks down with noise that makes each noisy count what `noisy` says; also the questions to the source. */
async function answerOf(records: readonly number[], asked: Walked, noisy: (node: TreeNode) => number) {
  const { size, branching, look, quantiles, rows } = asked;
  const questions: string[] = [];
  const profile = wholeProfile(records, size);
  const watched: typeof profile = {
    ...profile,
    ranksAt(indices) {
      questions.push(indices.join());
      return profile.ranksAt(indices);
    },
  };
  const height = treeHeight(size, branching, 4);
  const tree = new CountTree({ height, branching }, watched, noNoise, unsafeSeededEntropy(1));
  const overwrite = (node: TreeNode): void => {
    for (const child of node.children ?? []) {
      child.noisy = noisy(child);
      overwrite(child);
    }
  };
  const grow = tree.grow.bind(tree);
  tree.grow = async (nodes, levels) => {
    await grow(nodes, levels);
    overwrite(tree.root);
  };
  const released = await walk(tree, quantiles, { height, branching, noise: noNoise, look }, rows);
  return { released, questions };
}

it('answers and questions are the same wherever the noisy counts are', async () => {
  const entropy = unsafeSeededEntropy(20);
  const below = (n: number) => Math.floor((bits(entropy, 32) / 2 ** 32) * n);
  const answers = new Set<string>();
  for (let round = 0; round < 300; round++) {
    const size = [2, 7, 40, 3000, 2 ** 53][below(5)];
    const many = below(20);
    const data = (n: number) => Array.from({ length: n }, () => below(size) % (1 + below(size))).sort((a, b) => a - b);
    const swap = below(2) === 1;
    const asked: Walked = {
      size,
      branching: [2, 3, 5][below(3)],
      look: [undefined, 1, 4][below(3)],
      quantiles: [0.1, 0.5, 0.51, 0.99],
      rows: swap ? many : undefined,
    };
    const drawn = new Map<string, number>();
    const noisy = ({ first, end, depth }: TreeNode) => {
      const key = `${first} ${end} ${depth}`;
      const value = drawn.get(key) ?? below(60) - 20;
      drawn.set(key, value);
      return value;
    };
    const one = await answerOf(data(many), asked, noisy);
    const other = await answerOf(data(swap ? many : below(200)), asked, noisy);
    expect(other).toEqual(one);
    answers.add(one.released.join());
  }
  expect(answers.size).toBeGreaterThan(100);
});
