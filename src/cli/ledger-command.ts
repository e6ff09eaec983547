import type { Command } from 'commander';
import type { LedgerEntry } from '../ledger/index.js';
import { datasetHelp, datasetName } from './dataset.js';
import { addLedgerOptions, type LedgerFlags, readLedger } from './ledger-file.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';
import { unitInShort } from './words.js';

/** `scumble ledger`: the history of spends. */
export function addLedgerCommand(program: Command, terminal: Terminal): void {
  addLedgerOptions(program.command('ledger'))
    .description('Show every recorded spend, oldest first.')
    .argument('[dataset]', `${datasetHelp} (default: all)`)
    .addHelpText('after', '\nExamples:\n  scumble ledger\n  scumble ledger trips.csv --json')
    .action((dataset: string | undefined, flags: LedgerFlags) => showHistory(dataset, flags, terminal));
}

async function showHistory(dataset: string | undefined, flags: LedgerFlags, terminal: Terminal): Promise<void> {
  terminal.quiet = flags.quiet === true;
  const name = dataset && datasetName(dataset);
  const spends = await readLedger(flags.ledger, terminal, (ledger) => ledger.history(name));
  const json = `${JSON.stringify({ ledger: flags.ledger, spends, version })}\n`;
  terminal.answer(flags.json ? json : historyTable(spends));
}

function historyTable(spends: readonly LedgerEntry[]): string {
  const column = (title: string, cell: (entry: LedgerEntry) => string, align: 'left' | 'right' = 'left') => ({
    title,
    cells: spends.map(cell),
    align,
  });
  return formatTable([
    column('id', ({ id }) => String(id), 'right'),
    column('time', ({ time }) => time),
    column('data set', ({ dataset }) => dataset),
    column('relation', ({ relation }) => relation),
    column('unit', ({ unit }) => unitInShort(unit)),
    column('epsilon', ({ epsilon }) => epsilon, 'right'),
    column('delta', ({ delta }) => delta, 'right'),
    column('mechanism', ({ mechanism }) => mechanism),
    column('status', ({ status }) => status),
  ]);
}
