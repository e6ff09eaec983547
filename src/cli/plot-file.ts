import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ScumbleError } from '../errors.js';
import type { QuantilesRelease } from '../quantiles/quantiles.js';
import type { QuantilesFlags } from './quantiles-flags.js';
import type { Terminal } from './terminal.js';

/** Refuses a place that cannot be written, before anything is spent. */
export function checkPlotPath(path: string): void {
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new Error();
    accessSync(existing ? path : dirname(path), constants.W_OK);
  } catch {
    throw new ScumbleError('option_invalid', `--plot must be a file that can be written, not "${path}".`, { path });
  }
}

export async function writePlot(
  path: string,
  release: QuantilesRelease,
  texts: readonly string[],
  { column, valueUnit }: QuantilesFlags,
  terminal: Terminal,
): Promise<void> {
  // Loaded only where a plot is asked for: it takes longer than most releases.
  const { plotQuantiles } = await import('./plot.js');
  writeFileSync(path, plotQuantiles({ release, texts, column, valueUnit }));
  terminal.say('Plot', path);
}
