import { normalTail } from '../lattice/normal-tail.js';

/**
 * At least the probability that n draws of chance q succeed n*q + excess times or more, by the inequality of Zubkov and
 * Serov ("A complete proof of universal inequalities for the distribution function of the binomial law", 2013):
 * P(K > k) <= 1 - Phi(sign(k - n*q) * sqrt(2n * D(k/n, q))) for 0 <= k < n, with D the divergence of two coins. It holds
 * for every n and q and is never worse than the exact tail of one success less.
 */
export function binomialTail(n: number, q: number, excess: number): number {
  // K >= n*q + excess is K > k for some whole k >= n*q + excess - 1.
  const beyond = excess - 1;
  const share = q + beyond / n;
  if (share < 0) return 1;
  if (share >= 1) return beyond + 1 > n * (1 - q) ? 0 : q ** n;
  // Relative to q and 1 - q, so that nothing is lost where n is large and the deviation small.
  const hits = share > 0 ? share * Math.log1p(beyond / (n * q)) : 0;
  const misses = (1 - share) * Math.log1p(-beyond / (n * (1 - q)));
  return normalTail(Math.sign(beyond) * Math.sqrt(2 * n * Math.max(0, hits + misses)));
}
