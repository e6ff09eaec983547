import { z } from 'zod';
import { shown, shownName } from '../../quantiles/shown.js';

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

/**
 * The first thing that is wrong, as one sentence after "In the file, …". A file that is no map is none that was written for
 * this, and may be the data: only of what kind it is is said.
 */
export function firstWrong(error: z.core.$ZodError, content: unknown): { key: string; sentence: string } {
  const [issue] = error.issues;
  if (!isMap(content))
    return { key: 'all of it', sentence: `all of it must be ${issue.message}, not ${kindOf(content)}` };
  const subject = issue.path.map((name) => shownName(String(name))).join('.') || 'all of it';
  if (issue.code === 'unrecognized_keys')
    return {
      key: subject,
      sentence: `there is no key ${shownName(issue.keys[0])}; ${subject} must be ${issue.message}`,
    };
  const found = issue.path.reduce<unknown>(
    (value, name) => (value as Record<PropertyKey, unknown> | null)?.[name],
    content,
  );
  const wrong = found === undefined ? 'is missing; it' : '';
  const instead = found === undefined ? '' : `, not ${shown(found)}`;
  return { key: subject, sentence: `${[subject, wrong].join(' ').trim()} must be ${issue.message}${instead}` };
}

function isMap(content: unknown): boolean {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

function kindOf(content: unknown): string {
  if (content === null || content === undefined) return 'nothing';
  if (Array.isArray(content)) return 'a list';
  if (typeof content === 'boolean') return 'true or false';
  return typeof content === 'string' ? 'text' : 'a number';
}
