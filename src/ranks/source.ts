import type { Lattice } from '../lattice/lattice.js';
import type { PrivacyUnit } from '../privacy/guarantee.js';

/**
 * Where private records come from. A mechanism never sees records: it sees counts of lattice indices, read through one
 * view per release. Implement this to connect an engine; see `scumble/duckdb` for an example.
 */
export interface RankSource {
  /** True only when the *declared* type holds integers; gives the default step 1. Never derived from values. */
  readonly integer?: boolean;
  /** The privacy unit that the source enforces (at most `maxRows` rows of each unit). Default: each row by itself. */
  readonly unit?: PrivacyUnit;
  /** Opens one consistent snapshot of the records, each mapped to its lattice index (see `latticeIndex`). */
  open(request: ViewRequest): Promise<RankView>;
}

/** What a view is opened for. */
export interface ViewRequest {
  /** Records are mapped to its points. */
  readonly lattice: Lattice;
  /** What a null, a NaN or a value that is no number becomes: nothing (add-remove) or index 0 (swap). */
  readonly nulls: 'drop' | 'lower';
  /** Stops the work. */
  readonly signal?: AbortSignal;
}

/**
 * Counts over one snapshot. Bin `b` at `shift` s holds the indices `b*2^s … (b+1)*2^s - 1`; every index is an integer
 * in `[0, lattice.size)`, held in a double. All answers are exact; all methods may be called any number of times.
 */
export interface RankView {
  /**
   * An index range that probably holds the records between the quantiles `low` and `high`, from a sample or statistics.
   * Used for speed only; it may be wrong, and `undefined` means the whole lattice.
   */
  hint(low: number, high: number): Promise<IndexRange | undefined>;
  /** Counts every record: those in bins `first … first+bins-1`, those before and those after. `bins <= 65536`. */
  coarse(shift: number, first: number, bins: number): Promise<CoarseCounts>;
  /**
   * Counts the records that lie in the listed bins at `within.shift`, per bin at the finer (or equal) `shift`. Only bins
   * that hold records are listed, in ascending order; at shift 0 these are the (index, count) pairs themselves.
   */
  fine(shift: number, within: BinList): Promise<FineCounts>;
  /** Lets go of the snapshot. */
  close(): Promise<void>;
}

/** Lattice indices from the first to the last, inclusive. */
export interface IndexRange {
  /** The least. */
  readonly first: number;
  /** The greatest. */
  readonly last: number;
}

/** Some bins of one width. */
export interface BinList {
  /** Each holds 2^shift indices. */
  readonly shift: number;
  /** Ascending bin numbers. */
  readonly bins: readonly number[];
}

/** Counts of all records. */
export interface CoarseCounts {
  /** Before the first bin. */
  readonly below: number;
  /** In each bin. */
  readonly counts: Float64Array;
  /** After the last bin. */
  readonly above: number;
  /** For each bin the one index that holds all its records, or -1 where there are several or it is not known. */
  readonly only?: Float64Array;
}

/** Counts of the records in some bins. */
export interface FineCounts {
  /** Ascending; those without records are left out. */
  readonly bins: Float64Array;
  /** In each of them. */
  readonly counts: Float64Array;
  /** As in {@link CoarseCounts}. */
  readonly only?: Float64Array;
}
