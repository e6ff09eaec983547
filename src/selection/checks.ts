import { type ErrorCode, ScumbleError } from '../errors.js';

/** @throws ScumbleError when the option is not a number that passes; `is` says what is allowed. */
export function check(option: string, ok: boolean, is: string, code: ErrorCode = 'option_invalid'): void {
  if (!ok) throw new ScumbleError(code, `The option ${option} must be ${is}.`, { option });
}

/** The least gamma: with less, the number of runs could pass 2^53. */
export const minGamma = 1e-12;

/** A coin that stops, in `[minGamma, 1]`. */
export function checkGamma(gamma: number): void {
  check('gamma', gamma >= minGamma && gamma <= 1, `a number from ${minGamma} to 1`);
}

/** A limit to the number of runs. */
export function checkCap(cap: number): void {
  check('cap', Number.isSafeInteger(cap) && cap >= 1, 'a whole number of runs, at least 1');
}
