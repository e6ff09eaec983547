import type { Entropy } from '../../src/random/entropy.js';
import type { Outcome } from '../../src/selection/law.js';
import type { RunCount } from '../../src/selection/run-count.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';

/** A run with scores 0, 1, 2, … of these probabilities. */
export function scores(...probabilities: readonly number[]): Outcome<number>[] {
  return probabilities.map((probability, score) => ({ output: score, score, probability }));
}

/** Pr[K = k] for k = 0 … most, by the definitions. */
export function geometricPmf(gamma: number, most: number): number[] {
  return Array.from({ length: most + 1 }, (_, k) => (k === 0 ? 0 : gamma * (1 - gamma) ** (k - 1)));
}

export function tnbPmf(eta: number, gamma: number, most: number): number[] {
  const pmf = [0];
  let product = eta === 0 ? 1 : eta;
  for (let k = 1; k <= most; k++) {
    pmf.push(((1 - gamma) ** k * product) / (eta === 0 ? -Math.log(gamma) : gamma ** -eta - 1));
    product *= (k + eta) / (k + 1);
  }
  return pmf;
}

export function poissonPmf(mean: number, most: number): number[] {
  const pmf = [Math.exp(-mean)];
  for (let k = 1; k <= most; k++) pmf.push((pmf[k - 1] * mean) / k);
  return pmf;
}

/** The law of min(K, cap). */
export function capped(pmf: readonly number[], cap: number): number[] {
  const kept = pmf.slice(0, cap);
  return [...kept, 1 - kept.reduce((a, b) => a + b, 0)];
}

/** The number of runs that fools use: the same each time. */
export function fixedCount(k: number): RunCount {
  return {
    expected: k,
    most: k,
    none: 0,
    between: (worse, equal) => (worse + equal) ** k - worse ** k,
    draw: () => k,
  };
}

/** The whole rule, played: the score that is returned, -1 for BOTTOM, and how many runs it took. */
export function play(
  entropy: Entropy,
  rule: StoppingRule,
  weights: readonly number[],
): { score: number; draws: number } {
  const one = () => {
    let u = entropy.word() / 2 ** 32;
    return Math.max(
      0,
      weights.findIndex((w) => (u -= w) < 0),
    );
  };
  const most = rule.drawRuns(entropy);
  let best = -1;
  for (let j = 1; j <= most; j++) {
    const score = one();
    if (rule.tau !== undefined) {
      if (score >= rule.tau) return { score, draws: j };
    } else best = Math.max(best, score);
  }
  return { score: best, draws: most };
}
