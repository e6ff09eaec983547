import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Format } from './options.js';

const endings: Readonly<Record<string, Format>> = {
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

/** The format that the ending of a name tells, if any. */
export function formatOfName(file: string): Format | undefined {
  const ending = /\.([^.]+)$/.exec(basename(file).replace(/\.gz$/i, ''))?.[1]?.toLowerCase();
  return endings[ending ?? ''];
}

const wildcard = /[*?[]/;

/** Whether a name stands for the files that match it. */
export function isGlob(file: string): boolean {
  return !existsSync(file) && wildcard.test(file);
}

/**
 * The one name of a file or a glob however it is spelt: the path without symbolic links, of a glob up to its first
 * wildcard. Undefined where there is no such file, or no directory that could hold the files of the glob.
 */
export function realPathOf(file: string): string | undefined {
  if (!isGlob(file)) return statSync(file, { throwIfNoEntry: false })?.isFile() ? realpathSync(file) : undefined;
  let directory = resolve(file);
  const pattern: string[] = [];
  while (wildcard.test(directory)) {
    pattern.unshift(basename(directory));
    directory = dirname(directory);
  }
  return existsSync(directory) ? join(realpathSync(directory), ...pattern) : undefined;
}
