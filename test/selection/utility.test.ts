import { describe, expect, it } from 'vitest';
import { type Entropy, unsafeSeededEntropy } from '../../src/random/entropy.js';
import { uniformBelow } from '../../src/random/exact.js';
import { hardStopping, hardStoppingCap } from '../../src/selection/hard-stopping.js';
import { logarithmic, negativeBinomial } from '../../src/selection/negative-binomial.js';
import { gammaFor, poissonMeanFor } from '../../src/selection/parameters.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';
import { threshold, thresholdCap } from '../../src/selection/threshold.js';

const trials = 20_000;
const candidates = 5;

/** One run: candidate i scores i or 100 + i, by a fair coin; the best median is 104. */
function run(entropy: Entropy): number {
  return uniformBelow(entropy, candidates) + 100 * uniformBelow(entropy, 2);
}

/** How often a selection ends below 104, or with BOTTOM, and the mean number of runs. */
function simulate(rule: StoppingRule, seed: number): { failed: number; draws: number } {
  const entropy = unsafeSeededEntropy(seed);
  let [failed, draws] = [0, 0];
  for (let i = 0; i < trials; i++) {
    const most = rule.drawRuns(entropy);
    let best = -1;
    for (let j = 0; j < most && !(best >= (rule.tau ?? Number.POSITIVE_INFINITY)); j++) {
      best = Math.max(best, run(entropy));
      draws++;
    }
    if (best < 104) failed++;
  }
  return { failed: failed / trials, draws: draws / trials };
}

/** Five standard errors of a frequency, and the expected value itself of a mean. */
const error = (p: number) => 5 * Math.sqrt((p * (1 - p)) / trials);

describe('what the theorems say of use', () => {
  const p = 1 / (2 * candidates);
  const failure = 0.1;
  const gamma = gammaFor({ candidates, failure });

  it('a threshold gives up with the probability wished for, at most (1-p)*gamma/p, after 1/p runs at most', () => {
    const { failed, draws } = simulate(threshold({ tau: 104, gamma }), 1);
    expect(Math.abs(failed - failure)).toBeLessThan(error(failure));
    expect(failed).toBeLessThan(((1 - p) * gamma) / p + error(failure));
    expect(draws).toBeLessThan(Math.min(1 / p, 1 / gamma));
  });

  it('a cap of slack s gives up (1 + s)-times as often at most', () => {
    const slack = 0.2;
    const { failed } = simulate(threshold({ tau: 104, gamma, cap: thresholdCap(gamma, slack) }), 2);
    expect(failed).toBeLessThan((((1 - p) * gamma) / p) * Math.exp(slack) + error(failure));
  });

  it('without a coin a threshold is always reached, after 2*candidates runs on average', () => {
    const { failed, draws } = simulate(threshold({ tau: 104, gamma: 0 }), 3);
    expect(failed).toBe(0);
    expect(draws).toBeGreaterThan(0.97 / p);
    expect(draws).toBeLessThan(1.03 / p);
  });

  it.each<[string, StoppingRule, number]>([
    ['random stopping', randomStopping({ gamma }), failure],
    ['hard stopping', hardStopping({ gamma, cap: hardStoppingCap(gamma, 0.01) }), failure],
    ['eta 2', negativeBinomial({ eta: 2, gamma: gammaFor({ candidates, failure, eta: 2 }) }), failure],
    ['eta 1/2', negativeBinomial({ eta: 0.5, gamma: gammaFor({ candidates, failure, eta: 0.5 }) }), failure],
    ['logarithmic', logarithmic({ gamma: gammaFor({ candidates, failure: 0.4, eta: 0 }) }), 0.4],
    ['poisson', poisson({ mean: poissonMeanFor({ candidates, failure }) }), failure],
  ])('%s misses the best median as often as wished, in the expected number of runs', (_, rule, wished) => {
    const { failed, draws } = simulate(rule, 4);
    expect(Math.abs(failed - wished)).toBeLessThan(error(wished));
    expect(draws).toBeGreaterThan(0.95 * rule.runs.expected);
    expect(draws).toBeLessThan(1.05 * rule.runs.expected);
  });

  it('random stopping loses gamma/p of quality at most', () => {
    for (const g of [0.3, 0.05, 0.01]) {
      const { failed } = simulate(randomStopping({ gamma: g }), 5);
      const exact = (g * (1 - p)) / (g + p - g * p);
      expect(Math.abs(failed - exact)).toBeLessThan(error(exact));
      expect(exact).toBeLessThanOrEqual(g / p);
    }
  });
});
