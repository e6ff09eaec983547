/**
 * The x that minimises |A*x - b|^2, with the sum of x prescribed if `total` is given: the normal equations, solved by
 * elimination with pivots.
 */
export function constrainedLeastSquares(
  a: readonly (readonly number[])[],
  b: readonly number[],
  total?: number,
): number[] {
  const n = a[0].length;
  const normal = Array.from({ length: n }, (_, i) => [
    ...Array.from({ length: n }, (_, j) => a.reduce((sum, row) => sum + row[i] * row[j], 0)),
    ...(total === undefined ? [] : [1]),
    a.reduce((sum, row, k) => sum + row[i] * b[k], 0),
  ]);
  if (total !== undefined) normal.push([...new Array(n).fill(1), 0, total]);
  return solve(normal).slice(0, n);
}

function solve(m: number[][]): number[] {
  const n = m.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(m[r][c]) > Math.abs(m[pivot][c])) pivot = r;
    [m[c], m[pivot]] = [m[pivot], m[c]];
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = m[r][c] / m[c][c];
      for (let k = c; k <= n; k++) m[r][k] -= factor * m[c][k];
    }
  }
  return m.map((row, i) => row[n] / row[i]);
}
