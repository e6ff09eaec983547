import { throwIfAborted } from '../errors.js';
import type { Entropy } from '../random/entropy.js';
import { uniformBelow } from '../random/exact.js';
import { failed, type RunOutcome, runOnce } from './candidate.js';
import type { SelectOptions } from './select.js';

/** Which runs to make, and what becomes of them. */
export interface RunPlan<Output> {
  /** The number of the first run. */
  readonly first: number;
  /** Whether this run is not needed, as far as is known; once it is so, it is so for all after it. */
  isOver(run: number): boolean;
  /** Told of every run that has ended; not always in the order of the runs. */
  settle(run: number, outcome: RunOutcome<Output>): void;
}

/**
 * Makes runs in their order, some at the same time. Each draws its candidate when it begins; what it is does not depend on how
 * others end. A run that is not needed any more is told so by its signal.
 */
export async function makeRuns<Output>(
  options: SelectOptions<Output>,
  { first, isOver, settle }: RunPlan<Output>,
  entropy: Entropy,
): Promise<void> {
  const { candidates, score, concurrency = 1, state, signal, unsafeReport } = options;
  const underWay = new Map<number, AbortController>();
  let next = first;
  let broken = false;
  async function work(): Promise<void> {
    while (!broken && !isOver(next)) {
      throwIfAborted(signal);
      const run = next++;
      const candidate = uniformBelow(entropy, candidates.length);
      await state?.started(run);
      const stop = new AbortController();
      underWay.set(run, stop);
      const heard = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      const outcome = storable(await runOnce(candidates[candidate], score, heard), state !== undefined);
      underWay.delete(run);
      throwIfAborted(signal);
      await state?.finished(run, outcome);
      unsafeReport?.(run, candidate, outcome);
      settle(run, outcome);
      for (const [other, controller] of underWay) if (isOver(other)) controller.abort();
    }
  }
  const breakOff = (error: unknown) => {
    broken = true;
    for (const controller of underWay.values()) controller.abort();
    throw error;
  };
  // Nothing goes on when one of them has failed: what is told of the selection is then final.
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, () => work().catch(breakOff)));
  const bad = ends.find((end) => end.status === 'rejected');
  if (bad) throw bad.reason;
}

/** An output that the state cannot hold is one that its run should not have had: told by the run alone. */
function storable<Output>(outcome: RunOutcome<Output>, stored: boolean): RunOutcome<Output> {
  if (!stored || outcome === failed) return outcome;
  try {
    JSON.stringify(outcome.output);
    return outcome;
  } catch {
    return failed;
  }
}
