import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ScumbleError } from '../../errors.js';
import { relations } from '../../privacy/guarantee.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const cost = z.strictObject({ epsilon: z.number().gt(0), delta: z.number().gte(0).lt(1).default(0) });
const gamma = z.number().gt(0).lte(1);
const whole = z.int().min(1);
const rules = [
  z.strictObject({
    rule: z.literal('threshold'),
    tau: z.number(),
    gamma: z.number().gte(0).lte(1),
    cap: whole.optional(),
  }),
  z.strictObject({ rule: z.literal('random-stopping'), gamma }),
  z.strictObject({ rule: z.literal('hard-stopping'), gamma, cap: whole }),
  z.strictObject({ rule: z.literal('negative-binomial'), eta: z.number().gt(-1), gamma: gamma.lt(1) }),
  z.strictObject({ rule: z.literal('logarithmic'), gamma: gamma.lt(1) }),
  z.strictObject({ rule: z.literal('poisson'), mean: z.number().gt(0) }),
  z.strictObject({
    rule: z.literal('unknown-threshold'),
    grid: whole,
    searchEpsilon: z.number(),
    couplingSlack: z.number(),
    capSlack: z.number(),
    delta: z.number(),
    beta: z.number(),
  }),
] as const;

const schema = z.strictObject({
  /** A grid, from name to values; or a list of settings. */
  parameters: z.union([z.record(z.string(), z.array(scalar).min(1)), z.array(z.record(z.string(), scalar)).min(1)]),
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  run: cost.optional(),
  total: cost.optional(),
  score: z
    .strictObject({ min: z.number(), max: z.number() })
    .refine(({ min, max }) => min < max, 'min must be less than max'),
  stopping: z.discriminatedUnion('rule', rules),
  relation: z.enum(relations).default('add-remove'),
  unit: z.union([z.literal('row'), z.strictObject({ column: z.string().min(1), maxRows: whole })]).default('row'),
  /** Seconds that a run may take. */
  timeout: z.number().gt(0).lte(1_000_000).optional(),
  concurrency: whole.max(1024).default(1),
  maxRuns: whole.optional(),
  state: z.string().min(1).optional(),
  ledger: z.string().min(1).optional(),
  dataset: z.string().min(1),
});

/** What a file for `scumble select` says. */
export type Tune = z.infer<typeof schema>;

/** Reads and checks the file. @throws ScumbleError `file_unreadable` or `option_invalid`, naming the key to blame. */
export function readTune(file: string): Tune {
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const where = error instanceof Error && 'linePos' in error ? lineOf(error.linePos) : '';
    const why = where === '' ? 'cannot be read' : `is not YAML${where}`;
    throw new ScumbleError('file_unreadable', `The file ${file} ${why}.`, { file });
  }
  const { success, data, error } = schema.safeParse(content, { reportInput: false });
  if (success) return data;
  const [issue] = error.issues;
  const key = issue.path.join('.') || 'file';
  const what = issue.code === 'unrecognized_keys' ? `there is no key ${issue.keys[0]}` : lowered(issue.message);
  throw new ScumbleError('option_invalid', `In ${file}, ${key}: ${what}.`, { key });
}

function lineOf(positions: unknown): string {
  const [position] = Array.isArray(positions) ? (positions as { line: number; col: number }[]) : [];
  return position ? ` at line ${position.line}, column ${position.col}` : '';
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
