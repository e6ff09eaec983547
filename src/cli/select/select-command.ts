import type { Command } from 'commander';
import { defaultLedger } from '../ledger-file.js';
import type { Terminal } from '../terminal.js';
import { runSelect, type SelectFlags } from './run-select.js';

const examples = `
Examples:
  scumble select tune.yaml --dry-run
  scumble select tune.yaml --json
  scumble select tune.yaml --state tune.state --resume

The file says what is tried and what it may cost:

  parameters: { rate: [0.01, 0.1, 1], clip: [0.5, 2] }   # a grid; or a list of settings
  command: node train.js --rate {rate} --clip {clip} --epsilon {epsilon} --delta {delta}
  total: { epsilon: 1, delta: 1e-6 }       # or run: what one run may cost
  score: { min: 0, max: 1 }                # a run whose score lies outside has failed
  stopping: { rule: random-stopping, gamma: 0.05 }
  dataset: adult                           # its name in the ledger

Other keys: relation, unit, timeout (seconds), concurrency, maxRuns, state, ledger. Rules: threshold (tau, gamma, cap),
random-stopping (gamma), hard-stopping (gamma, cap), negative-binomial (eta, gamma), logarithmic (gamma), poisson (mean).

A run is a process of its own; no shell reads the command. The last line of its standard output is a JSON object with
score and, if wanted, output. A run that fails, takes too long or prints no such line ranks below all others. How many runs
there were and how the others scored is private, and not shown.

--json prints { outcome, parameters, output, score, guarantee: { relation, unit, epsilon, delta }, dataset,
ledger: { reserved, remaining } or null when resumed, version }; outcome is selected or none.`;

/** `scumble select`. */
export function addSelectCommand(program: Command, terminal: Terminal): void {
  program
    .command('select')
    .description('Select the best of private runs, such as trainings with different parameters, at a total price.')
    .argument('<file>', 'a YAML file that says what to run and what it may cost')
    .option('--dry-run', 'print the price of a run, the total and the number of runs; nothing is run')
    .option(
      '--state <path>',
      'a file from which the selection can be resumed when it is broken off; removed at the end',
    )
    .option('--resume', 'go on with the selection in the state, which has been paid for')
    .option('--ledger <path>', `the ledger file (default: ${defaultLedger})`)
    .option('--unsafe-report', 'show every run and what it says on standard error: NOT private, for tests alone')
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'no talk on standard error')
    .addHelpText('after', examples)
    .action((file: string, flags: SelectFlags) => {
      terminal.quiet = flags.quiet === true;
      return runSelect(file, flags, terminal);
    });
}
