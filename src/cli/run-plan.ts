import { resolve } from 'node:path';
import { planByGroup } from '../groups/plan.js';
import { planQuantiles } from '../quantiles/plan.js';
import { answerCsv, answerTable } from './answer.js';
import { datasetName } from './dataset.js';
import { groupsInWords } from './groups.js';
import { groupsOptions, libraryOptions, type QuantilesFlags, unitOf } from './quantiles-flags.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';
import { errorsInWords, guaranteeInWords, methodInWords } from './words.js';

/** Prices a release and forecasts its error from the options alone. */
export function runPlan(file: string, flags: QuantilesFlags, terminal: Terminal): void {
  const facts = { unit: unitOf(flags) };
  const byGroup = flags.groupBy === undefined ? undefined : planByGroup(groupsOptions(flags, terminal.signal), facts);
  const plan = byGroup ?? planQuantiles(libraryOptions(flags, terminal.signal), facts);
  const { lower, upper, step } = plan.lattice;
  if (flags.json) {
    const dataset = datasetName(flags.dataset ?? resolve(file));
    terminal.answer(`${JSON.stringify({ ...plan, lattice: { lower, upper, step }, dataset, version })}\n`);
  } else terminal.answer(flags.csv ? answerCsv(plan) : answerTable(plan));
  const delta = plan.guarantee.delta > 0 ? ` and delta ${flags.delta}` : '';
  terminal.say('Cost', `epsilon ${flags.epsilon}${delta}; nothing was spent and the data were not opened`);
  terminal.say('Guarantee', guaranteeInWords(plan.guarantee, flags.counts));
  if (flags.step === undefined)
    terminal.say('Step', `${step}, for a column of real numbers; a column declared integer gets step 1 (see --step)`);
  if (byGroup && flags.groupBy !== undefined) terminal.say('Groups', groupsInWords(byGroup, flags.groupBy));
  if (plan.second) terminal.say('Method', methodInWords(plan.mechanism, plan.second));
  terminal.say('Error', errorsInWords(plan.forecast));
}
