import { z } from 'zod';
import { type ErrorCode, ScumbleError } from '../errors.js';
import { type PrivacyUnit, relations } from '../privacy/guarantee.js';
import { budgetUnits, spendUnits, type Units } from './amount.js';
import type { Budget, BudgetUnit, Protection, SpendRequest } from './ledger.js';

export interface CheckedBudget extends Protection, Units {
  readonly dataset: string;
}

export interface CheckedSpend extends CheckedBudget {
  readonly maxRows: number | null;
  readonly mechanism: string;
}

const dataset = z.string().min(1);
const relation = z.enum(relations);
const column = z.string().min(1);
const simple = z.enum(['row', 'count']);
const budget = z.object({ dataset, relation, unit: simple.or(z.object({ column })) });
const spend = z.object({
  dataset,
  relation,
  unit: simple.or(z.object({ column, maxRows: z.int().min(1) })),
  mechanism: z.string().min(1),
});

const codes: Record<string, [ErrorCode, string]> = {
  dataset: ['dataset_required', 'The data set must have a name of at least one character.'],
  relation: ['relation_invalid', 'The relation must be add-remove or swap.'],
  unit: ['unit_invalid', 'The unit must be row, count or a column, with at least 1 row per unit.'],
  mechanism: ['option_invalid', 'The mechanism must have a name of at least one character.'],
};

export function checkBudget(name: string, { relation, unit, epsilon, delta = 0 }: Budget): CheckedBudget {
  const checked = check(budget, { dataset: name, relation, unit });
  return { ...checked, ...budgetUnits(epsilon, delta) };
}

export function checkSpend({ dataset, guarantee, mechanism }: SpendRequest): CheckedSpend {
  const { relation, unit, epsilon, delta } = guarantee;
  const checked = check(spend, { dataset, relation, unit, mechanism });
  const maxRows = typeof checked.unit === 'string' ? null : checked.unit.maxRows;
  return { ...checked, unit: budgetUnit(checked.unit), maxRows, ...spendUnits(epsilon, delta) };
}

function budgetUnit(unit: PrivacyUnit): BudgetUnit {
  return typeof unit === 'string' ? unit : { column: unit.column };
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const option = String(parsed.error.issues[0]?.path[0]);
  const [code, message] = codes[option]!;
  throw new ScumbleError(code, message, { option });
}
