import type { Entropy } from '../../src/random/entropy.js';
import { bernoulli } from '../../src/random/exact.js';

/** The best of a random number of runs: random stopping, by its definition. */
export function bestOf<T extends { score: number }>(entropy: Entropy, gamma: number, run: () => T): T {
  let best = run();
  while (!bernoulli(entropy, gamma)) {
    const next = run();
    if (next.score > best.score) best = next;
  }
  return best;
}
