/** What one private run of a candidate gives: both parts together are covered by the guarantee of the run. */
export interface Run<Output> {
  /** What is released if the run is selected. */
  readonly output: Output;
  /** The higher, the better. Computed within the run's guarantee, also where it depends on other private data. */
  readonly score: number;
}

/**
 * A private procedure. Each call is a fresh run: independent of the others, with the same law every time, nothing kept
 * in between. The guarantee of a run is that of its output and score together.
 *
 * @param signal fires when the result is no longer needed.
 */
export type Candidate<Output> = (signal: AbortSignal) => Run<Output> | Promise<Run<Output>>;

/** The public range of scores. */
export interface ScoreRange {
  /** The least score; less than `max`. */
  readonly min: number;
  /** The greatest score. */
  readonly max: number;
}

/** A run that gave no score within the range: it ranks below all others. */
export const failed = 'failed';
/** What became of a run. */
export type RunOutcome<Output> = Run<Output> | typeof failed;

/**
 * One run, whatever happens in it. An exception, no score, NaN and a score out of range are outcomes like any other,
 * told by the run alone; so they are covered by its guarantee, and the law of a run stays the same.
 */
export async function runOnce<Output>(
  candidate: Candidate<Output>,
  { min, max }: ScoreRange,
  signal: AbortSignal,
): Promise<RunOutcome<Output>> {
  try {
    const { output, score } = await candidate(signal);
    return typeof score === 'number' && score >= min && score <= max ? { output, score } : failed;
  } catch {
    return failed;
  }
}
