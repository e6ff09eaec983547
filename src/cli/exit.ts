import { CommanderError } from 'commander';
import { type ErrorGroup, ScumbleError } from '../errors.js';
import { optionOfError } from './option-names.js';
import { unexpected } from './terminal.js';

/** What the command's exit code means; the same list stands in `scumble --help`. The process knows which signal it was. */
export const exitCodes: Readonly<Record<ErrorGroup | 'done', number>> = {
  done: 0,
  internal: 1,
  usage: 2,
  budget: 3,
  data: 4,
  aborted: 130,
};

export const exitCodesHelp = `
Exit codes:
  0    done
  1    unexpected failure (after the cost was reserved: the spend stays), or an audit that found a larger loss
  2    wrong usage; nothing was spent
  3    refused by the budget; nothing was spent
  4    the data do not fit: no such file, column or table, or a type that is not numeric; nothing was spent
  130  interrupted (what was reserved stays spent); 129 when hung up, 143 when terminated`;

export interface Failure {
  readonly exitCode: number;
  /** One sentence for standard error; undefined where everything has been said. */
  readonly message?: string;
}

/**
 * The exit code and the sentence of an error. Only messages written by this package or by the option parser are shown:
 * the text of any other error may quote data.
 */
export function describeFailure(error: unknown, interrupted: boolean): Failure {
  // Whatever an interrupted command then stumbles over is no news.
  if (interrupted) return { exitCode: exitCodes.aborted, message: 'Interrupted; what was reserved stays spent.' };
  if (error instanceof ScumbleError) {
    const option = optionOfError(error);
    const message = option === undefined ? error.message : `${option}: ${error.message}`;
    return { exitCode: exitCodes[error.group], message };
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: exitCodes.done };
    if (error.code === 'commander.help') return { exitCode: exitCodes.usage };
    return { exitCode: exitCodes.usage, message: sentence(error.message) };
  }
  return { exitCode: exitCodes.internal, message: unexpected };
}

/** Commander writes `error: unknown option '--x'` and sometimes a suggestion on a second line. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
