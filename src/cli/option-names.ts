import type { ErrorCode, ScumbleError } from '../errors.js';

/** The option of the command that an error of the library speaks about, where its sentence does not name it itself. */
const optionOfCode: Partial<Record<ErrorCode, string>> = {
  bounds_invalid: '--bounds',
  step_invalid: '--step',
  lattice_too_large: '--step',
  quantiles_invalid: '--quantiles',
  epsilon_invalid: '--epsilon',
  delta_invalid: '--delta',
  method_invalid: '--method',
  prior_invalid: '--prior',
  relation_invalid: '--relation',
  unit_invalid: '--unit',
  where_invalid: '--where',
  dataset_required: '--dataset',
  column_not_found: '--column',
  type_not_numeric: '--column',
  table_not_found: '--table',
  ledger_unusable: '--ledger',
};

/** Where the command has another name for an option of the library than its own in kebab case. */
const otherNames: Readonly<Record<string, string>> = {
  file: '<file>',
  header: '--no-header',
  rowsPerUnit: '--max-rows',
  priors: '--prior',
};

/** For example `--bounds`; undefined when the message names it or no option is to blame. */
export function optionOfError(error: ScumbleError): string | undefined {
  if (error.message.startsWith('--')) return undefined;
  const option = blamed(error);
  return option === undefined || error.message.includes(option) ? undefined : option;
}

function blamed({ code, details: { option } }: ScumbleError): string | undefined {
  const named = ['option_invalid', 'amount_invalid', 'column_not_found', 'type_not_numeric', 'groups_invalid'].includes(
    code,
  );
  if (!named || typeof option !== 'string') return optionOfCode[code];
  return otherNames[option] ?? `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
