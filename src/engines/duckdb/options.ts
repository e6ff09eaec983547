import { z } from 'zod';
import { ScumbleError } from '../../errors.js';
import type { PrivacyUnit } from '../../privacy/guarantee.js';

/** What a file holds. */
export const formats = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'duckdb'] as const;
/** What a file holds; by default its ending says so. */
export type Format = (typeof formats)[number];

/** Which rows of which file, and what protects them. */
export interface DuckDBOptions {
  /**
   * A file, a glob of files with the same columns (`flights/*.parquet`), or `-` for CSV on standard input. Text files
   * and JSON may be compressed (`.gz`).
   */
  readonly file: string;
  /** The column of numbers. Text, JSON and CSV values that are no number count as nulls. */
  readonly column: string;
  /** Overrides the ending of the file's name. */
  readonly format?: Format | undefined;
  /** The table of a DuckDB database, `name` or `schema.name`. */
  readonly table?: string | undefined;
  /**
   * An SQL condition over the row's own columns; a row for which it is false, null or fails is out. Columns of text files
   * and JSON are VARCHAR there: write `age::INT > 3`.
   */
  readonly where?: string | undefined;
  /** At most `maxRows` rows of each value of `column` are used, chosen anew for every release; rows without one are out. */
  readonly unit?: Extract<PrivacyUnit, object> | undefined;
  /**
   * The column of counts: a row stands for so many records of its value. The rule looks at the row alone: a fraction is
   * rounded down, more than 2^32 is 2^32, and a null, NaN, negative count or what is no number is 0. One unit of count is
   * one record: it is what a release protects, not the row. Not together with `unit`.
   */
  readonly counts?: string | undefined;
  /**
   * The column of groups, for `quantilesByGroup`. A group is named by the text of its value: `true`, `7`, `7.0` for a DOUBLE,
   * `2024-01-31` for a DATE, in text files the field as it is. A row without one is in no group. With a `unit`, each unit
   * counts in one group, chosen by its own rows, and at most `maxRows` rows there.
   */
  readonly groupBy?: string | undefined;
  /** CSV and TSV: whether the first line names the columns (default). Without, they are `column0`, `column1`, … */
  readonly header?: boolean | undefined;
  /** CSV and TSV: one character. Default `,` and a tab. */
  readonly delimiter?: string | undefined;
  /** CSV and TSV: one character, written twice inside a quoted field; empty for none. Default `"`. */
  readonly quote?: string | undefined;
  /** Stops any work of the source. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction done of the first pass over the data, never with counts. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

const character = z.string().regex(/^[^\r\n\ufffd]$/u);

const schema = z.object({
  file: z.string().min(1),
  column: z.string(),
  format: z.enum(formats).optional(),
  table: z.string().min(1).optional(),
  where: z.string().optional(),
  unit: z.object({ column: z.string(), maxRows: z.int().min(1) }).optional(),
  counts: z.string().optional(),
  groupBy: z.string().optional(),
  header: z.boolean().optional(),
  delimiter: character.optional(),
  quote: z.union([z.literal(''), character]).optional(),
});

const allowed: Record<string, string> = {
  file: 'a path, a glob or -',
  column: "a column's name",
  format: `one of ${formats.join(', ')}`,
  table: "a table's name",
  where: 'an SQL condition',
  counts: "a column's name",
  groupBy: "a column's name",
  header: 'true or false',
  delimiter: 'one character, neither the quote nor a line break',
  quote: 'one character that is no line break, or empty for none',
};

/** Everything that is wrong with the options by themselves. */
export function checkOptions(options: DuckDBOptions): void {
  const parsed = schema.safeParse(options);
  const path = parsed.error?.issues[0]?.path.map(String) ?? [];
  if (path[0] === 'unit')
    throw new ScumbleError('unit_invalid', 'The unit must be a column and a whole number of at least 1 rows per unit.');
  if (!parsed.success) throw invalid(path[0] ?? 'options', allowed[path[0] ?? ''] ?? 'an object; see DuckDBOptions');
  if (options.delimiter !== undefined && options.delimiter === (options.quote ?? '"'))
    throw invalid('delimiter', allowed.delimiter!);
  checkCounts(options);
}

/** Rows of a unit are chosen by rows; and a count may decide about nothing else, or one unit of it would change more than one record. */
function checkCounts({ counts, unit, column, groupBy }: DuckDBOptions): void {
  if (counts === undefined) return;
  if (unit) throw invalid('counts', 'left out with a unit, whose rows are chosen by rows and not by records');
  if (counts === column) throw invalid('counts', 'another column than that of the values');
  if (counts === groupBy) throw invalid('counts', 'another column than that of the groups');
}

/** Refuses options that would say nothing about this format. */
export function checkForFormat(options: Pick<DuckDBOptions, 'table' | TextOption>, format: Format): void {
  const isText = format === 'csv' || format === 'tsv';
  const foreign = textOptions.find((option) => !isText && options[option] !== undefined);
  if (foreign) throw invalid(foreign, `left out: it is for CSV and TSV, not for ${format}`);
  if ((format === 'duckdb') !== (options.table !== undefined))
    throw invalid(
      'table',
      format === 'duckdb' ? 'given: the name of a table of the database' : 'left out: the file is no DuckDB database',
    );
}

type TextOption = (typeof textOptions)[number];
const textOptions = ['header', 'delimiter', 'quote'] as const;

export function invalid(option: string, is: string): ScumbleError {
  return new ScumbleError('option_invalid', `The option ${option} must be ${is}.`, { option });
}
