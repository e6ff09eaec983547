import { planByGroup } from '../groups/plan.js';
import { quantilesByGroup } from '../groups/quantiles-by-group.js';
import { accounted } from './accounted.js';
import { answerCsv, answerTable } from './answer.js';
import { datasetName } from './dataset.js';
import { groupedAnswer, groupsInWords, sizesInWords } from './groups.js';
import { defaultLedger } from './ledger-file.js';
import { checkPlotPath, writePlot } from './plot-file.js';
import { printAnswer } from './print-release.js';
import { publicPriors } from './priors.js';
import { Progress } from './progress.js';
import { groupsOptions, libraryOptions, type QuantilesFlags, unitOf } from './quantiles-flags.js';
import { openGroupedSource } from './source.js';
import type { Terminal } from './terminal.js';
import { methodInWords } from './words.js';

/** Releases quantiles of each group, in the order of `runQuantiles`: nothing is opened before everything is checked. */
export async function runGroups(
  file: string,
  flags: QuantilesFlags,
  groupBy: string,
  terminal: Terminal,
): Promise<void> {
  const declared = groupsOptions(flags, terminal.signal);
  planByGroup(declared, { unit: unitOf(flags) });
  if (flags.plot !== undefined) checkPlotPath(flags.plot, [file, flags.ledger ?? defaultLedger]);
  const progress = new Progress(terminal);
  const source = await openGroupedSource(file, flags, groupBy, terminal.signal, progress.report);
  try {
    const options = {
      ...declared,
      ...(await publicPriors(file, libraryOptions(flags, terminal.signal), flags, source)),
    };
    const plan = planByGroup(options, source);
    if (plan.groups) await source.checkGroups?.(plan.groups);
    const dataset = datasetName(flags.dataset ?? source.realPath ?? file);
    const outcome = await accounted(dataset, plan, flags, () =>
      progress.during(() => quantilesByGroup(source, options)),
    );
    const answer = groupedAnswer(outcome.release, plan.lattice);
    printAnswer(outcome, flags.csv ? answerCsv(answer) : answerTable(answer, flags.valueUnit), flags, terminal);
    const sizes = sizesInWords(outcome.release);
    if (sizes !== undefined) terminal.say('Rows', sizes);
    terminal.say('Groups', groupsInWords(plan, groupBy));
    if (plan.second) terminal.say('Method', methodInWords(plan.mechanism, plan.second));
    if (flags.plot !== undefined) {
      const { column, valueUnit } = flags;
      const draw = async () => {
        const { plotGroups } = await import('./plot-groups.js');
        return plotGroups({ release: outcome.release, column, valueUnit });
      };
      await writePlot(flags.plot, draw, terminal);
    }
  } finally {
    await source.close();
  }
}
