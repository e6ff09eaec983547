import { type Lattice, latticeIndex } from '../../lattice/lattice.js';
import type { BinList, CoarseCounts, FineCounts, IndexRange, RankView } from '../../ranks/source.js';
import { double } from './sql.js';
import { leastValue } from './threshold.js';

/** Where a view reads. */
export interface ViewSource {
  /** SQL for the rows of a DOUBLE `value`, which may be null or NaN. */
  readonly rows: string;
  /** SQL for the `value` of these rows or of more, whose least and greatest number are quickly known. */
  readonly summary: string;
  /** Whether a row has an `amount`, the number of records that it stands for; else it is one. */
  readonly counted?: boolean;
  /** What a null or a NaN becomes; see `ViewRequest`. */
  readonly nulls: 'drop' | 'lower';
  /** Runs a statement whose columns are DOUBLE. */
  numbers(sql: string): Promise<Float64Array[]>;
  /** The same for a pass over all rows, whose progress is told. */
  pass(sql: string): Promise<Float64Array[]>;
  close(): Promise<void>;
}

interface Extent {
  readonly least: number;
  readonly greatest: number;
}

/** The key of a coarse count is a USMALLINT, whose counts DuckDB holds in one flat array. */
const maxKeys = 65536;

/**
 * The counts of a view as SQL, where a record's index is {@link latticeIndex}, letter by letter. Records that it clamps, or
 * that lie outside what is counted, are told by their value, so nothing overflows in a cast; where the extent of the data
 * shows that there are none, they are not looked for, which halves the time.
 */
export function rankView(lattice: Lattice, source: ViewSource): RankView {
  const last = lattice.size - 1;
  const lastBin = (shift: number) => Math.floor(last / 2 ** shift);
  /** The least value of this index or a greater one. */
  const from = (index: number) => double(leastValue(lattice, index));
  /**
   * The bin of a record that is not clamped: `floor(floor((x - lower)/step + 0.5) * 2^-shift)`. Scaling by a power of two
   * is exact, so one floor does for two, and the division scales along.
   */
  const bin = (shift: number) => {
    const width = lattice.step * 2 ** shift;
    const distance = `(value - ${double(lattice.lower)})`;
    return Number.isFinite(width)
      ? `floor(${distance} / ${double(width)} + ${double(2 ** (-shift - 1))})`
      : `floor((${distance} / ${double(lattice.step)} + ${double(0.5)}) * ${double(2 ** -shift)})`;
  };
  /** NaN is greater than infinity in DuckDB. */
  const isNumber = `value <= ${double(Number.POSITIVE_INFINITY)}`;
  const records = source.counted ? 'sum(amount)' : 'count(*)';
  const amount = source.counted ? ', amount' : '';
  const present =
    source.nulls === 'drop'
      ? `SELECT value${amount} FROM (${source.rows}) WHERE ${isNumber}`
      : `SELECT CASE WHEN ${isNumber} THEN value ELSE ${double(Number.NEGATIVE_INFINITY)} END AS value${amount} FROM (${source.rows})`;
  const countBy = (key: string, rows: string) =>
    `SELECT key::DOUBLE, ${records}::DOUBLE FROM (SELECT ${key} AS key${amount} FROM (${rows})) GROUP BY key`;

  let known: Promise<Extent | undefined> | undefined;
  const extent = () => (known ??= readExtent());
  async function readExtent(): Promise<Extent | undefined> {
    const [[least], [greatest]] = await source.numbers(
      `SELECT min(value), max(value) FROM (${source.summary}) WHERE ${isNumber}`,
    );
    if (Number.isNaN(least)) return undefined;
    return { least, greatest };
  }

  /** Which sides of `[first, end)` no number's index, before it is clamped, lies beyond. */
  async function provenWithin(first: number, end: number): Promise<{ low: boolean; high: boolean }> {
    const range = await extent();
    const index = (x: number) => Math.floor((x - lattice.lower) / lattice.step + 0.5);
    return { low: !!range && index(range.least) >= first, high: !!range && index(range.greatest) < end };
  }

  async function coarse(shift: number, first: number, bins: number): Promise<CoarseCounts> {
    const below = first > 0 ? 1 : 0;
    const end = Math.min(first + bins, lastBin(shift) + 1);
    const above = end <= lastBin(shift) ? 1 : 0;
    if (below + end - first + above > maxKeys) return inTwo(coarse, shift, first, bins);
    const proven = await provenWithin(first * 2 ** shift, Math.min(end * 2 ** shift, lattice.size));
    // Where no record lies outside, what is no number fails the cast. (So would what a file's statistics wrongly deny.)
    const inside = `(${bin(shift)} - ${double(first - below)} AS USMALLINT)`;
    const low = from((first > 0 ? first : 1) * 2 ** shift);
    const high = from((above ? end : lastBin(shift)) * 2 ** shift);
    const highest = end - first + below + above - 1;
    const [keys, amounts] = await source.pass(
      proven.low && proven.high
        ? countBy(`TRY_CAST${inside}`, source.rows)
        : countBy(
            `CASE WHEN value < ${low} THEN 0::USMALLINT WHEN value >= ${high} THEN ${highest}::USMALLINT ELSE CAST${inside} END`,
            present,
          ),
    );
    const counts = new Float64Array(bins + 2);
    for (const [i, key] of keys.entries())
      if (!Number.isNaN(key)) counts[key - below + 1] += amounts[i];
      else if (source.nulls === 'lower') counts[1 - below] += amounts[i];
    return { below: counts[0], counts: counts.slice(1, bins + 1), above: counts[bins + 1] };
  }

  async function fine(shift: number, { shift: outer, bins }: BinList): Promise<FineCounts> {
    if (bins.length === 0) return { bins: new Float64Array(0), counts: new Float64Array(0) };
    const start = bins[0];
    const end = bins[bins.length - 1] + 1;
    const atEnds = start === 0 || end > lastBin(outer);
    const proven = await provenWithin(0, lattice.size);
    const clamped = atEnds && !(proven.low && proven.high && source.nulls === 'drop');
    const index = (s: number) =>
      clamped
        ? `CASE WHEN value < ${from(1)} THEN ${double(0)} WHEN value >= ${from(last)} THEN ${double(lastBin(s))} ELSE ${bin(s)} END`
        : bin(s);
    const conditions =
      end - start > bins.length
        ? [`${index(outer)} IN (SELECT unnest([${bins.map(double).join(', ')}]))`]
        : [
            ...(start > 0 ? [`value >= ${from(start * 2 ** outer)}`] : []),
            ...(end <= lastBin(outer) ? [`value < ${from(end * 2 ** outer)}`] : []),
          ];
    const columns = shift === 0 ? `${index(0)} AS b` : `${index(shift)} AS b, ${index(0)} AS i`;
    const only = shift === 0 ? '' : ', CASE WHEN min(i) = max(i) THEN min(i) ELSE -1 END';
    // Away from the ends, the conditions leave nulls and NaN out by themselves.
    const rows = `SELECT ${columns}${amount} FROM (${atEnds ? present : source.rows}) ${conjunction(conditions)}`;
    const [numbers, counts, single] = await source.numbers(
      `SELECT b, ${records}::DOUBLE${only} FROM (${rows}) GROUP BY b ORDER BY b`,
    );
    return { bins: numbers, counts, only: single ?? numbers };
  }

  async function hint(): Promise<IndexRange | undefined> {
    const range = await extent();
    return range && { first: latticeIndex(lattice, range.least), last: latticeIndex(lattice, range.greatest) };
  }

  return { hint, coarse, fine, close: () => source.close() };
}

function conjunction(conditions: readonly string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
}

/** As many bins as fit beside `below` and `above`, and then the rest. */
async function inTwo(coarse: RankView['coarse'], shift: number, first: number, bins: number): Promise<CoarseCounts> {
  const head = maxKeys - 2;
  const { below, counts } = await coarse(shift, first, head);
  const rest = await coarse(shift, first + head, bins - head);
  return { below, counts: Float64Array.of(...counts, ...rest.counts), above: rest.above };
}
