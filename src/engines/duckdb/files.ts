import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ScumbleError } from '../../errors.js';
import { type Engine, startEngine } from './engine.js';
import { type DuckDBOptions, type Format, formats, invalid } from './options.js';
import { formatOfName, isGlob, realPathOf } from './paths.js';
import { text } from './sql.js';

/** Standard input is CSV; else the option decides, then the ending. */
export function formatOf({ file, format }: DuckDBOptions): Format {
  if (file === '-') {
    if (format === undefined || format === 'csv' || format === 'tsv') return format ?? 'csv';
    throw invalid('format', 'csv or tsv for standard input');
  }
  const known = format ?? formatOfName(file);
  if (known) return known;
  if (!isGlob(file)) checkReadable(file);
  throw invalid('format', `one of ${formats.join(', ')}, because the ending of the file's name tells none`);
}

/** The files that a path or a glob names now; later ones are not looked at. */
export async function filesOf(engine: Engine, file: string): Promise<{ files: string[]; realPath: string }> {
  if (!isGlob(file)) {
    checkReadable(file);
    const realPath = realPathOf(file)!;
    return { files: [realPath], realPath };
  }
  const files = await matches(engine, file);
  if (files.length === 0)
    throw new ScumbleError('file_unreadable', `No file matches ${file}; give a file that exists.`, { file });
  for (const name of files) checkReadable(name);
  return { files, realPath: realPathOf(file)! };
}

/** The files that a glob matches now; none is opened. */
export async function filesMatching(pattern: string): Promise<readonly string[]> {
  const engine = await startEngine();
  try {
    return await matches(engine, pattern);
  } finally {
    engine.close();
  }
}

async function matches(engine: Engine, pattern: string): Promise<string[]> {
  const found = await engine.tryRead(`SELECT file FROM glob(${text(resolve(pattern))}) ORDER BY file`);
  return (found ?? []).map(([name]) => String(name));
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
