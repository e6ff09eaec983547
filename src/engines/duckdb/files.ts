import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ScumbleError } from '../../errors.js';
import type { Engine } from './engine.js';
import { type DuckDBOptions, type Format, formats, invalid } from './options.js';
import { text } from './sql.js';

const endings: Record<string, Format> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  parq: 'parquet',
  duckdb: 'duckdb',
  ddb: 'duckdb',
  db: 'duckdb',
};

/** Standard input is CSV; else the option decides, then the ending. */
export function formatOf({ file, format }: DuckDBOptions): Format {
  if (file === '-') {
    if (format === undefined || format === 'csv' || format === 'tsv') return format ?? 'csv';
    throw invalid('format', 'csv or tsv for standard input');
  }
  const ending = /\.([^.]+)$/.exec(basename(file).replace(/\.gz$/i, ''))?.[1]?.toLowerCase();
  const known = format ?? endings[ending ?? ''];
  if (known) return known;
  if (!isGlob(file)) checkReadable(file);
  throw invalid('format', `one of ${formats.join(', ')}, because the ending of the file's name tells none`);
}

function isGlob(file: string): boolean {
  return !existsSync(file) && /[*?[]/.test(file);
}

/** The files that a path or a glob names now; later ones are not looked at. */
export async function filesOf(engine: Engine, file: string): Promise<{ files: string[]; realPath: string }> {
  if (!isGlob(file)) {
    checkReadable(file);
    const realPath = realpathSync(file);
    return { files: [realPath], realPath };
  }
  const pattern = resolve(file);
  const found = await engine.tryRead(`SELECT file FROM glob(${text(pattern)}) ORDER BY file`);
  const files = (found ?? []).map(([name]) => String(name));
  if (files.length === 0)
    throw new ScumbleError('file_unreadable', `No file matches ${file}; give a file that exists.`, { file });
  for (const name of files) checkReadable(name);
  return { files, realPath: realPattern(pattern) };
}

/** The pattern with the symbolic links before its first wildcard resolved. */
function realPattern(pattern: string): string {
  let fixed = pattern;
  const rest: string[] = [];
  while (/[*?[]/.test(fixed)) {
    rest.unshift(basename(fixed));
    fixed = dirname(fixed);
  }
  return join(realpathSync(fixed), ...rest);
}

function checkReadable(file: string): void {
  const fail = (why: string) => new ScumbleError('file_unreadable', `The file ${file} ${why}.`, { file });
  if (!existsSync(file)) throw fail('does not exist');
  if (!statSync(file).isFile())
    throw fail('is not a regular file; name a file, or several by a glob such as dir/*.parquet');
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw fail('may not be read by this user');
  }
}
