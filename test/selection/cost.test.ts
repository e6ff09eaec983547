import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hardStopping, hardStoppingCap, hardStoppingSlack } from '../../src/selection/hard-stopping.js';
import { logarithmic, negativeBinomial } from '../../src/selection/negative-binomial.js';
import { costTable, gammaFor, poissonMeanFor } from '../../src/selection/parameters.js';
import { poisson } from '../../src/selection/poisson.js';
import { randomStopping } from '../../src/selection/random-stopping.js';
import { logRho } from '../../src/selection/rho.js';
import type { StoppingRule } from '../../src/selection/stopping-rule.js';
import { threshold, thresholdCap, thresholdSlack } from '../../src/selection/threshold.js';
import { capped, tight } from './rules.js';

const every = [...tight, ...capped];
const small: [string, StoppingRule][] = [
  ['random stopping', randomStopping({ gamma: 1e-9 })],
  ['logarithmic', logarithmic({ gamma: 1e-12 })],
  ['threshold', threshold({ tau: 0, gamma: 1e-9, cap: 1e12 })],
  ['hard stopping', hardStopping({ gamma: 1e-9, cap: 1e11 })],
  ['eta 20', negativeBinomial({ eta: 20, gamma: 1e-9 })],
  ['poisson', poisson({ mean: 1e5 })],
];

describe('ln rho', () => {
  it.each([
    [1, 0.5, 0.31055],
    [1, 0.1, 0.795672],
    [1, 0.01, 0.976852],
    [1, 0.001, 0.997653],
    [2, 0.5, 0.519079],
    [2, 0.1, 1.460187],
    [2, 0.01, 1.930064],
    [0.1, 0.1, 0.081796],
    [0.1, 0.01, 0.098017],
  ])('of epsilon %d and gamma %d is %d', (epsilon, g, figure) => {
    expect(logRho(epsilon, g)).toBeCloseTo(figure, 6);
    expect(logRho(epsilon, g)).toBeCloseTo(Math.log((Math.exp(epsilon) + g) / (1 + g * Math.exp(epsilon))), 13);
  });

  it('is total: nothing for a sure stop, epsilon for none, and never more', () => {
    expect(logRho(3, 1)).toBe(0);
    expect(logRho(3, 0)).toBeCloseTo(3, 14);
    expect(logRho(0, 0.5)).toBe(0);
    expect(logRho(1e-12, 0.5) / 1e-12).toBeCloseTo(1 / 3, 9);
    expect(logRho(1000, 0.5)).toBeCloseTo(Math.log(2), 12);
    expect(logRho(1000, 0)).toBe(1000);
  });
});

describe('the cost of the whole', () => {
  it('has the figures of the theorems', () => {
    const whole = (rule: StoppingRule, epsilon = 1) => rule.total({ epsilon, delta: 0 }).epsilon;
    expect(whole(randomStopping({ gamma: 0.5 }))).toBeCloseTo(1.6211, 4);
    expect(whole(randomStopping({ gamma: 0.1 }))).toBeCloseTo(2.5913, 4);
    expect(whole(randomStopping({ gamma: 0.01 }))).toBeCloseTo(2.9537042, 7);
    expect(whole(randomStopping({ gamma: 0.001 }))).toBeCloseTo(2.9953, 4);
    expect(whole(threshold({ tau: 0, gamma: 0 }))).toBeCloseTo(2, 11);
    expect(whole(randomStopping({ gamma: 1 }))).toBeCloseTo(1, 11);
    for (const eta of [-0.5, 0, 0.5, 2]) expect(whole(negativeBinomial({ eta, gamma: 1e-9 }))).toBeCloseTo(2 + eta, 7);
  });

  it.each(every)('%s: never less than a run costs, none for none, growing', (_, rule) => {
    expect(rule.total({ epsilon: 0, delta: 0 })).toEqual({ epsilon: 0, delta: 0 });
    let last = 0;
    for (const epsilon of [1e-12, 1e-6, 0.01, 0.1, 1, 10, 100, 1e4]) {
      const { epsilon: total } = rule.total({ epsilon, delta: 0 });
      expect(total).toBeGreaterThanOrEqual(epsilon);
      expect(total).toBeGreaterThan(last);
      last = total;
    }
  });

  it('of bad runs is the chance that one of them is bad, at most expected runs times delta', () => {
    for (const [, rule] of [...every, ...small].filter(([, { runs }]) => runs.expected >= 1)) {
      const { delta } = rule.total({ epsilon: 1, delta: 1e-9 });
      expect(delta).toBeLessThanOrEqual(1e-9 * rule.runs.expected * (1 + 1e-9));
      expect(delta).toBeGreaterThanOrEqual(1e-9);
    }
    const closed = (gamma: number, delta: number) => delta / (gamma + delta * (1 - gamma));
    for (const [gamma, delta] of [
      [0.1, 1e-6],
      [1e-9, 1e-12],
      [0.3, 0.4],
    ])
      for (const rule of [threshold({ tau: 0, gamma }), randomStopping({ gamma })])
        expect(rule.total({ epsilon: 1, delta }).delta / closed(gamma, delta)).toBeCloseTo(1, 11);
  });

  it('is, for a fair share of bad runs, not more than three times the epsilon', () => {
    const { epsilon } = randomStopping({ gamma: 1e-3 }).total({ epsilon: 0.5, delta: 1e-9 });
    expect(epsilon).toBeLessThan(1.5);
  });
});

describe('the cost of a run', () => {
  it.each([...every, ...small])('%s: the round trip stays below the total and comes near it', (_, rule) => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 50, noNaN: true }),
        fc.constantFrom(0, 1e-12, 1e-6, 0.01, 0.3),
        (epsilon, delta) => {
          const total = rule.total(rule.perRun({ epsilon, delta }));
          expect(total.epsilon).toBeLessThanOrEqual(epsilon);
          expect(total.epsilon).toBeGreaterThan(epsilon * (1 - 1e-9));
          expect(total.delta).toBeLessThanOrEqual(delta);
          expect(total.delta).toBeGreaterThanOrEqual(delta * (1 - 1e-9));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is a third at least for random stopping, half for a threshold; all of nothing is nothing', () => {
    expect(randomStopping({ gamma: 0.01 }).perRun({ epsilon: 3, delta: 0 }).epsilon).toBeGreaterThan(1);
    expect(threshold({ tau: 0, gamma: 0 }).perRun({ epsilon: 2, delta: 0 }).epsilon).toBeCloseTo(1, 10);
    expect(randomStopping({ gamma: 0.01 }).perRun({ epsilon: 0, delta: 0 })).toEqual({ epsilon: 0, delta: 0 });
  });

  it('inverts delta in closed form where that is known', () => {
    const [delta, gamma] = [1e-5, 0.02];
    expect(
      randomStopping({ gamma }).perRun({ epsilon: 1, delta }).delta / ((delta * gamma) / (1 - delta * (1 - gamma))),
    ).toBeCloseTo(1, 11);
  });

  it('leaves what a poisson number of runs may never use below 1', () => {
    const rule = poisson({ mean: 1e-3 });
    expect(rule.perRun({ epsilon: 1, delta: 0.5 }).delta).toBeLessThan(1);
    expect(rule.total(rule.perRun({ epsilon: 1, delta: 0.5 })).delta).toBeLessThan(0.001);
  });
});

describe('caps', () => {
  it.each([
    [0.1, 0.1, 23],
    [0.1, 0.01, 52],
    [0.01, 0.1, 236],
    [0.01, 0.01, 533],
    [0.001, 0.001, 8003],
  ])('of a hard stop with gamma %d and slack 3*%d is %d, and no less', (gamma, epsilon0, cap) => {
    expect(hardStoppingCap(gamma, 3 * epsilon0)).toBe(cap);
    expect(hardStoppingSlack(gamma, cap)).toBeLessThanOrEqual(3 * epsilon0);
    expect(hardStoppingSlack(gamma, cap - 1)).toBeGreaterThan(3 * epsilon0);
  });

  it('of the paper are more than enough', () => {
    for (const gamma of [0.5, 0.1, 1e-3, 1e-6])
      for (const slack of [0.4, 0.1, 1e-3]) {
        const b = (2 * (1 + gamma) ** 2) / (slack * gamma ** 2);
        expect(hardStoppingSlack(gamma, Math.ceil((Math.log(b) + Math.log(Math.log(b))) / gamma))).toBeLessThan(
          0.03 * slack,
        );
        const rule = Math.ceil(Math.max(Math.log(2 / slack) / gamma, 1 + 1 / (Math.E * gamma)));
        expect(thresholdSlack(gamma, rule)).toBeLessThanOrEqual(slack);
        const least = thresholdCap(gamma, slack);
        expect(least).toBeLessThanOrEqual(rule);
        expect(thresholdSlack(gamma, least - 1)).toBeGreaterThan(slack);
      }
  });

  it('below the reach of the theorem cost as many runs', () => {
    expect(hardStopping({ gamma: 0.01, cap: 3 }).total({ epsilon: 0.1, delta: 0 }).epsilon).toBeCloseTo(0.3, 11);
    expect(hardStopping({ gamma: 0.01, cap: 198 }).total({ epsilon: 1, delta: 0 }).epsilon).toBeCloseTo(198, 9);
  });

  it('take nothing at infinity', () => {
    expect(hardStopping({ gamma: 1 / 300, cap: 4353 }).total({ epsilon: 1, delta: 0 }).epsilon).toBeCloseTo(
      randomStopping({ gamma: 1 / 300 }).total({ epsilon: 1, delta: 0 }).epsilon + 7.6e-6,
      6,
    );
  });
});

describe('parameters', () => {
  it('grant the wish and not more, for every eta that can', () => {
    for (const candidates of [1, 10, 1000])
      for (const [eta, failure] of [
        [1, 0.05],
        [1, 1e-4],
        [0.5, 0.05],
        [2, 0.01],
        [0, 0.4],
        [-0.5, 0.9999],
      ]) {
        const gamma = gammaFor({ candidates, failure, eta });
        const p = 1 / (2 * candidates);
        const fails = negativeBinomial({ eta, gamma }).count.between(0, 1 - p, p);
        expect(fails).toBeLessThanOrEqual(failure);
        if (gamma < 1) expect(fails).toBeGreaterThan(failure * (1 - 1e-9));
      }
  });

  it('are, for eta 1, the closed form', () => {
    const p = 1 / 20;
    expect(gammaFor({ candidates: 10, failure: 0.05 }) / ((0.05 * p) / ((1 - p) * 0.95))).toBeCloseTo(1, 10);
    expect(gammaFor({ candidates: 1, failure: 0.5 })).toBe(1);
    expect(Math.exp(-poissonMeanFor({ candidates: 10, failure: 0.05 }) * p)).toBeCloseTo(0.05, 12);
  });

  it('say what cannot be had', () => {
    expect(() => gammaFor({ candidates: 10, failure: 0.05, eta: -0.5 })).toThrow(/at least 0\.7/);
    expect(() => gammaFor({ candidates: 0, failure: 0.05 })).toThrow('candidates');
    expect(() => gammaFor({ candidates: 10, failure: 0 })).toThrow('failure');
  });

  it('compare in a table at equal cost', () => {
    const total = { epsilon: 1, delta: 1e-6 };
    const rows = costTable([randomStopping({ gamma: 0.01 }), logarithmic({ gamma: 0.01 })], total);
    expect(rows.map((row) => row.rule)).toEqual(['random-stopping', 'logarithmic']);
    expect(rows.map((row) => row.most)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(rows[1].run.epsilon).toBeGreaterThan(rows[0].run.epsilon);
    for (const row of rows) expect(row.total.epsilon).toBeCloseTo(1, 9);
  });
});

describe('what is refused', () => {
  it.each<[string, () => unknown, string]>([
    ['gamma', () => randomStopping({ gamma: 0 }), 'option_invalid'],
    ['gamma', () => randomStopping({ gamma: 1.1 }), 'option_invalid'],
    ['gamma', () => logarithmic({ gamma: Number.NaN }), 'option_invalid'],
    ['gamma', () => threshold({ tau: 0, gamma: 1e-13 }), 'option_invalid'],
    ['gamma', () => threshold({ tau: 0, gamma: 0, cap: 5 }), 'option_invalid'],
    ['tau', () => threshold({ tau: Number.NaN, gamma: 0.1 }), 'option_invalid'],
    ['tau', () => threshold({ tau: Number.POSITIVE_INFINITY, gamma: 0.1 }), 'option_invalid'],
    ['cap', () => threshold({ tau: 0, gamma: 0.1, cap: 0 }), 'option_invalid'],
    ['cap', () => hardStopping({ gamma: 0.1, cap: 2.5 }), 'option_invalid'],
    ['slack', () => hardStoppingCap(0.1, 0), 'option_invalid'],
    ['slack', () => thresholdCap(0.1, -1), 'option_invalid'],
    ['eta', () => negativeBinomial({ eta: -1, gamma: 0.1 }), 'option_invalid'],
    ['eta', () => negativeBinomial({ eta: 1e-4, gamma: 0.1 }), 'option_invalid'],
    ['mean', () => poisson({ mean: 0 }), 'option_invalid'],
    ['epsilon', () => randomStopping({ gamma: 0.1 }).total({ epsilon: -1, delta: 0 }), 'epsilon_invalid'],
    ['epsilon', () => randomStopping({ gamma: 0.1 }).perRun({ epsilon: Number.NaN, delta: 0 }), 'epsilon_invalid'],
    ['delta', () => randomStopping({ gamma: 0.1 }).total({ epsilon: 1, delta: 1 }), 'delta_invalid'],
    ['gamma 0', () => threshold({ tau: 0, gamma: 0 }).total({ epsilon: 1, delta: 1e-9 }), 'delta_invalid'],
    ['gamma 0', () => threshold({ tau: 0, gamma: 0 }).perRun({ epsilon: 1, delta: 1e-9 }), 'delta_invalid'],
  ])('%s: %s', (name, call, code) => {
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringContaining(name) }));
  });

  it('rules cannot be changed', () => {
    const rule = threshold({ tau: 1, gamma: 0.1 });
    expect(Object.isFrozen(rule) && Object.isFrozen(rule.runs)).toBe(true);
  });
});
