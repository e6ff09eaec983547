import { type Command, Option } from 'commander';
import type { Budget, BudgetStatus } from '../ledger/index.js';
import type { Relation } from '../privacy/guarantee.js';
import { datasetHelp, datasetName, isMissingFile } from './dataset.js';
import { addLedgerOptions, type LedgerFlags, readLedger, withLedger } from './ledger-file.js';
import { parseDecimalOption } from './parse.js';
import { relationOption } from './relation-option.js';
import { RequiredOption } from './required-option.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';

interface SetFlags extends LedgerFlags {
  /** As written: the ledger accounts for decimals. */
  readonly epsilon: string;
  readonly delta: string;
  readonly relation: Relation;
  readonly unit?: string;
  readonly counts?: true;
}

const setExamples = `
Examples:
  scumble budget set trips.csv --epsilon 3
  scumble budget set clinic.duckdb --epsilon 2 --unit patient

A budget counts releases under one relation and one unit; a release under another is refused.`;
const showExamples = `
Examples:
  scumble budget show
  scumble budget show trips.csv --json`;

/** `scumble budget set` and `scumble budget show`. */
export function addBudgetCommand(program: Command, terminal: Terminal): void {
  const budget = program.command('budget').description('Set or show what a data set may still spend.');
  addLedgerOptions(budget.command('set'))
    .description('Set or replace the total that a data set may spend. Earlier spends count.')
    .argument('<dataset>', datasetHelp)
    .addOption(
      new RequiredOption('--epsilon <number>', 'total epsilon, a decimal: 0.1 is one tenth').argParser((text) =>
        parseDecimalOption('--epsilon', text, 'a number greater than 0', 'amount_invalid'),
      ),
    )
    .option(
      '--delta <number>',
      'total delta',
      (text) => parseDecimalOption('--delta', text, 'a number from 0 to 1', 'amount_invalid'),
      '0',
    )
    .addOption(relationOption('what it protects'))
    .option('--unit <column>', 'whose presence it protects: all rows with one value of this column (default: each row)')
    .addOption(new Option('--counts', 'it protects units of count: for releases with --counts').conflicts('unit'))
    .addHelpText('after', setExamples)
    .action((dataset: string, flags: SetFlags) => setBudget(dataset, flags, terminal));
  addLedgerOptions(budget.command('show'))
    .description('Show budgets, what was spent and what remains.')
    .argument('[dataset]', `${datasetHelp} (default: all)`)
    .addHelpText('after', showExamples)
    .action((dataset: string | undefined, flags: LedgerFlags) => showBudgets(dataset, flags, terminal));
}

async function setBudget(dataset: string, flags: SetFlags, terminal: Terminal): Promise<void> {
  terminal.quiet = flags.quiet === true;
  const { epsilon, delta, relation, counts } = flags;
  const unit = flags.unit === undefined ? (counts ? 'count' : 'row') : { column: flags.unit };
  const budget: Budget = { epsilon, delta, relation, unit };
  const status = await withLedger(flags.ledger, (ledger) => ledger.setBudget(datasetName(dataset), budget));
  printBudgets([status], flags, terminal);
  if (isMissingFile(dataset))
    terminal.say('Data set', 'no such file: this names a data set, to be given with --dataset');
  terminal.say('Budget', `recorded in ${flags.ledger}; further releases of this data set are refused once it is spent`);
}

async function showBudgets(dataset: string | undefined, flags: LedgerFlags, terminal: Terminal): Promise<void> {
  terminal.quiet = flags.quiet === true;
  const name = dataset && datasetName(dataset);
  printBudgets(await readLedger(flags.ledger, terminal, (ledger) => ledger.budgets(name)), flags, terminal);
}

function printBudgets(budgets: readonly BudgetStatus[], { ledger, json }: LedgerFlags, terminal: Terminal): void {
  terminal.answer(json ? `${JSON.stringify({ ledger, budgets, version })}\n` : budgetTable(budgets));
}

function budgetTable(budgets: readonly BudgetStatus[]): string {
  const column = (title: string, cell: (status: BudgetStatus) => string | null, align: 'left' | 'right' = 'right') => ({
    title,
    cells: budgets.map((status) => cell(status) ?? 'no limit'),
    align,
  });
  const deltas = [
    column('delta budget', ({ delta }) => delta.budget),
    column('spent', ({ delta }) => delta.spent),
    column('remaining', ({ delta }) => delta.remaining),
  ];
  const withDelta = budgets.some(({ delta }) => delta.spent !== '0' || (delta.budget ?? '0') !== '0');
  return formatTable([
    column('data set', ({ dataset }) => dataset, 'left'),
    column('relation', ({ relation }) => relation, 'left'),
    column('unit', ({ unit }) => (typeof unit === 'string' ? unit : unit.column), 'left'),
    column('epsilon budget', ({ epsilon }) => epsilon.budget),
    column('spent', ({ epsilon }) => epsilon.spent),
    column('remaining', ({ epsilon }) => epsilon.remaining),
    ...(withDelta ? deltas : []),
  ]);
}
