import { ScumbleError } from '../errors.js';

/** A number of runs as a message shows it; `log` is its logarithm, for numbers that no double holds. */
function shownCount(runs: number, log: number): string {
  if (runs < 1e6) return String(runs);
  const decimals = log / Math.LN10;
  const exponent = Math.floor(decimals);
  return `about ${(10 ** (decimals - exponent)).toFixed(1)}e${exponent}`;
}

/**
 * Refuses a plan that needs more runs than the caller allows.
 *
 * @param runs their number; infinity where only the logarithm is a double.
 * @throws ScumbleError `option_invalid`, with the number.
 */
export function mustAfford(what: string, runs: number, log: number, maxRuns: number) {
  if (runs <= maxRuns) return;
  const shown = shownCount(runs, log);
  throw new ScumbleError('option_invalid', `${what} needs ${shown} runs; the option maxRuns allows ${maxRuns}.`, {
    option: 'maxRuns',
    runs: shown,
    maxRuns,
  });
}
