import type { RunOutcome } from './candidate.js';

/** What is on record of a selection that was broken off. All of it is private. */
export interface Saved<Output> {
  /** Of the options that decide its law. */
  readonly fingerprint: string;
  /** How many runs were drawn. */
  readonly runs: number;
  /** For each run that was started, in order: its outcome, or undefined where none was recorded. */
  readonly outcomes: readonly (RunOutcome<Output> | undefined)[];
  /** What else was put on record, by name. */
  readonly notes: Readonly<Record<string, string>>;
}

/**
 * The durable record of a selection. A promise that resolves means that the record is on disk. It holds what must not be
 * shown (how many runs, all scores), so it is to be readable by its owner only and to be removed at the end.
 */
export interface SelectionState<Output> {
  /** What is on record; undefined where nothing is. */
  load(): Promise<Saved<Output> | undefined>;
  /** Notes what is selected, by a text that tells it from others, and how many runs were drawn. */
  begin(fingerprint: string, runs: number): Promise<void>;
  /** Notes that a run is about to begin. */
  started(run: number): Promise<void>;
  /** Notes what became of it. */
  finished(run: number, outcome: RunOutcome<Output>): Promise<void>;
  /** Puts something on record, also before the beginning. */
  note(name: string, value: string): Promise<void>;
  /** Lets go of the record, which stays. */
  close(): Promise<void>;
  /** Ends it: nothing of the selection is left. */
  remove(): Promise<void>;
}
