import { leastOverOrders, pureEpsilon, type RdpCurve } from '../privacy/rdp.js';

/**
 * How much, at most, ln Z can differ between neighbours for a mass `Z >= gamma` of a run with this Renyi curve: the least over
 * orders b >= 1 of `(1 - 1/b)*s_b + ln(1/gamma)/b`. Lemma 5 of selection.proof.md.
 */
export function logMassChange(run: RdpCurve, gamma: number): number {
  const log = -Math.log(gamma);
  const least = leastOverOrders(run, (b) => (1 - 1 / b) * run(b) + log / b);
  return Math.min(log, pureEpsilon(run), least);
}
