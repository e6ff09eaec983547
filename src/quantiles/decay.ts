/** 512*ln 2 in three parts; the first two have 22 bits, so that whole multiples up to 2^31 of them are exact. */
const part1 = 354.8912353515625;
const part2 = 0.00012109510134905577;
const part3 = 2.814936585578686e-11;
/** Beyond this many nats the range of one double no longer does. */
const plain = 340;
const tableSize = 4096;

/** Splits a double in halves of 26 bits (Veltkamp). */
const splitter = 2 ** 27 + 1;

/** Rounds a rate down to 24 significant bits: its products with either half of a rank difference are then exact. */
export function roundRate(rate: number): number {
  const unit = 2 ** (Math.floor(Math.log2(rate)) - 23);
  return Math.floor(rate / unit) * unit;
}

/**
 * `exp(-rate*d)` for rank differences d of any size, within 4 units of 2^-53: the product is formed exactly, as a sum of
 * two doubles, and reduced exactly, so the error does not grow with rate*d.
 */
export class Decay {
  /** The exponent (of 2^512) of the last result of {@link at}. */
  e = 0;
  readonly rate: number;
  readonly #table: Float64Array;

  /** @param rate positive, with at most 24 significant bits. */
  constructor(rate: number) {
    this.rate = rate;
    const length = Math.min(tableSize, Math.ceil(plain / rate));
    this.#table = Float64Array.from({ length }, (_, d) => Math.exp(-rate * d));
  }

  /**
   * @param d a multiple of 2^-20, above -1.
   * @returns x of the weight x * 2^(512*e); x lies between 2^-491 and 2^256, so its product with a weight is a double.
   */
  at(d: number): number {
    this.e = 0;
    // Most differences are small whole numbers.
    if (d < this.#table.length && d >= 0 && d === (d | 0)) return this.#table[d];
    const split = d * splitter;
    const high = split - (split - d);
    const highProduct = this.rate * high;
    const lowProduct = this.rate * (d - high);
    const nats = highProduct + lowProduct;
    const rest = lowProduct - (nats - highProduct);
    if (nats < plain) return Math.exp(-nats) * (1 - rest);
    const periods = Math.round(nats / (part1 + part2));
    this.e = -periods;
    const reduced = nats - periods * part1;
    const second = periods * part2;
    const left = reduced - second;
    const lost = reduced - left - second;
    return Math.exp(-left) * Math.exp(periods * part3 - rest - lost);
  }
}
