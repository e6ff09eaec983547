import { resolve } from 'node:path';
import { planQuantiles } from '../quantiles/plan.js';
import { answerCsv, answerTable } from './answer.js';
import { datasetName } from './dataset.js';
import type { PlanFlags } from './plan-options.js';
import { unitOf, unpricedOptions } from './quantiles-flags.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';
import { shortEpsilonFor } from './wanted-error.js';
import { errorsInWords, guaranteeInWords, methodInWords, wantedErrorInWords } from './words.js';

/** Prices a release and forecasts its error from the options alone. */
export function runPlan(file: string, flags: PlanFlags, terminal: Terminal): void {
  const options = unpricedOptions(flags, terminal.signal);
  const facts = { unit: unitOf(flags) };
  const { rankError } = flags;
  // One of the two is there: checkPlan.
  const epsilon = rankError === undefined ? String(flags.epsilon) : shortEpsilonFor(options, rankError, facts);
  const plan = planQuantiles({ ...options, epsilon: Number(epsilon) }, facts);
  const { lower, upper, step } = plan.lattice;
  if (flags.json) {
    const dataset = datasetName(flags.dataset ?? resolve(file));
    const wanted = rankError === undefined ? {} : { wantedRankError: rankError };
    terminal.answer(`${JSON.stringify({ ...plan, ...wanted, lattice: { lower, upper, step }, dataset, version })}\n`);
  } else terminal.answer(flags.csv ? answerCsv(plan) : answerTable(plan));
  if (rankError !== undefined) terminal.say('Epsilon', wantedErrorInWords(rankError, epsilon));
  const delta = plan.guarantee.delta > 0 ? ` and delta ${flags.delta}` : '';
  terminal.say('Cost', `epsilon ${epsilon}${delta}; nothing was spent and the data were not opened`);
  terminal.say('Guarantee', guaranteeInWords(plan.guarantee));
  if (flags.step === undefined)
    terminal.say('Step', `${step}, for a column of real numbers; a column declared integer gets step 1 (see --step)`);
  if (plan.second) terminal.say('Method', methodInWords(plan.mechanism, plan.second));
  terminal.say('Error', errorsInWords(plan.forecast));
}
