/**
 * Pearson's statistic of observed counts against expected probabilities, as a z-score (Wilson-Hilferty): above 5 a right
 * sampler is refuted once in millions of runs. Outcomes expected fewer than five times are pooled.
 */
export function chiSquareZ(observed: readonly number[], probabilities: readonly number[]): number {
  const draws = observed.reduce((a, b) => a + b, 0);
  const cells: { seen: number; expected: number }[] = [];
  const rest = { seen: 0, expected: 0 };
  probabilities.forEach((p, i) => {
    const expected = p * draws;
    if (expected >= 5) cells.push({ seen: observed[i], expected });
    else {
      rest.seen += observed[i];
      rest.expected += expected;
    }
  });
  if (rest.expected > 0 || rest.seen > 0) cells.push({ ...rest, expected: Math.max(rest.expected, 1e-9) });
  const statistic = cells.reduce((sum, { seen, expected }) => sum + (seen - expected) ** 2 / expected, 0);
  const k = cells.length - 1;
  if (k <= 0) return 0;
  return (Math.cbrt(statistic / k) - (1 - 2 / (9 * k))) / Math.sqrt(2 / (9 * k));
}
