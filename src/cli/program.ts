import { Command } from 'commander';
import { addAuditCommand } from './audit-command.js';
import { addBudgetCommand } from './budget-command.js';
import { describeFailure, exitCodes, exitCodesHelp } from './exit.js';
import { addLedgerCommand } from './ledger-command.js';
import { addPlanCommand, addQuantilesCommand } from './quantiles-command.js';
import { demandRequired } from './required-option.js';
import { addSelectCommand } from './select/select-command.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';

const examples = `
Examples:
  scumble plan trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 1
  scumble budget set trips.csv --epsilon 3
  scumble quantiles trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 1
  scumble ledger trips.csv`;

/** Runs one command line and returns its exit code; nothing is thrown. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { exitCode, message } = describeFailure(error, terminal.signal.aborted);
    if (message !== undefined) terminal.fail(message);
    return exitCode;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('scumble')
    .description('Differentially private quantiles and selection, with a durable privacy budget.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.answer(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Commander's errors are thrown, and reported in one place.
      outputError: () => {},
    })
    .hook('preAction', (_, command) => demandRequired(command))
    .addHelpText('after', `${examples}\n${exitCodesHelp}`);
  addQuantilesCommand(program, terminal);
  addPlanCommand(program, terminal);
  addSelectCommand(program, terminal);
  addBudgetCommand(program, terminal);
  addLedgerCommand(program, terminal);
  addAuditCommand(program, terminal);
  return program;
}
