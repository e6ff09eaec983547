import type { Entropy } from '../random/entropy.js';
import { bernoulli, bits as fairBits, uniformBelow } from '../random/exact.js';
import { type Fraction, fractionOf } from '../random/laplace-log-normal.js';
import { ceilDiv, coin, fractionBounds, logBounds, powerBounds } from './enclosures.js';
import { drawGeometric, geometricCount } from './geometric.js';
import { drawPoisson } from './poisson-count.js';
import type { RunCount } from './run-count.js';

/**
 * The truncated negative binomial number of runs of Papernot and Steinke 2022, Definition 1, eta > -1 and 0 < gamma <= 1:
 * `Pr[K = k]` for k >= 1 is proportional to `(1-gamma)^k * product over 0 <= l < k of (l+eta)/(l+1)` (with 1/k for the product at eta = 0).
 * eta = 1 is geometric, and gamma = 1 is one run.
 */
export function truncatedNegativeBinomial(eta: number, gamma: number): RunCount {
  if (eta === 1 || gamma === 1) return geometricCount(gamma);
  const log = Math.log(gamma);
  return {
    expected: eta === 0 ? (1 - gamma) / (gamma * -log) : (eta * (1 - gamma)) / (gamma * -Math.expm1(eta * log)),
    most: Number.POSITIVE_INFINITY,
    none: 0,
    // f(y) = (Z^-eta - 1)/(gamma^-eta - 1) or ln(Z)/ln(gamma), Z = gamma + (1-gamma)*(1-y).
    between(_, equal, better) {
      const z = gamma + (1 - gamma) * better;
      const step = Math.log1p(((1 - gamma) * equal) / z);
      if (eta === 0) return step / -log;
      return (Math.exp(eta * Math.log(gamma / z)) * Math.expm1(-eta * step)) / Math.expm1(eta * log);
    },
    draw: (entropy) => draw(entropy, eta, gamma),
  };
}

function draw(entropy: Entropy, eta: number, gamma: number): number {
  if (eta < 0) return drawNegative(entropy, -eta, gamma);
  const { numerator, denominator } = fractionOf(gamma);
  const inverse = { numerator: denominator, denominator: numerator };
  if (eta === 0) return drawLogarithmic(entropy, gamma);
  // A negative binomial number is a Poisson number, of mean eta*ln(1/gamma), of logarithmic ones; it is 0 when there are none.
  const share = fractionOf(eta);
  const mean = (bits: number) => {
    const { low, high } = logBounds(inverse, bits);
    return {
      low: (low * share.numerator) / share.denominator,
      high: ceilDiv(high * share.numerator, share.denominator),
    };
  };
  let count = 0;
  for (let parts = drawPoisson(entropy, mean, 1); parts > 0; parts--) count += drawLogarithmic(entropy, gamma);
  return count;
}

/**
 * Exactly proportional to (1-gamma)^(k-1)/k, by rejection. With 2^J >= 1/gamma, the weights of the k from 2^j to 2^(j+1)-1
 * are at most 2^-j, and also 2^-m * 2^-j where j = J + m, m >= 1, as (1-gamma)^(2^j - 1) <= exp(1 - 2^m). So propose j = 0 … J
 * with weight 1 each and j = J + m with weight 2^-m, and then any of the 2^j. No k of 2^53 or more is proposed: with a gamma
 * of at least 1e-12 it has probability below e^-9000.
 */
function drawLogarithmic(entropy: Entropy, gamma: number): number {
  let last = 0;
  while (2 ** last * gamma < 1) last++;
  const { numerator, denominator } = fractionOf(gamma);
  const go: Fraction = { numerator: denominator - numerator, denominator };
  for (;;) {
    let block = uniformBelow(entropy, last + 2);
    if (block > last) while (fairBits(entropy, 1) === 0) block++;
    if (block > 52) continue;
    const k = 2 ** block + fairBits(entropy, block);
    const shift = BigInt(block + Math.max(0, block - last));
    const accepted = coin(entropy, (bits) => {
      const { low, high } = powerBounds(fractionBounds(go, bits), k - 1, bits);
      return { low: (low << shift) / BigInt(k), high: ceilDiv(high << shift, BigInt(k)) };
    });
    if (accepted) return k;
  }
}

/**
 * For eta = -alpha, 0 < alpha < 1, the weights are those of a Sibuya number, the first success among coins of chance alpha/k,
 * times (1-gamma)^(k-1): the chance that a geometric number is at least k.
 */
function drawNegative(entropy: Entropy, alpha: number, gamma: number): number {
  for (;;) {
    const life = drawGeometric(entropy, gamma);
    let k = 1;
    while (k <= life && !(uniformBelow(entropy, k) === 0 && bernoulli(entropy, alpha))) k++;
    if (k <= life) return k;
  }
}
