import { type Lattice, latticeIndex } from '../../lattice/lattice.js';
import type { BinList, CoarseCounts, FineCounts, IndexRange, RankView } from '../../ranks/source.js';
import { double } from './sql.js';
import { leastValue } from './threshold.js';

/** Where a view reads: SQL for the rows of a `value` column that is never null or NaN, all of them or a sample. */
export interface ViewSource {
  readonly rows: string;
  readonly sample: string | undefined;
  /** Runs a statement whose columns are DOUBLE. */
  numbers(sql: string): Promise<Float64Array[]>;
  close(): Promise<void>;
}

/** Bins of one coarse scan: its group key is a USMALLINT, which DuckDB counts in one flat array. */
const maxKeys = 65536;
/** A sample quantile is off by this much of the rank at most, or costs one scan more. */
const margin = 0.01;

/**
 * The counts of a view as SQL. The lattice index is {@link latticeIndex} in SQL; records at the ends, which it clamps, are
 * told by comparing the value itself, so nothing overflows before a cast.
 */
export function rankView(lattice: Lattice, source: ViewSource): RankView {
  const last = lattice.size - 1;
  /** The value, less or equal to which no record has this index (or a greater one). */
  const from = (index: number) => double(leastValue(lattice, index));
  const position = `(value - ${double(lattice.lower)}) / ${double(lattice.step)} + ${double(0.5)}`;
  /** The bin of a record between the ends of the lattice. As 2^-shift is exact, one floor does for two. */
  const bin = (shift: number) => (shift === 0 ? `floor(${position})` : `floor((${position}) * ${double(2 ** -shift)})`);

  return {
    async hint(low, high) {
      if (!source.sample) return undefined;
      const shares = [Math.max(0, low - margin), Math.min(1, high + margin)].map(double).join(', ');
      const [first, end] = await source.numbers(
        `SELECT coalesce(q[1], 'NaN'), coalesce(q[2], 'NaN') FROM (SELECT quantile_disc(value, [${shares}]) q FROM (${source.sample}))`,
      );
      const range: IndexRange = { first: latticeIndex(lattice, first[0]), last: latticeIndex(lattice, end[0]) };
      return Number.isNaN(range.first) ? undefined : range;
    },

    async coarse(shift, first, bins) {
      const offset = first > 0 ? 1 : 0;
      const lastBin = Math.floor(last / 2 ** shift);
      const endBin = Math.min(first + bins, lastBin + 1);
      if (offset + (endBin - first) + 1 > maxKeys && endBin <= lastBin) return split(this, shift, first, bins);
      const keyOf = (b: number) => `${b - first + offset}::USMALLINT`;
      const key = `CASE
        WHEN value < ${from((first > 0 ? first : 1) * 2 ** shift)} THEN 0::USMALLINT
        WHEN value >= ${from(Math.min(endBin, lastBin) * 2 ** shift)} THEN ${keyOf(Math.min(endBin, lastBin))}
        ELSE (${bin(shift)} - ${double(first - offset)})::USMALLINT END`;
      const [keys, amounts] = await source.numbers(
        `SELECT key::DOUBLE, count(*)::DOUBLE FROM (SELECT ${key} AS key FROM (${source.rows})) GROUP BY key`,
      );
      const counts = new Float64Array(bins);
      let below = 0;
      let above = 0;
      for (let i = 0; i < keys.length; i++) {
        const b = keys[i] - offset;
        if (b < 0) below = amounts[i];
        else if (b >= endBin - first) above = amounts[i];
        else counts[b] = amounts[i];
      }
      return { below, counts, above };
    },

    async fine(shift, within) {
      return fineCounts(shift, within);
    },

    close: () => source.close(),
  };

  async function fineCounts(shift: number, { shift: outer, bins }: BinList): Promise<FineCounts> {
    if (bins.length === 0) return { bins: new Float64Array(0), counts: new Float64Array(0) };
    const lastBin = Math.floor(last / 2 ** outer);
    const start = bins[0];
    const end = bins[bins.length - 1];
    const conditions = [
      ...(start > 0 ? [`value >= ${from(start * 2 ** outer)}`] : []),
      ...(end < lastBin ? [`value < ${from((end + 1) * 2 ** outer)}`] : []),
    ];
    const clamped = start === 0 || end === lastBin;
    const index = (s: number) =>
      clamped
        ? `CASE WHEN value < ${from(1)} THEN 0 WHEN value >= ${from(last)} THEN ${double(Math.floor(last / 2 ** s))} ELSE ${bin(s)} END`
        : bin(s);
    if (end - start + 1 > bins.length) conditions.push(`${index(outer)} IN (${bins.map(double).join(', ')})`);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const only = shift === 0 ? '' : ', CASE WHEN min(i) = max(i) THEN min(i) ELSE -1 END';
    const inner = shift === 0 ? '' : `, ${index(0)} AS i`;
    const [numbers, counts, single] = await source.numbers(
      `SELECT b, count(*)::DOUBLE${only} FROM (SELECT ${index(shift)} AS b${inner} FROM (${source.rows}) ${where}) GROUP BY b ORDER BY b`,
    );
    return { bins: numbers, counts, only: single ?? numbers };
  }
}

/** One bin fewer than fits beside `below` and `above`, and then the rest. */
async function split(view: RankView, shift: number, first: number, bins: number): Promise<CoarseCounts> {
  const head = maxKeys - 2;
  const { below, counts } = await view.coarse(shift, first, head);
  const rest = await view.coarse(shift, first + head, bins - head);
  return { below, counts: Float64Array.of(...counts, ...rest.counts), above: rest.above };
}
