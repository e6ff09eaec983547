import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ScumbleError } from '../errors.js';
import type { Terminal } from './terminal.js';

/**
 * Refuses a place that cannot be written or that holds anything but a plot, before anything is spent.
 *
 * @param inUse the data and the ledger, which may not exist yet.
 */
export function checkPlotPath(path: string, inUse: readonly string[]): void {
  const refuse = (allowed: string) => new ScumbleError('option_invalid', `--plot must be ${allowed}, not "${path}".`);
  const place = placeOf(path);
  if (![path, place].every((name) => /\.svg$/i.test(name))) throw refuse('a file whose name ends in .svg');
  // Some file systems do not tell names apart that differ by case only.
  if (inUse.some((other) => placeOf(other).toLowerCase() === place.toLowerCase()))
    throw refuse('another file than the data and the ledger');
  try {
    if (!statSync(dirname(place)).isDirectory()) throw new Error();
    accessSync(dirname(place), constants.W_OK);
    if (statSync(place, { throwIfNoEntry: false })) accessSync(place, constants.R_OK | constants.W_OK);
  } catch {
    throw refuse('a file that can be written');
  }
  if (!mayBeReplaced(place)) throw refuse('a new file or an SVG to be replaced');
}

/** The file that a path leads to by its symbolic links, whether it exists or not. */
function placeOf(path: string): string {
  const file = resolve(path);
  try {
    return realpathSync(file);
  } catch (error) {
    // A loop of links, for example, leads nowhere.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return file;
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      return placeOf(resolve(dirname(file), readlinkSync(file)));
    return dirname(file) === file ? file : join(placeOf(dirname(file)), basename(file));
  }
}

/** No file, an empty one or one of markup: neither a ledger nor any kind of data. */
function mayBeReplaced(place: string): boolean {
  const existing = statSync(place, { throwIfNoEntry: false });
  if (!existing) return true;
  if (!existing.isFile()) return false;
  const handle = openSync(place, 'r');
  try {
    const first = Buffer.alloc(1);
    return readSync(handle, first) === 0 || first.toString() === '<';
  } finally {
    closeSync(handle);
  }
}

/** Writes what `draw` gives. */
export async function writePlot(path: string, draw: () => Promise<string>, terminal: Terminal): Promise<void> {
  replaceFile(placeOf(path), await draw());
  terminal.say('Plot', path);
}

/** Whoever looks, and whenever the process dies, the file is the old one or the new one. */
function replaceFile(place: string, content: string): void {
  const draft = `${place}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, content, { flag: 'wx' });
    renameSync(draft, place);
  } finally {
    rmSync(draft, { force: true });
  }
}
