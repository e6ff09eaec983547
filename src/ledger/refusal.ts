import { ScumbleError } from '../errors.js';
import { amountText, atLeastZero, minus, type Units } from './amount.js';
import type { Protection } from './ledger.js';

/** The budget does not cover what is asked. All of it is public: amounts asked for and amounts granted. */
export function exceeded(dataset: string, budget: Units, spent: Units, asked: Units): ScumbleError {
  const left = atLeastZero(minus(budget, spent));
  const lacking = asked.epsilon > left.epsilon ? 'epsilon' : 'delta';
  const details = { asked: amountText(asked), remaining: amountText(left), budget: amountText(budget) };
  return new ScumbleError(
    'budget_exceeded',
    `The budget of "${dataset}" has ${lacking} ${details.remaining[lacking]} of ${details.budget[lacking]} left, and this asks for ${details.asked[lacking]}.`,
    { dataset, ...details },
  );
}

/** What is asked for is counted differently from the budget, or from the spends that a budget would have to count. */
export function mismatch(
  dataset: string,
  asked: Protection,
  held: Protection,
  holder: 'budget' | 'spends',
): ScumbleError {
  const subject = holder === 'budget' ? 'a budget' : 'spends';
  return new ScumbleError(
    'budget_mismatch',
    `The data set "${dataset}" has ${subject} under ${describe(held)}, which cannot be counted together with ${describe(asked)}; use the same relation and unit.`,
    {
      dataset,
      asked: { relation: asked.relation, unit: asked.unit },
      [holder]: { relation: held.relation, unit: held.unit },
    },
  );
}

export function sameProtection(a: Protection, b: Protection): boolean {
  return a.relation === b.relation && columnOf(a) === columnOf(b);
}

/** Stands for a unit of count where the ledger keeps the column of a unit; no column has an empty name there. */
export const countColumn = '';

/** How the ledger keeps a unit: null when each row is its own. */
export function columnOf({ unit }: Protection): string | null {
  if (unit === 'row') return null;
  return unit === 'count' ? countColumn : unit.column;
}

function describe({ relation, unit }: Protection): string {
  return `relation ${relation} and unit ${typeof unit === 'string' ? unit : `column "${unit.column}"`}`;
}
