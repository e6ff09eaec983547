import { ScumbleError } from '../errors.js';
import type { Lattice } from '../lattice/lattice.js';
import { normalTail } from '../lattice/normal-tail.js';
import type { RankSource, RankView } from './source.js';

/** A named distribution in the column's unit. A uniform one lies between its bounds; default: those of the release. */
export type DistributionShape =
  | {
      /** Symmetric about its location. */
      readonly family: 'gaussian' | 'laplace' | 'cauchy';
      /** In the column's unit. */
      readonly location: number;
      /** Greater than 0. */
      readonly scale: number;
    }
  | {
      /** Every point alike. */
      readonly family: 'uniform';
      /** `[lower, upper]`, in the column's unit. */
      readonly bounds?: readonly [number, number] | undefined;
    };

/** So many public records, at evenly spaced quantiles of a named distribution. */
export type Distribution = DistributionShape & {
  /** At least 1. */
  readonly rows: number;
};

/**
 * The records of a distribution as a source of counts: record i stands at the quantile (i + 1/2)/rows. Counts come from the
 * distribution function, so that there may be any number of records.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function distributionSource(distribution: Distribution): RankSource {
  check(distribution);
  const { rows } = distribution;
  return {
    async open({ lattice }): Promise<RankView> {
      const below = shareBelow(distribution, lattice);
      const rankOf = (k: number) => {
        if (k <= 0 || k >= lattice.size) return k <= 0 ? 0 : rows;
        const share = below(lattice.lower + (k - 0.5) * lattice.step);
        return Math.min(rows, Math.max(0, Math.ceil(rows * share - 0.5)));
      };
      return {
        hint: async () => undefined,
        async coarse(shift, first, bins) {
          const counts = new Float64Array(bins);
          const start = rankOf(first * 2 ** shift);
          let rank = start;
          for (let b = 0; b < bins; b++) {
            // The function is not to fall where it is rounded.
            const next = Math.max(rank, rankOf((first + b + 1) * 2 ** shift));
            counts[b] = next - rank;
            rank = next;
          }
          return { below: start, counts, above: rows - rank };
        },
        async fine(shift, within) {
          const bins: number[] = [];
          const counts: number[] = [];
          const halve = (bin: number, level: number, low: number, high: number): void => {
            if (low === high) return;
            if (level === shift) {
              bins.push(bin);
              counts.push(high - low);
              return;
            }
            const middle = Math.min(high, Math.max(low, rankOf((2 * bin + 1) * 2 ** (level - 1))));
            halve(2 * bin, level - 1, low, middle);
            halve(2 * bin + 1, level - 1, middle, high);
          };
          for (const bin of within.bins) {
            const low = rankOf(bin * 2 ** within.shift);
            halve(bin, within.shift, low, Math.max(low, rankOf((bin + 1) * 2 ** within.shift)));
          }
          return { bins: Float64Array.from(bins), counts: Float64Array.from(counts) };
        },
        close: async () => {},
      };
    },
  };
}

/** The distribution function. */
function shareBelow(distribution: DistributionShape, lattice: Lattice): (x: number) => number {
  if (distribution.family === 'uniform') {
    const [lower, upper] = distribution.bounds ?? [lattice.lower, lattice.upper];
    return (x) => (x - lower) / (upper - lower);
  }
  const { family, location, scale } = distribution;
  const standard = {
    gaussian: (z: number) => normalTail(-z),
    laplace: (z: number) => (z < 0 ? Math.exp(z) / 2 : 1 - Math.exp(-z) / 2),
    cauchy: (z: number) => Math.atan2(1, -z) / Math.PI,
  }[family];
  return (x) => standard((x - location) / scale);
}

function check(distribution: Distribution): void {
  const bad = (what: string) =>
    new ScumbleError('option_invalid', `The reference ${what}.`, { option: 'reference', distribution });
  const { family, rows } = distribution;
  if (!(Number.isSafeInteger(rows) && rows >= 1))
    throw bad('needs a number of rows, a whole number from 1 to 2^53 - 1');
  if (family === 'uniform') {
    const [lower, upper] = distribution.bounds ?? [0, 1];
    if (!(lower < upper && Number.isFinite(upper - lower))) throw bad('uniform needs finite bounds with lower < upper');
  } else if (family === 'gaussian' || family === 'laplace' || family === 'cauchy') {
    const { location, scale } = distribution;
    if (!(Number.isFinite(location) && Number.isFinite(scale) && scale > 0))
      throw bad(`${family} needs a finite location and a scale greater than 0`);
  } else throw bad('needs a family: uniform, gaussian, laplace or cauchy');
}
