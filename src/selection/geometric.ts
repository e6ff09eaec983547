import type { Entropy } from '../random/entropy.js';
import { fractionOf } from '../random/laplace-log-normal.js';
import { LazyUniform, refine } from '../random/lazy-uniform.js';
import { fractionBounds, isBelow, powerBounds } from './enclosures.js';
import { logChance, type RunCount } from './run-count.js';

/**
 * The number of runs when a coin of chance gamma after each says whether it was the last, and `cap` at most:
 * `Pr[K = k] = gamma*(1-gamma)^(k-1)` for 1 <= k < cap, and the rest at the cap. gamma = 0 without a cap never stops.
 */
export function geometricCount(gamma: number, cap = Number.POSITIVE_INFINITY): RunCount {
  const capped = cap < Number.POSITIVE_INFINITY;
  const logGo = Math.log1p(-gamma);
  const most = gamma === 1 ? 1 : cap;
  return {
    expected: capped ? -Math.expm1(cap * logGo) / gamma : 1 / gamma,
    most,
    none: 0,
    // f(y) = gamma*y/Z + (1-gamma)^cap * y^cap * (1-y)/Z, Z = gamma + (1-gamma)*(1-y); each difference is formed without
    // cancellation, and both terms are positive.
    between(worse, equal, better) {
      if (equal === 0) return 0;
      if (gamma === 0) return better > 0 ? 0 : 1;
      const rest = better + equal;
      const z = (gamma + (1 - gamma) * rest) * (gamma + (1 - gamma) * better);
      if (!capped) return (gamma * equal) / z;
      const early = -Math.expm1(cap * (logGo + logChance(worse, rest)));
      const share = better / (gamma + (1 - gamma) * better);
      const last = Math.exp(cap * (logGo + logChance(worse + equal, better)));
      const drop = -Math.expm1(cap * Math.log1p(-equal / (worse + equal)));
      return ((gamma * equal) / z) * early + last * drop * share;
    },
    draw: (entropy) => (gamma === 0 ? most : Math.min(most, drawGeometric(entropy, gamma))),
  };
}

/**
 * The least k >= 1 with U >= (1-gamma)^k for a uniform real number U: exactly geometric. The powers are compared with U by
 * intervals, as many digits as it takes.
 */
export function drawGeometric(entropy: Entropy, gamma: number): number {
  const { numerator, denominator } = fractionOf(gamma);
  const go = { numerator: denominator - numerator, denominator };
  const u = new LazyUniform(entropy);
  const goesOn = (k: number) => refine((bits) => isBelow(u.at(bits), powerBounds(fractionBounds(go, bits), k, bits)));
  let high = 1;
  while (goesOn(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const mid = (low + high) / 2;
    if (goesOn(mid)) low = mid;
    else high = mid;
  }
  return high;
}
