import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ScumbleError } from '../../errors.js';
import { relations } from '../../privacy/guarantee.js';
import { finite, firstWrong, listed, map, numberThat, oneOf, text, whole } from './keys.js';

const amount = numberThat('a number greater than 0', (x) => x > 0);
const cost = map({
  epsilon: amount,
  delta: numberThat('a number of at least 0 and less than 1', (x) => x >= 0 && x < 1).default(0),
});
const gamma = numberThat('a number greater than 0 and at most 1', (x) => x > 0 && x <= 1);
const gammaBelow1 = numberThat('a number greater than 0 and less than 1', (x) => x > 0 && x < 1);
const rules = [
  map({
    rule: z.literal('threshold'),
    tau: finite,
    gamma: numberThat('a number from 0 to 1', (x) => x >= 0 && x <= 1),
    cap: whole().optional(),
  }),
  map({ rule: z.literal('random-stopping'), gamma }),
  map({ rule: z.literal('hard-stopping'), gamma, cap: whole() }),
  map({
    rule: z.literal('negative-binomial'),
    eta: numberThat('a number greater than -1', (x) => x > -1),
    gamma: gammaBelow1,
  }),
  map({ rule: z.literal('logarithmic'), gamma: gammaBelow1 }),
  map({ rule: z.literal('poisson'), mean: amount }),
  map({
    rule: z.literal('unknown-threshold'),
    grid: whole(),
    searchEpsilon: finite,
    couplingSlack: finite,
    capSlack: finite,
    delta: finite,
    beta: finite,
  }),
] as const;
const ruleNames = rules.map(({ shape }) => shape.rule.value);

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const aValue = 'a list of at least one text, number, true or false';
const someParameters = `a map from each name to ${aValue}, or a list of maps from each name to one of these`;
const someCommand = 'a text or a list of texts, the program first';

const schema = map({
  /** A grid, from name to values; or a list of settings. */
  parameters: z.union(
    [
      z.record(z.string(), z.array(scalar).min(1, aValue)),
      z.array(z.record(z.string(), scalar)).min(1, someParameters),
    ],
    someParameters,
  ),
  command: z.union([z.string().min(1, someCommand), z.array(z.string()).min(1, someCommand)], someCommand),
  run: cost.optional(),
  total: cost.optional(),
  score: map({ min: finite, max: finite }).refine(({ min, max }) => min < max, {
    message: 'a number greater than score.min',
    path: ['max'],
  }),
  stopping: z.discriminatedUnion('rule', rules, {
    error: ({ code }) => (code === 'invalid_union' ? listed(ruleNames) : `a map with a rule, ${listed(ruleNames)}`),
  }),
  relation: oneOf(relations).default('add-remove'),
  unit: z
    .union(
      [z.literal('row'), z.strictObject({ column: text, maxRows: whole() })],
      'row, or a map of column, its name, and maxRows, a whole number of at least 1',
    )
    .default('row'),
  /** Seconds that a run may take. */
  timeout: numberThat(
    'a number of seconds greater than 0 and at most 1000000',
    (x) => x > 0 && x <= 1_000_000,
  ).optional(),
  concurrency: whole(1024).default(1),
  maxRuns: whole().optional(),
  state: text.optional(),
  ledger: text.optional(),
  dataset: text,
});

/** What a file for `scumble select` says. */
export type Tune = z.infer<typeof schema>;

/** Reads and checks the file. @throws ScumbleError `file_unreadable` or `option_invalid`, naming the key to blame. */
export function readTune(file: string): Tune {
  let content: unknown;
  try {
    // Warnings quote the file, which may not be the one that was meant.
    content = parse(readFileSync(file, 'utf8'), { logLevel: 'error', stringKeys: true });
  } catch (error) {
    const where = error instanceof Error && 'linePos' in error ? lineOf(error.linePos) : '';
    const why = where === '' ? 'cannot be read' : `is not YAML${where}`;
    throw new ScumbleError('file_unreadable', `The file ${file} ${why}.`, { file });
  }
  const { success, data, error } = schema.safeParse(content);
  if (success) return data;
  const { key, sentence } = firstWrong(error, content);
  throw new ScumbleError('option_invalid', `In ${file}, ${sentence}.`, { key });
}

function lineOf(positions: unknown): string {
  const [position] = Array.isArray(positions) ? (positions as { line: number; col: number }[]) : [];
  return position ? ` at line ${position.line}, column ${position.col}` : '';
}
