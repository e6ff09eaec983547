import { throwIfAborted } from './errors.js';

/** Long computations give way to signals and other tasks after so many milliseconds. */
const slice = 50;

/** Runs steps to the end, in slices of time between which the event loop turns and the signal is heard. */
export async function inSlices<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (let start = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - start < slice) continue;
    await new Promise((resolve) => setTimeout(resolve));
    throwIfAborted(signal);
    start = performance.now();
  }
}

/** For work that waits between its parts anyway: to be awaited there, it does the same. */
export function pauses(signal?: AbortSignal): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < slice) return;
    await new Promise((resolve) => setTimeout(resolve));
    throwIfAborted(signal);
    start = performance.now();
  };
}
