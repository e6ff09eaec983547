const known = [0, 0];

/** ln(n!), as a sum of logarithms; kept for the next call. */
export function logFactorial(n: number): number {
  for (let i = known.length; i <= n; i++) known.push(known[i - 1] + Math.log(i));
  return known[n];
}
