import { ScumbleError } from '../../errors.js';
import type { Guarantee } from '../../privacy/guarantee.js';
import {
  hardStopping,
  logarithmic,
  negativeBinomial,
  poisson,
  randomStopping,
  type StoppingRule,
  threshold,
} from '../../selection/index.js';
import type { Tune } from './tune-file.js';

/** What a selection costs, from its file alone. */
export interface SelectPlan {
  readonly stopping: StoppingRule;
  /** What every run may cost. */
  readonly run: Guarantee;
  /** What the whole costs. */
  readonly total: Guarantee;
}

/** Prices a selection: the total from that of a run, or the other way round. */
export function planSelect({ run, total, stopping: options, relation, unit, maxRuns }: Tune): SelectPlan {
  const stopping = ruleOf(options);
  if (!run && !total)
    throw invalid('run', 'The price must be given as run or as total, each an epsilon and, if not 0, a delta.');
  const each = run ?? stopping.perRun(total!);
  const whole = stopping.total(each);
  if (total && (whole.epsilon > total.epsilon || whole.delta > total.delta))
    throw invalid(
      'total',
      `The runs cost epsilon ${shown(whole.epsilon)} and delta ${shown(whole.delta)} in total, more than the total that is given; leave one of run and total out.`,
    );
  if (maxRuns !== undefined && !(stopping.runs.most <= maxRuns))
    throw invalid(
      'maxRuns',
      `The rule ${stopping.name} may need ${runsInWords(stopping.runs.most)} runs, more than ${maxRuns}; ${stopping.runs.most === Number.POSITIVE_INFINITY ? 'hard-stopping has a cap' : 'allow more or choose a larger gamma'}.`,
    );
  return {
    stopping,
    run: { relation, unit, ...each },
    // A total that was asked for is what is reserved, not a little less by rounding.
    total: { relation, unit, ...(total ?? whole) },
  };
}

function ruleOf(options: Tune['stopping']): StoppingRule {
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
  }
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
