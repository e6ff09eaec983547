import type { Entropy } from '../random/entropy.js';
import { expBounds, type Interval } from '../random/interval.js';
import { fractionOf } from '../random/laplace-log-normal.js';
import { LazyUniform, refine } from '../random/lazy-uniform.js';
import { ceilDiv, fractionBounds, isBelow } from './enclosures.js';
import type { RunCount } from './run-count.js';

/** A Poisson number of runs: possibly none at all. */
export function poissonCount(mean: number): RunCount {
  return {
    expected: mean,
    most: Number.POSITIVE_INFINITY,
    none: Math.exp(-mean),
    between: (_, equal, better) => Math.exp(-mean * better) * -Math.expm1(-mean * equal),
    draw(entropy) {
      // A sum of Poisson numbers is one; each part is small enough for its exponential.
      let [rest, count] = [mean, 0];
      for (; rest > part; rest -= part)
        count += drawPoisson(entropy, (bits) => ({ low: part64 << BigInt(bits), high: part64 << BigInt(bits) }));
      return count + drawPoisson(entropy, (bits) => fractionBounds(fractionOf(rest), bits));
    },
  };
}

const part = 64;
const part64 = BigInt(part);

/**
 * An exact Poisson draw, for a real mean > 0 known by intervals: the least n >= least with
 * `U*(e^mean - skipped) < sum of mean^i/i!` over i from `least` (0, or 1 for the law given that it is not 0) to n.
 */
export function drawPoisson(entropy: Entropy, mean: (bits: number) => Interval, least: 0 | 1 = 0): number {
  const u = new LazyUniform(entropy);
  return refine((bits) => {
    const { low, high } = mean(bits);
    const places = BigInt(bits);
    const skipped = BigInt(least) << places;
    const at = u.at(bits);
    const goal = {
      low: (at.low * (expBounds(low, bits).low - skipped)) >> places,
      high: ((at.high * (expBounds(high, bits).high - skipped)) >> places) + 1n,
    };
    let term = { low: 1n << places, high: 1n << places };
    let sum = least === 0 ? term : { low: 0n, high: 0n };
    for (let n = 0; ; ) {
      if (n >= least) {
        const found = isBelow(goal, sum);
        if (found !== false) return found && n;
      }
      n++;
      term = {
        low: ((term.low * low) >> places) / BigInt(n),
        high: ceilDiv(((term.high * high) >> places) + 1n, BigInt(n)),
      };
      sum = { low: sum.low + term.low, high: sum.high + term.high };
    }
  });
}
