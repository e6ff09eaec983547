import { z } from 'zod';
import { shown } from '../../quantiles/shown.js';

/* What a key of a file may hold; the message of each schema is what is allowed, in words that go after "must be". */

export function numberThat(allowed: string, fits: (x: number) => boolean) {
  return z.custom<number>((x) => typeof x === 'number' && Number.isFinite(x) && fits(x), allowed);
}

export const finite = numberThat('a number', () => true);

export function whole(most = Number.MAX_SAFE_INTEGER) {
  const allowed =
    most === Number.MAX_SAFE_INTEGER ? 'a whole number of at least 1' : `a whole number from 1 to ${most}`;
  return numberThat(allowed, (x) => Number.isInteger(x) && x >= 1 && x <= most);
}

export const text = z.custom<string>((x) => typeof x === 'string' && x !== '', 'a text that is not empty');

export function oneOf<T extends string>(names: readonly T[]) {
  return z.enum(names, listed(names));
}

/** `one of a, b`. */
export function listed(names: readonly string[]): string {
  return `one of ${names.join(', ')}`;
}

/** Keys of which all are known. */
export function map<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, mapOf(Object.keys(shape)));
}

export function mapOf(keys: readonly string[]): string {
  return `a map of ${keys.join(', ')}`;
}

/** The first thing that is wrong, as one sentence after "In the file, …". The file is written by its user: it is not private. */
export function firstWrong(error: z.core.$ZodError, content: unknown): { key: string; sentence: string } {
  const [issue] = error.issues;
  const key = issue.path.join('.');
  const subject = key === '' ? 'all of it' : key;
  if (issue.code === 'unrecognized_keys')
    return { key: subject, sentence: `there is no key ${issue.keys[0]}; ${subject} must be ${issue.message}` };
  const found = issue.path.reduce<unknown>(
    (value, name) => (value as Record<PropertyKey, unknown> | null)?.[name],
    content,
  );
  const wrong = found === undefined ? 'is missing; it' : '';
  const instead = found === undefined ? '' : `, not ${shown(found)}`;
  return { key: subject, sentence: `${[subject, wrong].join(' ').trim()} must be ${issue.message}${instead}` };
}
