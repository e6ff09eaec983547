import type { RunOutcome, Saved, SelectionState } from '../../src/selection/index.js';

/** A state in memory that can be copied at any moment, as a crash would leave it. */
export interface MemoryState<Output> extends SelectionState<Output> {
  copy(): MemoryState<Output>;
}

export function memory<Output>(
  start?: Saved<Output>,
  noted: Readonly<Record<string, string>> = {},
): MemoryState<Output> {
  let saved = start && structuredClone(start);
  let notes = noted;
  const outcomes = () => saved?.outcomes as (RunOutcome<Output> | undefined)[];
  return {
    load: async () => saved && { ...structuredClone(saved), notes },
    begin: async (fingerprint, runs) => void (saved = { fingerprint, runs, outcomes: [], notes }),
    started: async (run) => void (outcomes()[run] = undefined),
    finished: async (run, outcome) => void (outcomes()[run] = outcome),
    note: async (name, value) => void (notes = { ...notes, [name]: value }),
    close: async () => {},
    remove: async () => void (saved = undefined),
    copy: () => memory(saved, notes),
  };
}
