import type { DuckDBOptions } from '../engines/duckdb/index.js';
import { checkForFormat, checkOptions } from '../engines/duckdb/options.js';
import { formatOfName } from '../engines/duckdb/paths.js';
import type { CommonFlags } from './quantiles-flags.js';

/** Refuses options that do not suit each other or, where its format is known by name, the file; it need not exist. */
export function checkSource(file: string, flags: CommonFlags): void {
  checkOptions(sourceOptions(file, flags));
  const format = flags.format ?? (file === '-' ? 'csv' : formatOfName(file));
  if (format) checkForFormat(sourceOptions(file, flags), format);
}

/** Opens the file by its public names and types; no row is read. */
export async function openSource(
  file: string,
  flags: CommonFlags,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
) {
  // The engine is a native library: loaded only where data are read.
  const { openDuckDB } = await import('../engines/duckdb/index.js');
  return openDuckDB({ ...sourceOptions(file, flags), signal, onProgress });
}

/** The same for a release by group. */
export async function openGroupedSource(
  file: string,
  flags: CommonFlags,
  groupBy: string,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
) {
  const { openDuckDB } = await import('../engines/duckdb/index.js');
  return openDuckDB({ ...sourceOptions(file, flags), groupBy, signal, onProgress });
}

function sourceOptions(file: string, flags: CommonFlags): DuckDBOptions {
  const { column, format, table, where, counts, groupBy, header, delimiter, quote } = flags;
  const { unit: of, maxRows } = flags;
  const unit = of === undefined || maxRows === undefined ? undefined : { column: of, maxRows };
  // Only what was asked for is passed on, so that an option that does not suit the format is told from a default.
  const text = { ...(header ? {} : { header }), delimiter, quote };
  return {
    file,
    column,
    format,
    table,
    where,
    counts,
    groupBy,
    unit,
    ...text,
  };
}
