import type { Reservation } from '../../ledger/index.js';
import type { Selection } from '../../selection/index.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { version } from '../version.js';
import { costInWords, guaranteeInWords } from '../words.js';
import { runsInWords, type SelectPlan, shown } from './plan.js';
import type { Chosen, SelectFlags } from './run-select.js';
import type { Setting } from './settings.js';

/** `lr 0.1, clip 1`. */
export function inWords(setting: Setting): string {
  return Object.entries(setting)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** What a selection would cost: to standard output, because it is what was asked for. */
export function printPlan(
  { plan, settings }: { plan: SelectPlan; settings: readonly Setting[] },
  { json }: SelectFlags,
  terminal: Terminal,
): void {
  const { stopping, run, total } = plan;
  const { expected, most } = stopping.runs;
  if (json) {
    const runs = { expected, most: Number.isFinite(most) ? most : null };
    terminal.answer(
      `${JSON.stringify({ rule: stopping.name, settings: settings.length, run, total, runs, version })}\n`,
    );
  } else {
    const rows: [string, string][] = [
      ['rule', stopping.name],
      ['settings', String(settings.length)],
      ['a run may cost', `epsilon ${shown(run.epsilon)}, delta ${shown(run.delta)}`],
      ['all together', `epsilon ${shown(total.epsilon)}, delta ${shown(total.delta)}`],
      ['runs expected', `${runsInWords(expected)} at most, whatever the data`],
      ['largest number of runs', runsInWords(most)],
    ];
    terminal.answer(formatPairs(rows));
  }
  terminal.say('Cost', 'nothing was spent and nothing was run');
}

function formatPairs(rows: readonly (readonly [string, string])[]): string {
  const [first, ...rest] = rows;
  return formatTable([
    { title: first![0], cells: rest.map(([name]) => name), align: 'left' },
    { title: first![1], cells: rest.map(([, value]) => value), align: 'left' },
  ]);
}

export interface SelectOutcome {
  readonly selection: Selection<Chosen>;
  readonly dataset: string;
  readonly ledger: string;
  /** Undefined where a selection that had been paid for was resumed. */
  readonly reservation: Reservation | undefined;
}

/** The answer to standard output, what it cost and what it promises to standard error. */
export function printSelection(
  { selection, dataset, ledger, reservation }: SelectOutcome,
  { json }: SelectFlags,
  terminal: Terminal,
): void {
  const { guarantee } = selection;
  if (json) {
    const account = reservation ? { reserved: reservation.reserved, remaining: reservation.remaining } : null;
    const { output, ...rest } = selection.outcome === 'selected' ? selection : { ...selection, output: undefined };
    terminal.answer(`${JSON.stringify({ ...rest, ...output, dataset, ledger: account, version })}\n`);
  } else if (selection.outcome === 'none') terminal.answer('none\n');
  else {
    const { parameters, output } = selection.output;
    const rows: [string, string][] = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
    rows.push(['score', String(selection.score)]);
    if (output !== undefined)
      rows.push(['output', typeof output === 'string' && !/\p{Cc}/u.test(output) ? output : JSON.stringify(output)]);
    terminal.answer(formatPairs(rows));
  }
  if (selection.outcome === 'none')
    terminal.say(
      'Outcome',
      'none: no run gave an answer; what was reserved is spent, since that, too, is an answer. Runs that fail rank last and say nothing of why: try the command by hand, on public data',
    );
  if (reservation) terminal.say('Cost', costInWords(reservation, dataset, ledger));
  terminal.say('Guarantee', `of the whole selection, not of one run: ${guaranteeInWords(guarantee)}`);
}
