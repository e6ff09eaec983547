import { ScumbleError, throwIfAborted } from '../errors.js';
import { type Guarantee, relations } from '../privacy/guarantee.js';
import { type Entropy, secureEntropy, unsafeSeededEntropy } from '../random/entropy.js';
import { type Candidate, failed, type Run, type RunOutcome, type ScoreRange } from './candidate.js';
import { makeRuns } from './make-runs.js';
import type { SelectionState } from './state.js';
import type { StoppingRule, ThresholdSearch } from './stopping-rule.js';

/** Options of {@link select}. */
export interface SelectOptions<Output> {
  /** The candidate of each run is drawn uniformly among these, each time anew. */
  readonly candidates: readonly Candidate<Output>[];
  /** The public range of scores; a run whose score lies outside has failed. */
  readonly score: ScoreRange;
  /** When to stop, and what the whole costs; see the rules. */
  readonly stopping: StoppingRule;
  /** What every single run of every candidate guarantees, its output and score together. */
  readonly guarantee: Guarantee;
  /** Refuse a rule that may need more runs than this. */
  readonly maxRuns?: number | undefined;
  /** How many runs go on at the same time; the law of the answer is the same. Default 1. */
  readonly concurrency?: number | undefined;
  /** What tells this selection from others with as many candidates; kept with the state, so that a wrong one is not resumed. */
  readonly what?: string | undefined;
  /** A durable record, by which a selection that was broken off can be resumed. */
  readonly state?: SelectionState<Output> | undefined;
  /** Go on from what the state has on record. */
  readonly resume?: boolean | undefined;
  /** Stops the work; what was reserved in a ledger stays spent. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every run as it ends. What it is told is NOT private: it must not reach those whom the guarantee is for. */
  readonly unsafeReport?: ((run: number, candidate: number, outcome: RunOutcome<Output>) => void) | undefined;
  /** Reproducible choices for tests and experiments. The selection is then NOT private. */
  readonly unsafeSeed?: number | undefined;
}

/** The answer and the guarantee of the whole procedure: nothing else about it may be shown. */
export type Selection<Output> =
  | {
      /** A run was selected. */
      readonly outcome: 'selected';
      /** What it gave. */
      readonly output: Output;
      /** Its score. */
      readonly score: number;
      /** Of the whole procedure. */
      readonly guarantee: Guarantee;
    }
  | {
      /** No run reached the threshold, or all failed: an answer like any other, and as dear. */
      readonly outcome: 'none';
      /** Of the whole procedure. */
      readonly guarantee: Guarantee;
    };

/**
 * Selects among private candidates (Liu, Talwar, "Private Selection from Private Candidates", 2019). How many runs are
 * made is drawn from the rule's law before the first; each runs a candidate drawn uniformly. The rule `threshold` gives the first run whose
 * score reaches it, the others the best run, of equal ones the first. `unknownThreshold` makes the runs of its search before; none of
 * them is the answer.
 *
 * Guarantee: `stopping.total(guarantee)`, for the relation and unit of the candidates, for the answer alone. Neither the
 * number of runs nor the scores of others are covered, so they are not part of the answer. The law does not depend on
 * `concurrency`: runs are ordered by when they were drawn, not by when they end.
 *
 * A resumed selection makes no run a second time: one that was under way counts as failed. To make it again would draw
 * until it does not break off, and that may depend on private data.
 *
 * @returns the selected output with its score; `none` where no run reached the threshold, or all failed.
 * @throws ScumbleError `option_invalid` before anything is run, `aborted`.
 */
export async function select<Output>(options: SelectOptions<Output>): Promise<Selection<Output>> {
  const { stopping, guarantee: run, state, signal, unsafeSeed } = options;
  check(options);
  const guarantee = Object.freeze({ ...run, ...stopping.total(run) });
  throwIfAborted(signal);
  const entropy = unsafeSeed === undefined ? secureEntropy() : unsafeSeededEntropy(unsafeSeed);
  const found = await answerOf(options, entropy).catch(async (error) => {
    await state?.close();
    throw error;
  });
  await state?.remove();
  if (found === undefined) return Object.freeze({ outcome: 'none', guarantee });
  return Object.freeze({ outcome: 'selected', ...found, guarantee });
}

/** The answer: a search for the threshold where the rule has one, and the runs of the rule. */
async function answerOf<Output>(options: SelectOptions<Output>, entropy: Entropy): Promise<Run<Output> | undefined> {
  const { stopping, state } = options;
  const saved = await restored(options);
  const runs = saved?.runs ?? stopping.drawRuns(entropy);
  if (!saved) await state?.begin(fingerprint(options), runs);
  const known = new Map(saved?.outcomes.map((outcome = failed, run) => [run, outcome]));
  const { search } = stopping;
  if (!search) return bestOf(options, { first: 0, runs, tau: stopping.tau }, known, entropy);
  const tau = saved?.notes.tau ?? String(await searched(options, search, known, entropy));
  // It must not be drawn a second time.
  await state?.note('tau', tau);
  return bestOf(options, { first: search.samples, runs, tau: Number(tau) }, known, entropy);
}

type Known<Output> = ReadonlyMap<number, RunOutcome<Output>>;

/** Finds a threshold by runs of its own. */
async function searched<Output>(
  options: SelectOptions<Output>,
  { samples, thresholdOf }: ThresholdSearch,
  known: Known<Output>,
  entropy: Entropy,
): Promise<number> {
  const scores = new Float64Array(samples);
  const settle = (run: number, outcome: RunOutcome<Output>) => {
    scores[run] = outcome === failed ? Number.NEGATIVE_INFINITY : outcome.score;
  };
  for (const [run, outcome] of known) if (run < samples) settle(run, outcome);
  await makeRuns(options, { first: known.size, isOver: (run) => run >= samples, settle }, entropy);
  return thresholdOf(scores, options.score, entropy);
}

/** The first of the runs that reaches the threshold; without one the best of them, of equal ones the first. */
async function bestOf<Output>(
  options: SelectOptions<Output>,
  { first, runs, tau }: { first: number; runs: number; tau: number | undefined },
  known: Known<Output>,
  entropy: Entropy,
): Promise<Run<Output> | undefined> {
  let best: (Run<Output> & { readonly run: number }) | undefined;
  const settle = (run: number, outcome: RunOutcome<Output>) => {
    if (outcome === failed) return;
    const better =
      tau === undefined
        ? !best || outcome.score > best.score || (outcome.score === best.score && run < best.run)
        : outcome.score >= tau && (!best || run < best.run);
    if (better) best = { run, ...outcome };
  };
  for (const [run, outcome] of known) if (run >= first) settle(run, outcome);
  // Past a run that reaches the threshold no other is the answer.
  const isOver = (run: number) => run >= first + runs || (tau !== undefined && best !== undefined && run > best.run);
  await makeRuns(options, { first: Math.max(first, known.size), isOver, settle }, entropy);
  return best && { output: best.output, score: best.score };
}

async function restored<Output>({ state, resume, ...options }: SelectOptions<Output>) {
  const saved = await state?.load();
  if (saved && !resume)
    throw invalid('state', 'The state holds a selection that was broken off; resume it, or remove it for a new one.');
  if (!saved && resume) throw invalid('resume', 'There is nothing to resume: the state holds no selection.');
  if (saved && saved.fingerprint !== fingerprint(options))
    throw invalid('state', 'The state holds a selection with other options; resume it with those it was begun with.');
  return saved;
}

/** What decides the law of a selection and its price. */
function fingerprint<Output>(
  options: Pick<SelectOptions<Output>, 'candidates' | 'score' | 'stopping' | 'guarantee' | 'what'>,
): string {
  const { candidates, score, stopping, guarantee, what = '' } = options;
  // Rules of one name that differ, differ in the law of the number of runs.
  const law = [0.1, 0.3, 0.5, 0.7, 0.9].map((x) => stopping.count.between(0, x, 1 - x));
  return JSON.stringify([what, candidates.length, score.min, score.max, stopping, law, guarantee]);
}

function check<Output>(options: SelectOptions<Output>) {
  const { candidates, state, resume } = options;
  if (!Array.isArray(candidates) || candidates.length === 0 || candidates.some((one) => typeof one !== 'function'))
    throw invalid('candidates', 'The candidates must be a list of at least one function.');
  checkTerms(options);
  if (resume && !state) throw invalid('resume', 'To resume a selection, give the state that has it on record.');
}

/**
 * Refuses what {@link select} would, of all that is known before there are candidates: what is paid for first must run then.
 *
 * @throws ScumbleError `option_invalid`.
 */
export function checkTerms({
  score,
  stopping,
  guarantee,
  maxRuns,
  concurrency = 1,
}: Pick<SelectOptions<unknown>, 'score' | 'stopping' | 'guarantee' | 'maxRuns' | 'concurrency'>): void {
  if (!(Number.isFinite(score?.min) && Number.isFinite(score.max) && score.min < score.max))
    throw invalid('score', 'The score must be a range of two finite numbers with min < max.');
  if (stopping.tau !== undefined && stopping.tau > score.max)
    throw invalid(
      'tau',
      `The tau must be within the scores, here at most ${score.max}: no run could reach ${stopping.tau}.`,
    );
  if (!relations.includes(guarantee?.relation))
    throw invalid('guarantee', 'The guarantee must say of a run its relation, unit, epsilon and delta.');
  if (!Number.isSafeInteger(concurrency) || concurrency < 1 || concurrency > mostAtOnce)
    throw invalid('concurrency', `The concurrency must be a whole number from 1 to ${mostAtOnce}.`);
  if (maxRuns !== undefined && !(stopping.runs.most <= maxRuns))
    throw new ScumbleError(
      'option_invalid',
      `The rule ${stopping.name} may need ${Number.isFinite(stopping.runs.most) ? stopping.runs.most : 'any number of'} runs, more than the ${maxRuns} that are allowed.`,
      { option: 'maxRuns', needed: stopping.runs.most, maxRuns },
    );
}

/** More runs at the same time are a slip. */
const mostAtOnce = 1024;

function invalid(option: string, sentence: string): ScumbleError {
  return new ScumbleError('option_invalid', sentence, { option });
}
