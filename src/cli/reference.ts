import type { SourceFacts } from '../quantiles/plan.js';
import type { Reference } from '../quantiles/reference.js';
import type { PlanFlags } from './plan-options.js';
import { unitOf } from './quantiles-flags.js';
import { openSource } from './source.js';
import type { Terminal } from './terminal.js';

/** What a plan rests on: the public facts, and what `--reference` names. */
export interface Basis {
  readonly reference: Reference | undefined;
  readonly facts: SourceFacts;
}

/** Opens what `--reference` names for as long as it is used. */
export async function withBasis<T>(
  flags: PlanFlags,
  terminal: Terminal,
  use: (basis: Basis) => Promise<T>,
): Promise<T> {
  const { reference, aboutRows } = flags;
  const unit = unitOf(flags);
  // A distribution has a number of rows: checkPlan.
  if (typeof reference !== 'string')
    return use({ reference: reference && { ...reference, rows: Number(aboutRows) }, facts: { unit } });
  // Of groups it is one.
  const { groupBy: _, ...whole } = flags;
  const source = await openSource(reference, whole, terminal.signal, () => {});
  try {
    return await use({ reference: source, facts: { unit, integer: source.integer } });
  } finally {
    await source.close();
  }
}
