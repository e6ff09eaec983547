// The options of the experiments: each is read strictly, or refused in one sentence.
import { parseArgs } from 'node:util';
import { maxEpsilon } from '../dist/index.js';

/** The call is wrong, or a file that it needs is absent. */
export class UsageError extends Error {}

/** Ways to read an option's text: undefined for what is not allowed. */
export const whole = {
  allowed: 'a whole number of at least 1',
  read: (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
};

export const positive = {
  allowed: `a number greater than 0 and at most ${maxEpsilon}`,
  read: (text) => (text.trim() === text && Number(text) > 0 && Number(text) <= maxEpsilon ? Number(text) : undefined),
};

export const oneOf = (names) => ({
  allowed: `one of ${names.join(', ')}`,
  read: (text) => names.find((name) => name === text),
});

export const listOf = ({ allowed, read }) => ({
  allowed: `${allowed}, or several with commas between them`,
  read(text) {
    const parts = text.split(',').map(read);
    return parts.includes(undefined) ? undefined : parts;
  },
});

/** `kinds`: by name a way to read and a default text, or false for an option without a value. */
export function optionsOf(args, kinds) {
  const entries = Object.entries(kinds);
  const { values } = parsed(
    args,
    entries.map(([name, kind]) => [name, kind ? { type: 'string', default: kind.default } : { type: 'boolean' }]),
  );
  const given = entries.map(([name, kind]) => {
    if (!kind) return [name, values[name] === true];
    const value = kind.read(values[name]);
    if (value === undefined) throw new UsageError(`--${name} must be ${kind.allowed}, not "${values[name]}".`);
    return [name, value];
  });
  return Object.fromEntries(given);
}

function parsed(args, entries) {
  try {
    return parseArgs({ args, options: Object.fromEntries(entries) });
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [what] = error.message.split(/\.(?:\s|$)/);
    const names = entries.map(([name]) => `--${name}`).join(', ');
    throw new UsageError(`${what}; ${names ? `the options are ${names}` : 'this experiment takes none'}.`);
  }
}
