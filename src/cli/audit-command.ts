import type { Command } from 'commander';
import type { QuantilesAuditResult } from '../audit/index.js';
import { ScumbleError } from '../errors.js';
import type { Relation } from '../privacy/guarantee.js';
import type { TreeOptions } from '../quantiles/method.js';
import { planQuantiles } from '../quantiles/plan.js';
import type { QuantileList } from '../quantiles/quantile-list.js';
import { parseNumberOption, parseQuantiles, parseWholeOption } from './parse.js';
import { relationOption } from './relation-option.js';
import { RequiredOption } from './required-option.js';
import type { Terminal } from './terminal.js';
import { addTreeOptions } from './tree-options.js';
import { version } from './version.js';

interface AuditFlags extends TreeOptions {
  readonly records: number;
  readonly lattice: number;
  readonly quantiles: QuantileList;
  readonly epsilon: number;
  readonly relation: Relation;
  readonly maxRows?: number;
  readonly json?: true;
}

const examples = `
Examples:
  scumble audit joint-exp --records 4 --lattice 5 --quantiles 0.3,0.7 --epsilon 1
  scumble audit joint-exp --records 5 --lattice 4 --quantiles median --epsilon 2 --relation swap --json
  scumble audit approximate-quantiles --records 4 --lattice 3 --quantiles 0.3,0.7 --epsilon 1
  scumble audit approximate-quantiles --records 4 --lattice 2 --quantiles 0.3,0.7 --epsilon 1 --branching 3 --adaptation edge

Every data set of so many records on a small lattice is compared with all its neighbours, output by output; the largest
logarithm of a ratio of probabilities is the loss. Code 1 when it exceeds epsilon.`;

/** The mechanisms that can be audited and what does it. */
const audits = { 'joint-exp': 'auditJointExp', 'approximate-quantiles': 'auditApproximateQuantiles' } as const;

/** `scumble audit joint-exp` and `scumble audit approximate-quantiles`. */
export function addAuditCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('audit')
    .description('Check exhaustively, on small cases, that a mechanism keeps its promise.');
  for (const method of ['joint-exp', 'approximate-quantiles'] as const) addAudit(command, method, terminal);
}

function addAudit(command: Command, method: keyof typeof audits, terminal: Terminal): void {
  const audit = command
    .command(method)
    .description(`Audit the method ${method} of quantiles.`)
    .addOption(
      new RequiredOption('--records <count>', 'the most records of a data set').argParser((text) =>
        parseWholeOption('--records', text, 1),
      ),
    )
    .addOption(
      new RequiredOption('--lattice <points>', 'the number of lattice points').argParser((text) =>
        parseWholeOption('--lattice', text, 2),
      ),
    )
    .addOption(
      new RequiredOption('--quantiles <list>', 'what is released, as in scumble quantiles').argParser(parseQuantiles),
    )
    .addOption(
      new RequiredOption('--epsilon <number>', 'the promise to check, a number greater than 0').argParser((text) =>
        parseNumberOption('--epsilon', text, 'a number greater than 0', 'epsilon_invalid'),
      ),
    )
    .addOption(relationOption('which data sets are neighbours'))
    .option('--max-rows <count>', 'rows that one unit may have (default: 1)', (text) =>
      parseWholeOption('--max-rows', text, 1),
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async ({ maxRows, json, ...audit }: AuditFlags) => {
      // What is audited is a release, so its options are checked as those of one.
      if (audit.relation === 'swap' && maxRows !== undefined)
        throw new ScumbleError(
          'option_invalid',
          '--max-rows cannot be used with --relation swap, under which each row is a unit; use --relation add-remove.',
        );
      const unit = maxRows === undefined ? 'row' : { column: 'unit', maxRows };
      const { quantiles, epsilon, relation, lattice } = audit;
      const { branching, power, adaptation } = audit;
      const release = { quantiles, epsilon, relation, branching, power, adaptation, method };
      planQuantiles({ ...release, bounds: [0, lattice - 1], step: 1 }, { unit });
      const audited = (await import('../audit/index.js'))[audits[method]];
      printAudit(await audited({ ...audit, rowsPerUnit: maxRows, signal: terminal.signal }), json === true, terminal);
    });
  if (method === 'approximate-quantiles') addTreeOptions(audit, ['branching', 'power', 'adaptation']);
}

/** @throws ScumbleError `audit_failed` after the result, when the loss exceeds the bound. */
export function printAudit(result: QuantilesAuditResult, json: boolean, terminal: Terminal): void {
  const { loss, bound, holds, witness, pairs, dataSets } = result;
  const set = (values: readonly number[]) => `{${values.join(', ')}}`;
  const attained = witness ? `${set(witness.a)} and ${set(witness.b)} on the output ${set(witness.output)}` : 'nowhere';
  const lines = [
    `largest loss  ${loss}`,
    `attained by   ${attained}`,
    `bound         ${bound}`,
    `compared      ${pairs} pairs of ${dataSets} data sets`,
  ];
  terminal.answer(json ? `${JSON.stringify({ ...result, version })}\n` : `${lines.join('\n')}\n`);
  if (!holds)
    throw new ScumbleError('audit_failed', `The loss of ${loss} exceeds the bound of ${bound}: the promise is broken.`);
}
