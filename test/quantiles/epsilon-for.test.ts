import { describe, expect, it } from 'vitest';
import { epsilonFor } from '../../src/quantiles/epsilon-for.js';
import { planQuantiles } from '../../src/quantiles/plan.js';

describe('the epsilon for a wanted error', () => {
  it.each([
    { quantiles: 'median', relation: 'swap', wanted: 2 },
    { quantiles: 'quartiles', relation: 'add-remove', wanted: 25 },
    { quantiles: [0.1, 0.2], relation: 'swap', wanted: 1000, method: 'joint-exp' },
  ] as const)('gives that error and no less: %j', ({ wanted, ...rest }) => {
    const options = { bounds: [0, 100], ...rest } as const;
    const epsilon = epsilonFor(options, wanted);
    const worst = (e: number) => Math.max(...planQuantiles({ ...options, epsilon: e }).forecast.expectedRankError);
    expect(worst(epsilon)).toBeLessThanOrEqual(wanted);
    expect(worst(epsilon * 0.99)).toBeGreaterThan(wanted);
  });

  it('says so when no epsilon would do', () => {
    const options = { quantiles: 'median', bounds: [0, 100] } as const;
    for (const wanted of [0, -1, Number.NaN, 1e-6])
      expect(() => epsilonFor(options, wanted)).toThrow(expect.objectContaining({ code: 'option_invalid' }));
  });
});
