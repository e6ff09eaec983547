import { fstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatOfName, isGlob } from '../engines/duckdb/paths.js';
import { ScumbleError } from '../errors.js';
import { datasetName } from './dataset.js';
import type { CommonFlags } from './quantiles-flags.js';

/**
 * Refuses as public a file that is the data or one of their files, by whatever name: links of both kinds are followed. A
 * copy is not told apart, nor a file that is exchanged between this and its reading.
 *
 * @param option what names it, and `why` it must be public.
 * @param data the names of the data: files, which need not exist, globs, - for standard input, or names of a ledger.
 */
export async function checkPublicFile(
  option: string,
  file: string,
  data: readonly string[],
  why: string,
): Promise<void> {
  const refuse = (what: string) => new ScumbleError('option_invalid', `${option} must be ${what}: ${why}.`, { option });
  if (isGlob(file)) throw refuse('one file, because a pattern might match the data');
  if (file === '-') throw refuse('a file, because nothing shows what comes by standard input');
  const identity = identityOf(file);
  for (const name of data) {
    const files = isGlob(name) ? await matchesOf(name) : [name];
    const isData =
      datasetName(resolve(file)) === datasetName(resolve(name)) ||
      (identity !== undefined && files.some((one) => identityOf(one) === identity));
    if (isData) throw refuse('another file than the data');
  }
}

/** The same for all names of a file, hard links among them. */
function identityOf(file: string): string | undefined {
  const found = file === '-' ? fstatSync(0) : statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}

/** The engine's own reading of a pattern decides: it is what reads the data. */
async function matchesOf(pattern: string): Promise<readonly string[]> {
  const { filesMatching } = await import('../engines/duckdb/files.js');
  return filesMatching(pattern);
}

/**
 * How a public file is read: with the options of the data, but as a whole, and where it is of another format by its name
 * without those that tell how the data are written.
 */
export function publicFlags(file: string, data: string, flags: CommonFlags): CommonFlags {
  const whole = without(flags, 'groupBy', 'groups');
  const own = formatOfName(file);
  const ofData = flags.format ?? (data === '-' ? 'csv' : formatOfName(data));
  if (own === undefined || own === ofData) return whole;
  return { ...without(whole, 'format', 'table', 'delimiter', 'quote'), header: true };
}

function without<T extends object, K extends keyof T>(all: T, ...keys: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;
}

/** Says of what fails which public file it is about. */
export async function aboutFile<T>(option: string, file: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ScumbleError) || error.code === 'aborted') throw error;
    throw new ScumbleError(error.code, `${option}, in ${file}: ${error.message}`, error.details);
  }
}
