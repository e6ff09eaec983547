import { type QuantilesFlags, unitOf } from './quantiles-flags.js';

/** Opens the file by its public names and types; no row is read. */
export async function openSource(
  file: string,
  flags: QuantilesFlags,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
) {
  // The engine is a native library: loaded only where data are read.
  const { openDuckDB } = await import('../engines/duckdb/index.js');
  const { column, format, table, where, header, delimiter, quote } = flags;
  const unit = unitOf(flags);
  // Only what was asked for is passed on, so that an option that does not suit the format is told from a default.
  const text = { ...(header ? {} : { header }), delimiter, quote };
  return openDuckDB({
    file,
    column,
    format,
    table,
    where,
    unit: unit === 'row' ? undefined : unit,
    ...text,
    signal,
    onProgress,
  });
}
