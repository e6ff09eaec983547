import type { Command } from 'commander';
import { ScumbleError } from '../errors.js';
import type { DistributionShape } from '../ranks/distribution.js';
import { parseNumberOption, parseReference } from './parse.js';
import { aboutFile, checkPublicFile, publicFlags } from './public-file.js';
import type { CommonFlags } from './quantiles-flags.js';
import { addQuantilesOptions, epsilonOption } from './quantiles-options.js';
import { checkSource } from './source.js';

/** The options of `plan`: one of the first two is given. */
export interface PlanFlags extends CommonFlags {
  /** As written. */
  readonly epsilon?: string;
  /** In records. */
  readonly rankError?: number;
  /** A named distribution, or the path of a public file. */
  readonly reference?: DistributionShape | string;
}

/** Adds the options of `quantiles` and those of `plan` alone. */
export function addPlanOptions(command: Command): Command {
  return addQuantilesOptions(command, epsilonOption(false))
    .option(
      '--rank-error <records>',
      'in place of --epsilon: find the epsilon that keeps the expected rank error of every quantile within so many records',
      (text) => parseNumberOption('--rank-error', text, 'a number greater than 0'),
    )
    .option(
      '--reference <reference>',
      'forecast on uniform, gaussian:location,scale, laplace: or cauchy: (with --about-rows), or on a public file that is read with the same options; its rows are not protected; with --group-by it is what each group looks like',
      parseReference,
    );
}

/** Refuses options that do not go together, before anything is opened. */
export async function checkPlan(file: string, flags: PlanFlags): Promise<void> {
  const { epsilon, rankError, reference, aboutRows, groupBy } = flags;
  if (epsilon === undefined && rankError === undefined)
    throw new ScumbleError('option_invalid', '--epsilon is required, or --rank-error to find it.');
  if (epsilon !== undefined && rankError !== undefined)
    throw new ScumbleError(
      'option_invalid',
      '--rank-error cannot be used with --epsilon: either follows from the other.',
    );
  if (groupBy !== undefined && rankError !== undefined && reference !== undefined)
    throw new ScumbleError(
      'option_invalid',
      '--rank-error with --reference cannot be used with --group-by; leave --reference out, or give --epsilon, or plan one group by itself.',
    );
  if (typeof reference === 'object' && aboutRows === undefined)
    throw new ScumbleError(
      'option_invalid',
      '--reference needs --about-rows, the number of records to take from the distribution.',
    );
  if (typeof reference === 'string') {
    await checkPublicFile(
      '--reference',
      reference,
      [file, flags.dataset ?? file],
      'what is in it shows in the forecast',
    );
    await aboutFile('--reference', reference, () => checkSource(reference, publicFlags(reference, file, flags)));
  }
}
