import { ScumbleError } from '../errors.js';

/**
 * Renyi differential privacy (Mironov 2017): for every order above 1 a bound of the Renyi divergence between the laws of
 * neighbours, at order 1 of their relative entropy, at infinity the pure epsilon; `Infinity` where nothing is promised.
 */
export interface RdpCurve {
  (order: number): number;
  /** The only orders worth asking; absent for a curve that is known everywhere. */
  readonly orders?: readonly number[];
}

/**
 * The curve of a table of `[order, epsilon]`, in any order. Divergences grow with their order, so an order between two of
 * the table has the epsilon of the next one, and above the last nothing is promised.
 *
 * @throws ScumbleError `option_invalid` for orders below 1 and for what is no epsilon.
 */
export function rdpTable(table: readonly (readonly [order: number, epsilon: number])[]): RdpCurve {
  const rows = [...table].sort((a, b) => a[0] - b[0]);
  if (!rows.every(([order, epsilon]) => order >= 1 && epsilon >= 0))
    throw new ScumbleError(
      'option_invalid',
      'A table of Renyi divergences must have orders of at least 1 and epsilons of at least 0.',
    );
  const curve = (order: number) =>
    rows.reduce((least, [at, epsilon]) => (at >= order ? Math.min(least, epsilon) : least), Number.POSITIVE_INFINITY);
  return Object.assign(curve, { orders: rows.map(([order]) => order) });
}

/** Orders above 1 in steps of 9 % of their distance from 1, from 1 + 2^-12 to 2^40. */
const grid: readonly number[] = Array.from({ length: 417 }, (_, i) => 1 + 2 ** (-12 + i / 8));

/**
 * The least of a function of the orders above 1 of a curve: at the curve's own orders, else on a grid and then between the
 * neighbours of its best point. Every order proves a bound, so that the least may be missed costs tightness only.
 */
export function leastOverOrders(curve: RdpCurve, value: (order: number) => number): number {
  const orders = curve.orders?.filter((order) => order > 1) ?? grid;
  let at = -1;
  let least = Number.POSITIVE_INFINITY;
  orders.forEach((order, i) => {
    const found = value(order);
    if (found < least) [at, least] = [i, found];
  });
  if (curve.orders || at < 0) return least;
  let low = Math.log(orders[Math.max(0, at - 1)] - 1);
  let high = Math.log(orders[Math.min(orders.length - 1, at + 1)] - 1);
  for (let step = 0; step < 40; step++) {
    const [left, right] = [0.618, 0.382].map((share) => value(1 + Math.exp(share * low + (1 - share) * high)));
    if (left < least) least = left;
    if (right < least) least = right;
    if (left < right) high = 0.382 * low + 0.618 * high;
    else low = 0.618 * low + 0.382 * high;
  }
  return least;
}

/** The natural logarithm of a delta for which an RDP curve implies (epsilon, delta)-DP: the lemma of {@link rdpEpsilon}. */
export function rdpLogDelta(curve: RdpCurve, epsilon: number): number {
  return leastOverOrders(curve, (a) => (a - 1) * (curve(a) - epsilon) + (a - 1) * Math.log1p(-1 / a) - Math.log(a));
}

/** The epsilon of pure differential privacy, Infinity where the curve has none to tell. */
export function pureEpsilon(curve: RdpCurve): number {
  const epsilon = curve(Number.POSITIVE_INFINITY);
  return Number.isNaN(epsilon) ? Number.POSITIVE_INFINITY : epsilon;
}

/** Covers the rounding of the conversion. */
const margin = 1e-12;

/**
 * An epsilon >= 0 for which an RDP curve implies (epsilon, delta)-DP, 0 <= delta < 1. Canonne, Kamath, Steinke, "The
 * Discrete Gaussian for Differential Privacy" (2020), Proposition 12: any order a > 1 gives
 * `curve(a) + ln(1 - 1/a) - ln(delta*a)/(a - 1)`, since `max(x - e^epsilon, 0) <= x^a * e^(-(a-1)*epsilon) * (a-1)^(a-1)/a^a`.
 * Where the curve falls, which no divergence does, its later and lower values are used for the earlier orders.
 *
 * @throws ScumbleError `delta_invalid`.
 */
export function rdpEpsilon(curve: RdpCurve, delta: number): number {
  if (!(delta >= 0 && delta < 1))
    throw new ScumbleError('delta_invalid', 'The option delta must be at least 0 and less than 1.', {
      option: 'delta',
    });
  const pure = pureEpsilon(curve);
  if (delta === 0) return pure;
  const at = (a: number, bound: number) => bound + Math.log1p(-1 / a) - Math.log(delta * a) / (a - 1);
  let least = leastOverOrders(curve, (a) => at(a, curve(a)));
  let later = Number.POSITIVE_INFINITY;
  for (const a of [...(curve.orders ?? grid)].reverse()) {
    const bound = curve(a);
    if (bound < later) later = bound;
    if (a > 1) least = Math.min(least, at(a, later));
  }
  const epsilon = Math.max(0, least + margin * (1 + Math.abs(least)));
  return Math.min(pure, epsilon);
}
