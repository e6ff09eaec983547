import { ScumbleError } from '../errors.js';

/**
 * Refuses a plan that needs more runs than the caller allows.
 *
 * @param runs their number; infinity where it is far too large, and `log`, its logarithm, says how large.
 * @throws ScumbleError `option_invalid`, with the number.
 */
export function checkMaxRuns(what: string, runs: number, maxRuns: number, log = Math.log(runs)): void {
  if (runs <= maxRuns) return;
  const shown = runs < 1e6 ? String(runs) : aboutPower(log);
  throw new ScumbleError('option_invalid', `${what} needs ${shown} runs; the option maxRuns allows ${maxRuns}.`, {
    option: 'maxRuns',
    runs: shown,
    maxRuns,
  });
}

/** e^log with two digits, also where no double holds it. */
function aboutPower(log: number): string {
  const decimals = log / Math.LN10;
  const exponent = Math.floor(decimals);
  return `about ${(10 ** (decimals - exponent)).toFixed(1)}e${exponent}`;
}
