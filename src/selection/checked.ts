import { type ErrorCode, ScumbleError } from '../errors.js';

/** Throws unless the option is as it must be; the sentence names the option and what is allowed. */
export function must(holds: boolean, option: string, be: string, given: unknown, code: ErrorCode = 'option_invalid') {
  if (!holds) throw new ScumbleError(code, `The option ${option} must be ${be}, not ${String(given)}.`, { option });
}

/** A finite number greater than 0. */
export function mustBePositive(option: string, given: number, code?: ErrorCode) {
  must(Number.isFinite(given) && given > 0, option, 'a finite number greater than 0', given, code);
}

/** A number strictly between 0 and 1. */
export function mustBeShare(option: string, given: number, code?: ErrorCode) {
  must(given > 0 && given < 1, option, 'a number strictly between 0 and 1', given, code);
}

/** A whole number of at least `least`. */
export function mustCount(option: string, given: number, least = 1) {
  must(Number.isSafeInteger(given) && given >= least, option, `a whole number from ${least} to 2^53 - 1`, given);
}
