import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import { ScumbleError } from '../../errors.js';
import type { Ledger, SpendRequest } from '../../ledger/index.js';
import { shownName } from '../../quantiles/shown.js';
import { type Candidate, failed, type RunOutcome, type SelectionState, select } from '../../selection/index.js';
import { stateFile } from '../../selection/state-file.js';
import { datasetName } from '../dataset.js';
import { defaultLedger, withLedger } from '../ledger-file.js';
import type { Terminal } from '../terminal.js';
import { lastLineOf } from './child.js';
import { planSelect, type SelectPlan } from './plan.js';
import { inWords, printPlan, printSelection } from './print.js';
import { checkPlaces, fill, type Setting, settingsOf, wordsOf } from './settings.js';
import { readTune, type Tune } from './tune-file.js';

export interface SelectFlags {
  readonly state?: string;
  readonly ledger?: string;
  readonly resume?: true;
  readonly dryRun?: true;
  readonly unsafeReport?: true;
  readonly json?: true;
  readonly quiet?: true;
}

/** What a run leaves: the setting that was drawn and what the program printed. */
export interface Chosen {
  readonly parameters: Setting;
  readonly output?: unknown;
}

/**
 * `scumble select`. The order keeps the promise: the file and the price, then the durable reservation, and only then a run. A
 * selection that is resumed has been paid for.
 */
export async function runSelect(file: string, flags: SelectFlags, terminal: Terminal): Promise<void> {
  const { tune, settings, plan, words } = readPlan(file);
  if (flags.dryRun) return printPlan({ plan, settings }, flags, terminal);
  const statePath = flags.state ?? tune.state;
  if (flags.resume && statePath === undefined)
    throw new ScumbleError('option_invalid', 'To resume a selection, name its state: --state or the key state.', {
      option: 'state',
    });
  const dataset = datasetName(tune.dataset);
  const ledgerPath = flags.ledger ?? tune.ledger ?? defaultLedger;
  const mechanism = `select/${plan.stopping.name}`;
  const state = statePath === undefined ? undefined : stateFile<Chosen>(statePath);
  try {
    const saved = await state?.load();
    if (saved && !flags.resume)
      throw new ScumbleError(
        'option_invalid',
        `The state ${statePath} holds a selection that was broken off; go on with --resume, or remove the file for a new one, which is paid for anew.`,
        { option: 'state' },
      );
    if (!saved && flags.resume)
      throw new ScumbleError('option_invalid', `The state ${statePath} holds no selection to resume.`, {
        option: 'resume',
      });
    await withLedger(ledgerPath, async (ledger) => {
      // Made and locked before anything is spent.
      if (!saved) await state?.note('ledger', resolve(ledgerPath));
      const reservation = saved
        ? undefined
        : await reserved(ledger, { dataset, guarantee: plan.total, mechanism }, state);
      const id = reservation?.id ?? (await paid(ledger, saved!.notes, { dataset, mechanism, path: ledgerPath }));
      if (reservation) await state?.note('reservation', String(id));
      const selection = await select({
        candidates: settings.map((setting) => candidate(words, setting, plan, tune, flags)),
        score: tune.score,
        stopping: plan.stopping,
        guarantee: plan.run,
        concurrency: tune.concurrency,
        what: JSON.stringify([settings, words, dataset]),
        // Removed when the answer is out: a crash in between must not lose it.
        state: state && { ...state, remove: state.close },
        resume: flags.resume,
        signal: terminal.signal,
        unsafeReport: flags.unsafeReport && reportTo(terminal, settings),
      });
      await ledger.commit(id);
      printSelection(
        { selection: { ...selection, guarantee: plan.total }, dataset, ledger: ledgerPath, reservation },
        flags,
        terminal,
      );
      await terminal.written();
      await state?.remove();
    });
  } finally {
    await state?.close();
  }
}

/** Reserves the price; nothing of a selection that the budget refuses is left. */
async function reserved(ledger: Ledger, request: SpendRequest, state: SelectionState<Chosen> | undefined) {
  try {
    return await ledger.reserve(request);
  } catch (error) {
    await state?.remove();
    throw error;
  }
}

/** The reservation that a selection was paid by, in the very ledger; otherwise it would be another's that is ended. */
async function paid(
  ledger: Ledger,
  notes: Readonly<Record<string, string>>,
  { dataset, mechanism, path }: { dataset: string; mechanism: string; path: string },
): Promise<number> {
  const id = Number(notes.reservation);
  const entry = (await ledger.history(dataset)).find((spend) => spend.id === id);
  if (notes.ledger === resolve(path) && entry?.mechanism === mechanism) return id;
  throw new ScumbleError(
    'option_invalid',
    `The ledger ${path} does not hold what this selection was paid by; resume it with the ledger it was begun with, ${notes.ledger}.`,
    { option: 'ledger' },
  );
}

/** All that the file says; what is wrong with it is said of the file, whose keys are no flags. */
function readPlan(file: string) {
  const tune = readTune(file);
  try {
    const settings = settingsOf(tune);
    const plan = planSelect(tune, settings.length);
    const words = wordsOf(tune);
    checkPlaces(words, settings, plan.run);
    checkProgram(words[0]!);
    return { tune, settings, plan, words };
  } catch (error) {
    if (!(error instanceof ScumbleError)) throw error;
    throw new ScumbleError('option_invalid', `In ${file}: ${error.message}`, { key: error.details.option });
  }
}

/** One setting as a candidate: each run is a process of its own, whose last line tells its score. */
function candidate(
  words: readonly string[],
  parameters: Setting,
  { run }: SelectPlan,
  { timeout }: Tune,
  { unsafeReport }: SelectFlags,
): Candidate<Chosen> {
  const filled = fill(words, { ...parameters, epsilon: run.epsilon, delta: run.delta });
  return async (signal) => {
    const line = await lastLineOf(filled, { timeout, signal, unsafeReport: unsafeReport === true });
    const { score, ...rest } = result.parse(JSON.parse(line));
    return { output: { parameters, ...rest }, score };
  };
}

const result = z.object({ score: z.number(), output: z.unknown().optional() });

function reportTo(terminal: Terminal, settings: readonly Setting[]) {
  return (run: number, at: number, outcome: RunOutcome<Chosen>) => {
    const score = outcome === failed ? failed : `score ${outcome.score}`;
    terminal.say('UNSAFE', `run ${run + 1}: ${inWords(settings[at]!)}: ${score}`);
  };
}

/** A program that is not there would make every run fail, and cost as much as if it had run. */
function checkProgram(word: string): void {
  if (word.includes('{')) return;
  const places = word.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter).map((place) => join(place, '/'));
  const found = places.some((place) => {
    try {
      accessSync(place + word, constants.X_OK);
      return statSync(place + word).isFile();
    } catch {
      return false;
    }
  });
  if (!found)
    throw new ScumbleError(
      'option_invalid',
      `The program ${shownName(word)} of the command is not found or not executable.`,
      {
        option: 'command',
      },
    );
}
