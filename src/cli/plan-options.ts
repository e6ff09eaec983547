import type { Command } from 'commander';
import { ScumbleError } from '../errors.js';
import { parseNumberOption } from './parse.js';
import type { CommonFlags } from './quantiles-flags.js';
import { addQuantilesOptions, epsilonOption } from './quantiles-options.js';

/** The options of `plan`: one of the first two is given. */
export interface PlanFlags extends CommonFlags {
  /** As written. */
  readonly epsilon?: string;
  /** In records. */
  readonly rankError?: number;
}

/** Adds the options of `quantiles` and those of `plan` alone. */
export function addPlanOptions(command: Command): Command {
  return addQuantilesOptions(command, epsilonOption(false)).option(
    '--rank-error <records>',
    'in place of --epsilon: find the epsilon that keeps the expected rank error of every quantile within so many records',
    (text) => parseNumberOption('--rank-error', text, 'a number greater than 0'),
  );
}

/** Refuses options that do not go together, before anything is opened. */
export function checkPlan({ epsilon, rankError }: PlanFlags): void {
  if (epsilon === undefined && rankError === undefined)
    throw new ScumbleError('option_invalid', '--epsilon is required, or --rank-error to find it.');
  if (epsilon !== undefined && rankError !== undefined)
    throw new ScumbleError(
      'option_invalid',
      '--rank-error cannot be used with --epsilon: either follows from the other.',
    );
}
