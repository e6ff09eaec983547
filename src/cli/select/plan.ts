import { ScumbleError } from '../../errors.js';
import type { Guarantee } from '../../privacy/guarantee.js';
import {
  type Cost,
  hardStopping,
  logarithmic,
  negativeBinomial,
  poisson,
  randomStopping,
  type StoppingRule,
  threshold,
  unknownThreshold,
  unknownThresholdRun,
} from '../../selection/index.js';
import { checkTerms } from '../../selection/select.js';
import type { Tune } from './tune-file.js';

/** What a selection costs, from its file alone. */
export interface SelectPlan {
  readonly stopping: StoppingRule;
  /** What every run may cost. */
  readonly run: Guarantee;
  /** What the whole costs. */
  readonly total: Guarantee;
}

/** Prices a selection among so many settings: the total from that of a run, or the other way round. */
export function planSelect(tune: Tune, candidates: number): SelectPlan {
  const { run, total, relation, unit, maxRuns, score, concurrency } = tune;
  if (!run && !total)
    throw invalid('run', 'The price must be given as run or as total, each an epsilon and, if not 0, a delta.');
  const stopping = ruleOf(tune, candidates);
  const each = run ?? (stopping.search ? searchedRun(tune, candidates) : stopping.perRun(total!));
  const whole = stopping.total(each);
  if (run && total && !(fits(whole.epsilon, total.epsilon) && fits(whole.delta, total.delta)))
    throw invalid(
      'total',
      `The runs cost epsilon ${shown(whole.epsilon)} and delta ${shown(whole.delta)} in total, which is not the total that is given; leave one of run and total out.`,
    );
  if (maxRuns !== undefined && !(stopping.runs.most <= maxRuns))
    throw invalid(
      'maxRuns',
      `The rule ${stopping.name} may need ${runsInWords(stopping.runs.most)} runs, more than ${maxRuns}; ${stopping.runs.most === Number.POSITIVE_INFINITY ? 'use hard-stopping, which has a cap, or leave maxRuns out' : 'allow more or choose a larger gamma'}.`,
    );
  const guarantee = { relation, unit, ...each };
  if (stopping.tau !== undefined && stopping.tau > score.max)
    throw new ScumbleError(
      'option_invalid',
      `The key stopping.tau must be within the scores, at most score.max, here ${score.max}: no run could reach ${stopping.tau}.`,
    );
  checkTerms({ score, stopping, guarantee, maxRuns, concurrency });
  return {
    stopping,
    run: guarantee,
    // A total that was asked for is what is reserved, not a little less by rounding.
    total: { relation, unit, ...(total ?? whole) },
  };
}

function ruleOf(tune: Tune, candidates: number): StoppingRule {
  const { stopping: options, run } = tune;
  switch (options.rule) {
    case 'threshold':
      return threshold(options);
    case 'random-stopping':
      return randomStopping(options);
    case 'hard-stopping':
      return hardStopping(options);
    case 'negative-binomial':
      return negativeBinomial(options);
    case 'logarithmic':
      return logarithmic(options);
    case 'poisson':
      return poisson(options);
    case 'unknown-threshold':
      return unknownThreshold({ ...searchOptions(tune, candidates), run: run ?? searchedRun(tune, candidates) });
  }
}

/** What a run may cost where the threshold is searched for and a total is given. */
function searchedRun(tune: Tune, candidates: number): Cost {
  return unknownThresholdRun(searchOptions(tune, candidates), tune.total!);
}

function searchOptions({ stopping, maxRuns }: Tune, candidates: number) {
  if (maxRuns === undefined)
    throw invalid('maxRuns', 'The rule unknown-threshold may need very many runs: give maxRuns, the most you allow.');
  return { ...(stopping as Extract<Tune['stopping'], { rule: 'unknown-threshold' }>), candidates, maxRuns };
}

/** Whether a cost is the amount that was given for it, but for the digits of a decimal. */
function fits(cost: number, given: number): boolean {
  return cost <= given && cost >= given * 0.999;
}

/** A number of runs for people. */
export function runsInWords(runs: number): string {
  return Number.isFinite(runs) ? String(Math.ceil(runs)) : 'any number of';
}

/** Six digits are enough to compare prices. */
export function shown(amount: number): string {
  return String(Number(amount.toPrecision(6)));
}

function invalid(option: string, sentence: string): ScumbleError {
  return new ScumbleError('option_invalid', sentence, { option });
}
