import type { Command } from 'commander';
import { addPlanOptions, checkPlan, type PlanFlags } from './plan-options.js';
import { checkPriors } from './priors.js';
import { checkTogether, type QuantilesFlags } from './quantiles-flags.js';
import { addQuantilesOptions, epsilonOption } from './quantiles-options.js';
import { runGroups } from './run-groups.js';
import { runPlan } from './run-plan.js';
import { runQuantiles } from './run-quantiles.js';
import { checkSource } from './source.js';
import type { Terminal } from './terminal.js';

const quantilesExamples = `
Examples:
  scumble quantiles trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 1
  scumble quantiles flights.parquet --column delay --bounds=-100,1500 --step 1 --quantiles 0.1,0.5,0.9 --epsilon 0.5 --json
  scumble quantiles clinic.duckdb --table visits --column age --bounds=0,120 --unit patient --max-rows 5 --quantiles median --epsilon 1
  scumble quantiles trips.csv --column minutes --bounds=0,180 --quantiles median --epsilon 1 --group-by mode --groups bus,tram
  scumble quantiles trips.csv --column minutes --bounds=0,180 --quantiles median --epsilon 1 --delta 1e-6 --group-by stop
  scumble quantiles trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 0.1 --prior public:trips-2019.csv --prior-mix 0.1
  zcat log.csv.gz | scumble quantiles - --dataset log --column ms --bounds=0,60000 --quantiles 0.5,0.99 --epsilon 1

--json prints { quantiles, values, guarantee: { relation, unit, epsilon, delta }, mechanism,
lattice: { lower, upper, step }, forecast: { expectedRankError, rankError95 },
second: { mechanism, errorRatio } with the method auto, dataset,
ledger: { reserved, remaining } or null, version }; lists are in the order asked, errors in records,
amounts in the ledger as decimal text. With --prior also prior, as it was given. With --about-rows forecast also has expectedRankErrorShare and
rankError95Share. With --interval it has intervals, [from, to] for each quantile, and without --about-rows, under
add-remove, noisyRows: the number of rows counted with noise, part of the release. A seeded run carries unsafeSeed and its ledger is null.

With --group-by there is groups: [{ group, values, intervals?, noisyRows? }] instead of values and intervals, in the
order of --groups, or by name where groups were found; then also selection: { epsilon, threshold }.`;

const planExamples = `
Examples:
  scumble plan trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 1
  scumble plan trips.csv --column minutes --bounds=0,180 --quantiles count:30 --epsilon 0.1 --about-rows 50000 --json
  scumble plan trips.csv --column minutes --bounds=0,180 --quantiles deciles --rank-error 25
  scumble plan trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 1 --about-rows 50000 --reference gaussian:60,20
  scumble plan trips.csv --column minutes --bounds=0,180 --quantiles deciles --epsilon 1 --reference trips-2019.csv

The file is not opened and need not exist; a public file of --prior or --reference is read. Without --step the plan assumes a column of real numbers.
With --reference, the forecast and the choice of a method rest on seeded releases from public records.
--json also has wantedRankError with --rank-error, where guarantee.epsilon is what it takes, and reference with --reference.`;

/** `scumble quantiles`. */
export function addQuantilesCommand(program: Command, terminal: Terminal): void {
  addQuantilesOptions(program.command('quantiles'), epsilonOption(true))
    .description('Release differentially private quantiles of a column.')
    .option('--plot <path>', 'draw the released quantile function (of each group) as SVG')
    .option('--dry-run', 'print cost and forecast without opening the data; the same as scumble plan')
    .addHelpText('after', quantilesExamples)
    .action(async (file: string, flags: QuantilesFlags) => {
      terminal.quiet = flags.quiet === true;
      checkTogether(file, flags);
      checkSource(file, flags);
      await checkPriors(file, flags);
      if (flags.dryRun) return runPlan(file, flags, terminal);
      return flags.groupBy === undefined
        ? runQuantiles(file, flags, terminal)
        : runGroups(file, flags, flags.groupBy, terminal);
    });
}

/** `scumble plan`. */
export function addPlanCommand(program: Command, terminal: Terminal): void {
  addPlanOptions(program.command('plan'))
    .description('Print what quantiles would cost and how exact they are expected to be, without opening the data.')
    .addHelpText('after', planExamples)
    .action(async (file: string, flags: PlanFlags) => {
      terminal.quiet = flags.quiet === true;
      await checkPlan(file, flags);
      checkTogether(file, flags);
      checkSource(file, flags);
      await checkPriors(file, flags);
      return runPlan(file, flags, terminal);
    });
}
