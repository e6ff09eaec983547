import { unsafeSeededEntropy } from '../dist/random/entropy.js';
import { bits } from '../dist/random/exact.js';

/** A round repeats a short task for so many milliseconds, so that a time slice given to others is not its measure. */
const leastRound = 1000;

/**
 * Times tasks in turn, three rounds, and keeps the least time of each, in milliseconds: what disturbs the machine then
 * disturbs both sides of a ratio, and most of it is left out. Garbage is not collected by force in between: that throws
 * away compiled code as well, which takes longer to win back than a release takes.
 *
 * @param {Record<string, () => () => unknown>} tasks each prepares a run, which is not timed, and returns it
 * @returns {Promise<Record<string, number>>}
 */
export async function minima(tasks, rounds = 3) {
  const least = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, prepare] of Object.entries(tasks))
      for (let spent = 0; spent < leastRound; ) {
        const run = prepare();
        const begin = performance.now();
        await run();
        const taken = performance.now() - begin;
        least[name] = Math.min(taken, least[name] ?? taken);
        spent += taken;
      }
  return least;
}

/** One line of the result: at most `target` is wanted; a target of null says that the value is for information. */
export function figure(name, value, target = null) {
  return { name, value: Number(value.toPrecision(3)), target, ok: target === null || value <= target };
}

/** Reproducible uniform numbers in (0, 1), ends excluded. */
export function uniformNumbers(seed) {
  const entropy = unsafeSeededEntropy(seed);
  return () => (bits(entropy, 52) + 0.5) * 2 ** -52;
}

/** `n` numbers from N(0, 5), seeded, by the method of Box and Muller. */
export function normalColumn(n, seed = 1) {
  const uniform = uniformNumbers(seed);
  return Float64Array.from({ length: n }, () => {
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    return 5 * radius * Math.cos(2 * Math.PI * uniform());
  });
}

/** `n` numbers of which `distinct` differ, scattered doubles between -100 and 100, each about equally often. */
export function repeatingColumn(n, distinct, seed = 2) {
  const uniform = uniformNumbers(seed);
  const values = Float64Array.from({ length: distinct }, () => 200 * uniform() - 100);
  return Float64Array.from({ length: n }, () => values[Math.floor(uniform() * distinct)]);
}
