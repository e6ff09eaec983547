import { expect } from 'vitest';
import type { Forecast } from '../../src/quantiles/forecast.js';

/** What holds of every forecast: errors that can occur, and a 95 % error that the mean allows. */
export function expectPossible(forecast: Forecast, quantiles: readonly number[], aboutRows: number | undefined): void {
  const { expectedRankError, rankError95 } = forecast;
  expect(expectedRankError).toHaveLength(quantiles.length);
  expect(rankError95).toHaveLength(quantiles.length);
  for (const [j, q] of quantiles.entries()) {
    const most = aboutRows === undefined ? Number.MAX_VALUE : Math.max(q, 1 - q) * aboutRows;
    for (const error of [expectedRankError[j], rankError95[j]]) {
      expect(error).toBeGreaterThanOrEqual(0);
      expect(error).toBeLessThanOrEqual(most);
    }
    // Markov: an error that 5 % exceed is at most 20 times the mean.
    expect(rankError95[j]).toBeLessThanOrEqual(20 * expectedRankError[j] + 1);
  }
}
