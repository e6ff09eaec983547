import { type ErrorCode, ScumbleError } from '../errors.js';

/** @throws ScumbleError unless the option holds; `is` says what is allowed. What was given is told where it is short and public. */
export function check(
  option: string,
  holds: boolean,
  is: string,
  given?: number | string,
  code: ErrorCode = 'option_invalid',
): void {
  if (holds) return;
  const instead = given === undefined ? '' : `, not ${given}`;
  throw new ScumbleError(code, `The option ${option} must be ${is}${instead}.`, { option });
}

/** A finite number greater than 0. */
export function checkPositive(option: string, given: number, code?: ErrorCode): void {
  check(option, given > 0 && given < Number.POSITIVE_INFINITY, 'a finite number greater than 0', given, code);
}

/** A number strictly between 0 and 1. */
export function checkShare(option: string, given: number, code?: ErrorCode): void {
  check(option, given > 0 && given < 1, 'a number strictly between 0 and 1', given, code);
}

/** A whole number of at least 1. */
export function checkCount(option: string, given: number, most = Number.MAX_SAFE_INTEGER): void {
  check(option, Number.isInteger(given) && given >= 1 && given <= most, `a whole number from 1 to ${most}`, given);
}

/** The least gamma: with less, the number of runs could pass 2^53. */
export const minGamma = 1e-12;

/** A coin that stops, in `[minGamma, 1]`. */
export function checkGamma(gamma: number): void {
  check('gamma', gamma >= minGamma && gamma <= 1, `a number from ${minGamma} to 1`, gamma);
}

/** What a cap costs beside what runs cost. */
export function checkCapSlack(slack: number): void {
  check('capSlack', slack > 0 && slack <= 1, 'a number greater than 0 and at most 1', slack);
}
