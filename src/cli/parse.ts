import { headerFields } from '../engines/duckdb/records.js';
import { type ErrorCode, ScumbleError } from '../errors.js';
import type { Prior } from '../lattice/prior.js';
import type { QuantileList } from '../quantiles/quantile-list.js';
import type { DistributionShape } from '../ranks/distribution.js';
import type { Mix, PublicFile } from './priors.js';

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite decimal number and nothing else: no blanks, hexadecimal, Infinity or text that overflows. */
export function parseNumber(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Refuses an option's text: says which option, what is allowed, and what was given. */
export function refuse(option: string, allowed: string, text: string, code: ErrorCode = 'option_invalid'): never {
  throw new ScumbleError(code, `${option} must be ${allowed}, not "${text}".`, { option, value: text });
}

/** A decimal number; the library checks its range. */
export function parseNumberOption(option: string, text: string, allowed: string, code?: ErrorCode): number {
  return parseNumber(text) ?? refuse(option, allowed, text, code);
}

/** The same, kept as written: the ledger accounts for decimals, not for doubles. */
export function parseDecimalOption(option: string, text: string, allowed: string, code: ErrorCode): string {
  parseNumberOption(option, text, allowed, code);
  return text;
}

/** A whole number from `least` to 2^53 - 1 in plain digits. */
export function parseWholeOption(option: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && Number.isSafeInteger(value)
    ? value
    : refuse(option, `a whole number from ${least} to 2^53 - 1 in plain digits`, text);
}

/** `lower,upper`. */
export function parseBounds(text: string): [number, number] {
  const allowed = 'two decimal numbers lower,upper such as --bounds=-100,1500';
  const parts = text.split(',').map(parseNumber);
  const [lower, upper] = parts;
  if (parts.length !== 2 || lower === undefined || upper === undefined)
    return refuse('--bounds', allowed, text, 'bounds_invalid');
  return [lower, upper];
}

/** A list of numbers, or a name that {@link QuantileList} knows (the library checks names and ranges). */
export function parseQuantiles(text: string): QuantileList {
  if (/^[a-z]/i.test(text)) return text as QuantileList;
  const allowed =
    'a list such as 0.1,0.5,0.9 of numbers strictly between 0 and 1, or median, quartiles, deciles, percentiles or count:30';
  return text.split(',').map((part) => parseNumberOption('--quantiles', part, allowed, 'quantiles_invalid'));
}

/** A line of CSV, added to those before; the library checks names. A blank after a comma would be part of a name. */
export function parseGroups(text: string, before: readonly string[] = []): readonly string[] {
  const names = headerFields(text, ',', '"');
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '""');
  if (names && !/(^|,)\s|\s(,|$)/.test(unquoted)) return [...before, ...names];
  return refuse(
    '--groups',
    'a list such as a,b,"c,d", where blanks around a name are in quotes',
    text,
    'groups_invalid',
  );
}

/** `family:location,scale`, `uniform`, or `public:` and a file. */
export function parsePrior(text: string): Prior | PublicFile {
  const allowed =
    'uniform, or cauchy, half-cauchy, laplace or gaussian with location and scale, such as cauchy:0,10, or public: with the path of a public file, such as public:last-year.csv or public:last-year.csv#minutes for another column';
  const [, file, column] = /^public:(.+?)(?:#([^#]*))?$/s.exec(text) ?? [];
  if (file !== undefined && column !== '') return { family: 'public', file, ...(column !== undefined && { column }) };
  return namedPrior(text) ?? refuse('--prior', allowed, text, 'prior_invalid');
}

function namedPrior(text: string): Prior | undefined {
  if (text === 'uniform') return { family: 'uniform' };
  const [, family, numbers] = /^(cauchy|half-cauchy|laplace|gaussian):(.*)$/.exec(text) ?? [];
  const parts = numbers?.split(',').map(parseNumber) ?? [];
  const [location, scale] = parts;
  if (parts.length !== 2 || location === undefined || scale === undefined) return undefined;
  return { family: family as 'cauchy', location, scale };
}

/** `0.1`, or `0.1:` and the wide prior; as a rule that is uniform on the bounds. */
export function parsePriorMix(text: string): Mix {
  const [, number, name] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const share = parseNumber(number ?? '');
  const robust = namedPrior(name ?? 'uniform');
  if (share !== undefined && share > 0 && share < 1 && robust) return { share, robust };
  const allowed =
    'a number strictly between 0 and 1, such as 0.1 for so much of a uniform prior, or one with another wide prior, such as 0.1:cauchy:0,10';
  return refuse('--prior-mix', allowed, text, 'prior_invalid');
}

/** A named distribution but for its number of rows, or else the path of a file. */
export function parseReference(text: string): string | DistributionShape {
  const [, family, , numbers] = /^(uniform|gaussian|laplace|cauchy)(:(.*))?$/.exec(text) ?? [];
  if (family === undefined) return text;
  if (family === 'uniform' && numbers === undefined) return { family };
  const allowed =
    'uniform, uniform:lower,upper, or gaussian, laplace or cauchy with location and scale such as gaussian:0,5, or a public file';
  const [a, b, ...more] = numbers?.split(',').map(parseNumber) ?? [];
  if (a === undefined || b === undefined || more.length > 0) return refuse('--reference', allowed, text);
  return family === 'uniform' ? { family, bounds: [a, b] } : { family: family as 'gaussian', location: a, scale: b };
}

/** One of a few words. */
export function parseChoice<T extends string>(
  option: string,
  text: string,
  choices: readonly T[],
  code?: ErrorCode,
): T {
  return choices.find((choice) => choice === text) ?? refuse(option, `one of ${choices.join(', ')}`, text, code);
}

/** `0.1`, or `0.1,0.2` for one for each quantile. */
export function parseSmoothing(text: string): number | number[] {
  const refused = () => refuse('--smoothing', 'a number greater than 0, or a list such as 0.1,0.2', text);
  const [first, ...rest] = text.split(',').map((part) => parseNumber(part) ?? refused());
  return rest.length > 0 ? [first, ...rest] : first;
}
