import { type Command, Option } from 'commander';
import { ScumbleError } from '../errors.js';

/**
 * An option that must be given. Commander demands its own required options before it looks for misspelt ones, of which
 * it would then say that they are missing.
 */
export class RequiredOption extends Option {
  constructor(
    flags: string,
    private readonly what: string,
  ) {
    super(flags, `${what} (required)`);
  }

  /** @throws ScumbleError `option_invalid` when the command line has not got it. */
  demand(command: Command): void {
    if (command.getOptionValue(this.attributeName()) === undefined)
      throw new ScumbleError('option_invalid', `${this.long} is required: ${this.what}.`);
  }
}

/** Demands what a command cannot do without, first things first. */
export function demandRequired(command: Command): void {
  for (const option of command.options) if (option instanceof RequiredOption) option.demand(command);
}
