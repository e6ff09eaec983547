import { fstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isGlob, realPathOf } from '../engines/duckdb/paths.js';
import { ScumbleError } from '../errors.js';
import { datasetName } from './dataset.js';

/**
 * Refuses as public a file that is the data, or might be one of their files.
 *
 * @param option what names it, and `why` it must be public.
 * @param data the file of the data, which need not exist; a glob, or - for standard input.
 */
export function checkPublicFile(option: string, file: string, data: string, why: string): void {
  const refuse = (what: string) => new ScumbleError('option_invalid', `${option} must be ${what}: ${why}.`, { option });
  if (isGlob(file)) throw refuse('one file, because a pattern might match the data');
  const isData =
    datasetName(resolve(file)) === datasetName(resolve(data)) ||
    (isGlob(data) && matches(realPathOf(data) ?? resolve(data), realPathOf(file) ?? resolve(file))) ||
    (identityOf(data) !== undefined && identityOf(file) === identityOf(data));
  if (isData) throw refuse('another file than the data');
}

/** The same for all names of a file, hard links among them. */
function identityOf(file: string): string | undefined {
  const found = file === '-' ? fstatSync(0) : statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}

/** Whether a file may be among those of a pattern. */
function matches(pattern: string, file: string): boolean {
  const parts = pattern.split(/(\*\*|\*|\?|\[[^\]]*\])/);
  const forms: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*' };
  const text = parts.map((part, i) =>
    i % 2 === 1 ? (forms[part] ?? '[^/]') : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  // Two stars may also stand for no directory at all.
  return new RegExp(`^${text.join('').replaceAll('/.*/', '/(.*/)?')}$`, 'is').test(file);
}
