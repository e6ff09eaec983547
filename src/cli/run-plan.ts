import { resolve } from 'node:path';
import { epsilonByGroup, planByGroup, planByGroupOn } from '../groups/plan.js';
import { epsilonFor } from '../quantiles/epsilon-for.js';
import { epsilonOn } from '../quantiles/epsilon-on.js';
import { planQuantilesOn } from '../quantiles/forecast-on.js';
import { type Plan, planQuantiles } from '../quantiles/plan.js';
import { answerCsv, answerTable } from './answer.js';
import { datasetName } from './dataset.js';
import { groupsInWords } from './groups.js';
import type { PlanFlags } from './plan-options.js';
import { priorsInWords, priorsJson, publicPriors } from './priors.js';
import { unpricedOptions } from './quantiles-flags.js';
import { withBasis } from './reference.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';
import { shortEpsilonFor } from './wanted-error.js';
import {
  basisInWords,
  errorsInWords,
  guaranteeInWords,
  intervalsInWords,
  leavesInWords,
  methodInWords,
  sizeInWords,
  wantedErrorInWords,
} from './words.js';

/** Prices a release and forecasts its error from the options, and a public reference if there is one. */
export async function runPlan(file: string, flags: PlanFlags, terminal: Terminal): Promise<void> {
  const declared = unpricedOptions(flags, terminal.signal);
  const { rankError } = flags;
  const { epsilon, plan, integer } = await withBasis(file, flags, terminal, async ({ reference, facts }) => {
    const options = { ...declared, ...(await publicPriors(file, declared, flags, facts)) };
    const { groupBy, groups } = flags;
    const planAt = (epsilon: number): Plan | Promise<Plan> => {
      const asked = { ...options, epsilon };
      if (groupBy === undefined)
        return reference ? planQuantilesOn(reference, asked, facts) : planQuantiles(asked, facts);
      return reference
        ? planByGroupOn(reference, { ...asked, groups }, facts)
        : planByGroup({ ...asked, groups }, facts);
    };
    const leastFor = (rankError: number): number | Promise<number> => {
      if (groupBy !== undefined) return epsilonByGroup({ ...options, groups }, rankError, facts);
      return reference ? epsilonOn(reference, options, rankError, facts) : epsilonFor(options, rankError, facts);
    };
    // One of the two is there: checkPlan.
    const found =
      rankError === undefined
        ? { epsilon: String(flags.epsilon), plan: await planAt(Number(flags.epsilon)) }
        : await shortEpsilonFor(await leastFor(rankError), rankError, planAt);
    return { ...found, integer: facts.integer === true };
  });
  print(plan, epsilon, integer, file, flags, terminal);
}

/** The plan to standard output, what it means to standard error. */
function print(
  plan: Plan,
  epsilon: string,
  integer: boolean,
  file: string,
  flags: PlanFlags,
  terminal: Terminal,
): void {
  const { rankError, delta } = flags;
  if (flags.json) terminal.answer(`${JSON.stringify(planJson(plan, file, flags))}\n`);
  else {
    // Each group has the same forecast: they are no column of a plan.
    const { quantiles, forecast } = plan;
    terminal.answer(flags.csv ? answerCsv({ quantiles, forecast }) : answerTable({ quantiles, forecast }));
  }
  if (rankError !== undefined) terminal.say('Epsilon', wantedErrorInWords(rankError, epsilon, flags.groupBy));
  const withDelta =
    plan.guarantee.delta > 0 ? ` and delta ${delta}` : Number(delta ?? 0) > 0 ? ' and none of the delta' : '';
  terminal.say('Cost', `epsilon ${epsilon}${withDelta}; nothing was spent and the data were not opened`);
  terminal.say('Guarantee', guaranteeInWords(plan.guarantee, flags.counts));
  const { step } = plan.lattice;
  if (flags.step === undefined && !integer)
    terminal.say('Step', `${step}, for a column of real numbers; a column declared integer gets step 1 (see --step)`);
  if (flags.groupBy !== undefined) terminal.say('Groups', groupsInWords(plan, flags.groupBy));
  const leaves = leavesInWords(plan.mechanism, plan.lattice.size, flags);
  if (leaves !== undefined) terminal.say('Leaves', leaves);
  if (plan.second) terminal.say('Method', methodInWords(plan.mechanism, plan.second));
  if (flags.interval !== undefined && flags.aboutRows === undefined) terminal.say('Rows', sizeInWords(flags.relation));
  if (flags.interval !== undefined) terminal.say('Intervals', intervalsInWords(plan, flags.interval));
  const priors = priorsInWords(flags);
  if (priors !== undefined) terminal.say('Prior', priors);
  terminal.say('Forecast', basisInWords(flags));
  terminal.say('Error', errorsInWords(plan.forecast, flags.reference && 'the rows of the reference'));
}

/** The documented object of `--json`. */
function planJson(plan: Plan, file: string, flags: PlanFlags): object {
  const { dataset, rankError, reference, aboutRows } = flags;
  const prior = priorsJson(flags);
  const { lower, upper, step } = plan.lattice;
  return {
    ...plan,
    lattice: { lower, upper, step },
    ...(prior && { prior }),
    ...(rankError !== undefined && { wantedRankError: rankError }),
    ...(reference && {
      reference: typeof reference === 'string' ? { file: reference } : { ...reference, rows: aboutRows },
    }),
    dataset: datasetName(dataset ?? resolve(file)),
    version,
  };
}
