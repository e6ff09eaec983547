import { ScumbleError, throwIfAborted } from '../errors.js';
import { arraySource, type NumberArray } from './array.js';
import type { RankSource } from './source.js';

/** Numbers in memory; what is no number counts as a null. */
export type Numbers = Iterable<number | bigint | null | undefined> | AsyncIterable<number | bigint | null | undefined>;

const floats = ['Float64Array', 'Float32Array'];
const integers = 'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array'.split(' ');
const bigIntegers = ['BigInt64Array', 'BigUint64Array'];

/**
 * The source that values stand for. A typed array of numbers is read where it is and must not change before the release
 * is done; other iterables are read once into memory. What is neither a number nor a bigint counts as a null, and so does
 * NaN. Integer typed arrays are declared integers.
 *
 * @throws ScumbleError `values_invalid` when the values are neither iterable nor a {@link RankSource}, `aborted`.
 */
export async function sourceOf(values: Numbers | RankSource, signal?: AbortSignal): Promise<RankSource> {
  if (isObject(values)) {
    if ('open' in values && typeof values.open === 'function') return values;
    const type = typeOf(values);
    if (floats.includes(type)) return arraySource(values as unknown as NumberArray, false);
    if (integers.includes(type)) return arraySource(values as unknown as NumberArray, true);
    if (bigIntegers.includes(type)) return arraySource(Float64Array.from(values as Iterable<bigint>, Number), true);
    if (Symbol.iterator in values || Symbol.asyncIterator in values)
      return arraySource(await collect(values, signal), false);
  }
  throw new ScumbleError(
    'values_invalid',
    'The values must be a typed array, an iterable or async iterable of numbers, or a rank source.',
  );
}

function typeOf(values: unknown): string {
  return Object.prototype.toString.call(values).slice('[object '.length, -1);
}

/** Whether the values are declared integers by their type, never by what they are. */
export function isIntegerArray(values: unknown): boolean {
  return [...integers, ...bigIntegers].includes(typeOf(values));
}

/** Strings are iterable, but not of numbers. */
function isObject(values: unknown): boolean {
  return typeof values === 'object' && values !== null && !(values instanceof String);
}

async function collect(values: Numbers, signal: AbortSignal | undefined): Promise<Float64Array> {
  let numbers = new Float64Array(Array.isArray(values) ? values.length : 1024);
  let length = 0;
  const add = (value: unknown) => {
    if (length === numbers.length) {
      const larger = new Float64Array(Math.max(1024, 2 * length));
      larger.set(numbers);
      numbers = larger;
    }
    numbers[length++] = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : NaN;
  };
  throwIfAborted(signal);
  if (Symbol.iterator in values) for (const value of values) add(value);
  else
    for await (const value of values) {
      throwIfAborted(signal);
      add(value);
    }
  return numbers.subarray(0, length);
}
