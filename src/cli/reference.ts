import type { SourceFacts } from '../quantiles/plan.js';
import type { Reference } from '../quantiles/reference.js';
import type { PlanFlags } from './plan-options.js';
import { Progress } from './progress.js';
import { aboutFile, publicFlags } from './public-file.js';
import { unitOf } from './quantiles-flags.js';
import { openSource } from './source.js';
import type { Terminal } from './terminal.js';

/** What a plan rests on: the public facts, and what `--reference` names. */
export interface Basis {
  readonly reference: Reference | undefined;
  readonly facts: SourceFacts;
}

/** Opens what `--reference` names for as long as it is used. That takes longer than a moment: a bar shows it. */
export async function withBasis<T>(
  data: string,
  flags: PlanFlags,
  terminal: Terminal,
  use: (basis: Basis) => Promise<T>,
): Promise<T> {
  const { reference, aboutRows } = flags;
  const unit = unitOf(flags);
  if (reference === undefined) return use({ reference, facts: { unit } });
  const progress = new Progress(terminal, 'trying');
  return progress.during(async () => {
    if (typeof reference !== 'string') {
      progress.report(1);
      // A distribution has a number of rows: checkPlan.
      return use({ reference: { ...reference, rows: Number(aboutRows) }, facts: { unit } });
    }
    const whole = publicFlags(reference, data, flags);
    const source = await aboutFile('--reference', reference, () =>
      openSource(reference, whole, terminal.signal, progress.report),
    );
    try {
      return await use({ reference: source, facts: { unit, integer: source.integer } });
    } finally {
      await source.close();
    }
  });
}
