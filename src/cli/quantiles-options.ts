import { type Command, Option } from 'commander';
import { formats } from '../engines/duckdb/options.js';
import type { Prior } from '../lattice/prior.js';
import { methodNames } from '../quantiles/methods.js';
import { defaultLedger } from './ledger-file.js';
import {
  parseBounds,
  parseChoice,
  parseDecimalOption,
  parseGroups,
  parseNumberOption,
  parsePrior,
  parsePriorMix,
  parseQuantiles,
  parseSmoothing,
  parseWholeOption,
} from './parse.js';
import type { PublicFile } from './priors.js';
import { relationOption } from './relation-option.js';
import { RequiredOption } from './required-option.js';
import { addTreeOptions } from './tree-options.js';

/** The option `--epsilon`: required, but where a wanted error can stand for it. */
export function epsilonOption(required: boolean): Option {
  const [flags, what] = ['--epsilon <number>', 'the privacy cost, a number greater than 0'];
  const option = required
    ? new RequiredOption(flags, what)
    : new Option(flags, `${what} (required, or --rank-error in its place)`);
  return option.argParser((text) =>
    parseDecimalOption('--epsilon', text, 'a number greater than 0', 'epsilon_invalid'),
  );
}

/** Adds what `quantiles` and `plan` have in common. Every text is read strictly here; the library checks ranges. */
export function addQuantilesOptions(command: Command, epsilon: Option): Command {
  command
    .argument(
      '<file>',
      'CSV, TSV, JSON, NDJSON (also .gz), Parquet or a glob of it, a DuckDB database, or - for CSV on standard input',
    )
    .addOption(new RequiredOption('-c, --column <name>', 'the column of numbers'))
    .option(
      '--bounds <lower,upper>',
      'the range of the answer, from domain knowledge and never from the data; records outside are clamped (required, except with a cauchy or half-cauchy prior, or one mixed with such)',
      parseBounds,
    )
    .addOption(
      new RequiredOption(
        '--quantiles <list>',
        'what to release, 0.1,0.5,0.9 or median, quartiles, deciles, percentiles, count:30',
      ).argParser(parseQuantiles),
    )
    .addOption(epsilon)
    .option(
      '--delta <number>',
      'the delta that the release may cost: for approximate-quantiles, app-ind-exp, agg-tree, gauss-tree, smooth, csmooth and to find groups (default: 0)',
      (text) => parseDecimalOption('--delta', text, 'a number of at least 0 and less than 1', 'delta_invalid'),
    )
    .addOption(
      new Option('--method <name>', `auto, ${methodNames.join(', ')}; auto takes the smallest expected error`)
        .default('auto')
        .argParser((text) => parseChoice('--method', text, ['auto', ...methodNames], 'method_invalid')),
    )
    .option(
      '--prior <prior>',
      'what is publicly believed: uniform, or cauchy, half-cauchy, laplace or gaussian with :location,scale, or public:FILE, or public:FILE#COLUMN, the records of a PUBLIC file that is read with the same options and not protected; cauchy and half-cauchy need no bounds; repeated, one for each quantile',
      (text, before: readonly (Prior | PublicFile)[] | undefined) => [...(before ?? []), parsePrior(text)],
    )
    .option(
      '--prior-mix <share>',
      'mix so much of a uniform prior into it, such as 0.1, or of another wide one, such as 0.1:cauchy:0,10: then a prior that is wrong costs little',
      parsePriorMix,
    );
  return addTreeOptions(command)
    .option(
      '--smoothing <t>',
      'smoothness of csmooth, one or one for each quantile, from public data only (default: the best on a public reference)',
      parseSmoothing,
    )
    .option(
      '--step <number>',
      'resolution of the answer (default: 1 for a column declared integer, else a power of two)',
      (text) => parseNumberOption('--step', text, 'a number greater than 0', 'step_invalid'),
    )
    .addOption(relationOption('what is protected'))
    .option('--unit <column>', 'protect all rows that share a value of this column, not each row by itself')
    .option('--max-rows <count>', 'use at most so many rows of each unit; the noise pays for them', (text) =>
      parseWholeOption('--max-rows', text, 1),
    )
    .option(
      '--counts <column>',
      'a row stands for so many records of its value: whole numbers, others by the rule of the guide; one unit of count is protected',
    )
    .option('--group-by <column>', 'one release for each group: for each value of this column')
    .option(
      '--groups <list>',
      'the groups, at most 1000, from what is publicly known, as a list a,b,"c,d", also repeated; without, groups are found, which needs --delta',
      parseGroups,
    )
    .option('--where <condition>', 'keep rows by an expression over their own columns')
    .option(
      '--about-rows <count>',
      'about how many rows there are (in each group), as publicly known; adds errors as shares of the rows',
      (text) => parseWholeOption('--about-rows', text, 1),
    )
    .option(
      '--interval <level>',
      'also release confidence intervals for the population, such as 0.95; without --about-rows, 5 % of epsilon buys a noisy count of the rows',
      (text) => parseNumberOption('--interval', text, 'a number strictly between 0 and 1, such as 0.95'),
    )
    .option('--format <format>', `${formats.join(', ')} (default: by the ending)`, (text) =>
      parseChoice('--format', text, formats),
    )
    .option('--table <name>', 'the table of a DuckDB database')
    .option('--no-header', 'the text file has no header line; columns are column0, column1, …')
    .option(
      '--delimiter <character>',
      'between the fields of a text file (default: a comma, or a tab for tsv)',
      (text) => (text === '\\t' ? '\t' : text),
    )
    .option('--quote <character>', 'around fields of a text file (default: ")')
    .option(
      '--dataset <name>',
      "name in the ledger; an existing file or a glob means its real path (default: the file's real path)",
    )
    .option('--ledger <path>', `the ledger file (default: ${defaultLedger})`)
    .option('--seed <number>', 'reproducible noise for tests, NOT private; needs --unsafe-seed', (text) =>
      parseWholeOption('--seed', text, 0),
    )
    .option('--unsafe-seed', 'accept that a seeded answer is not private; no ledger is touched')
    .option('--value-unit <text>', 'the unit of the values, such as minutes, for the table and the plot')
    .addOption(new Option('--json', 'print one JSON object').conflicts('csv'))
    .option('--csv', 'print CSV: quantile,value,rank_error,rank_error_95 (after group with --group-by)')
    .option('-q, --quiet', 'no talk on standard error');
}
