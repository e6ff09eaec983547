import { describe, expect, it } from 'vitest';
import { auditSelection, lawOf, randomStopping, threshold, validationCosts } from '../../src/selection/index.js';
import type { Outcome } from '../../src/selection/law.js';
import { capped, tight } from './rules.js';

const run = { training: { epsilon: 0.4, delta: 1e-9 }, validation: { epsilon: 0.3, delta: 0 } };

describe('the costs of a training and a validation set', () => {
  it.each([...tight, ...capped])(
    '%s: each set by itself; who is in both pays less than the sum, not less than either',
    (_, rule) => {
      const { training, validation, both } = validationCosts(rule, run);
      expect(training).toEqual(rule.total(run.training));
      expect(validation).toEqual(rule.total(run.validation));
      expect(both.epsilon).toBeLessThanOrEqual((training.epsilon + validation.epsilon) * (1 + 1e-12));
      expect(both.delta).toBeLessThanOrEqual((training.delta + validation.delta) * (1 + 1e-12));
      expect(both.epsilon).toBeGreaterThanOrEqual(0.7);
      expect(both.epsilon).toBeGreaterThan(Math.max(training.epsilon, validation.epsilon));
    },
  );

  it('hold on exact laws, and the cost of one set alone does not for both', () => {
    // A model is one bit of its training set, by randomised response; the score one bit of model and validation set, likewise.
    const chance = (epsilon: number, truth: boolean) => 1 / (1 + Math.exp(truth ? -epsilon : epsilon));
    const [e1, e2] = [2, 2];
    const law = (trained: boolean, validated: boolean): Outcome<number>[] =>
      [0, 1].flatMap((model) =>
        [0, 1].map((score) => ({
          output: model,
          score: score + model / 2,
          probability: chance(e1, trained === (model === 1)) * chance(e2, validated === (score === 1)),
        })),
      );
    for (const rule of [randomStopping({ gamma: 0.1 }), threshold({ tau: 1.5, gamma: 0.3 })]) {
      const pure = { training: { epsilon: e1, delta: 0 }, validation: { epsilon: e2, delta: 0 } };
      const costs = validationCosts(rule, pure);
      const loss = (trained: boolean, validated: boolean) =>
        auditSelection((one) => lawOf(rule, one), [{ a: law(false, false), b: law(trained, validated) }]).loss;
      expect(loss(true, false)).toBeLessThanOrEqual(costs.training.epsilon);
      expect(loss(false, true)).toBeLessThanOrEqual(costs.validation.epsilon);
      expect(loss(true, true)).toBeLessThanOrEqual(costs.both.epsilon);
      expect(loss(true, true)).toBeGreaterThan(costs.training.epsilon);
    }
  });

  it('are refused for what is no cost, by name', () => {
    const rule = randomStopping({ gamma: 0.1 });
    expect(() => validationCosts(rule, { ...run, validation: { epsilon: -1, delta: 0 } })).toThrow(
      'validation.epsilon',
    );
    expect(() => validationCosts(rule, { ...run, training: { epsilon: 1, delta: 1 } })).toThrow('training.delta');
  });
});
