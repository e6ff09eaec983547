/**
 * The normaliser of JointExp by its dynamic program with a quadratic convolution, in logarithms (Gillenwater, Joseph,
 * Kulesza 2021, first version): alpha[j][i][k] sums the weights of the first j ranks where the last k of them are i.
 *
 * @param widths of the ranks 0 … n.
 */
export function quadraticLogTotal(widths: readonly number[], quantiles: readonly number[], rate: number): number {
  const n = widths.length - 1;
  const m = quantiles.length;
  const gaps = [...quantiles, 1].map((q, j) => (q - (j === 0 ? 0 : quantiles[j - 1])) * n);
  const phi = (j: number, d: number) => -rate * Math.abs(d - gaps[j]);
  const sum = (logs: readonly number[]) => {
    const most = Math.max(...logs);
    return most === Number.NEGATIVE_INFINITY ? most : most + Math.log(logs.reduce((a, b) => a + Math.exp(b - most), 0));
  };
  // alpha[i][k - 1], of the quantile at hand.
  let alpha = widths.map((w, i) => [phi(0, i) + Math.log(w)]);
  for (let j = 1; j < m; j++) {
    const before = alpha.map(sum);
    const last = alpha;
    alpha = widths.map((w, i) => {
      const from = before.slice(0, i).map((weight, other) => weight + phi(j, i - other));
      const again = last[i].map((weight, k) => weight + phi(j, 0) + Math.log(w) - Math.log(k + 2));
      return [from.length > 0 ? sum(from) + Math.log(w) : Number.NEGATIVE_INFINITY, ...again];
    });
  }
  return sum(alpha.map((weights, i) => sum(weights) + phi(m, n - i)));
}
