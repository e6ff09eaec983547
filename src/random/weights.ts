/**
 * Positive weights far outside the range of doubles: `x * 2^(512*e)` with x in [2^-256, 2^256), or x = 0. Adjacent
 * weights of one row of a quantile mechanism can be thousands of nats apart, and every one of them must keep full
 * relative precision, so neither a common scale nor logarithms will do.
 *
 * Functions on such numbers return x and leave its exponent in {@link exponent}: hot loops allocate nothing.
 */
export const radix = 512;
const up = 2 ** radix;
const down = 2 ** -radix;
const high = 2 ** (radix / 2);
const low = 2 ** (-radix / 2);

/** The exponent of the last result. */
export let exponent = 0;

/** Brings any positive double times 2^(512*e) into range. */
export function normalise(x: number, e: number): number {
  while (x >= high) {
    x *= down;
    e++;
  }
  while (x < low && x > 0) {
    x *= up;
    e--;
  }
  exponent = e;
  return x;
}

/** The sum; one rounding. A summand 2^512 times smaller than the other is below that rounding. */
export function add(ax: number, ae: number, bx: number, be: number): number {
  if (ae === be) return normalise(ax + bx, ae);
  if (bx === 0 || (ax !== 0 && ae > be + 1)) {
    exponent = ae;
    return ax;
  }
  if (ax === 0 || be > ae + 1) {
    exponent = be;
    return bx;
  }
  return ae > be ? normalise(ax + bx * down, ae) : normalise(bx + ax * down, be);
}

/** The natural logarithm. */
export function logWeight(x: number, e: number): number {
  return x === 0 ? Number.NEGATIVE_INFINITY : Math.log(x) + e * radix * Math.LN2;
}

/** Weights of the states `lo … hi-1`. */
export class Row {
  readonly lo: number;
  readonly hi: number;
  readonly x: Float64Array;
  readonly e: Int32Array;

  constructor(lo: number, hi: number) {
    this.lo = lo;
    this.hi = Math.max(lo, hi);
    this.x = new Float64Array(this.hi - lo);
    this.e = new Int32Array(this.hi - lo);
  }
}
