import { planQuantiles } from '../quantiles/plan.js';
import { quantiles } from '../quantiles/quantiles.js';
import { accounted } from './accounted.js';
import { datasetName } from './dataset.js';
import { defaultLedger } from './ledger-file.js';
import { formatValues } from './numbers.js';
import { checkPlotPath, writePlot } from './plot-file.js';
import { printRelease } from './print-release.js';
import { publicPriors } from './priors.js';
import { Progress } from './progress.js';
import { libraryOptions, type QuantilesFlags, unitOf } from './quantiles-flags.js';
import { openSource } from './source.js';
import type { Terminal } from './terminal.js';
import { leavesInWords, methodInWords } from './words.js';

/**
 * Releases quantiles. The order keeps the promise: options, then public names and types, then the price, then the durable
 * reservation, and only then rows.
 */
export async function runQuantiles(file: string, flags: QuantilesFlags, terminal: Terminal): Promise<void> {
  const declared = libraryOptions(flags, terminal.signal);
  planQuantiles(declared, { unit: unitOf(flags) });
  if (flags.plot !== undefined) checkPlotPath(flags.plot, [file, flags.ledger ?? defaultLedger]);
  const progress = new Progress(terminal);
  const source = await openSource(file, flags, terminal.signal, progress.report);
  try {
    const options = { ...declared, ...(await publicPriors(file, declared, flags, source)) };
    const plan = planQuantiles(options, source);
    const dataset = datasetName(flags.dataset ?? source.realPath ?? file);
    const outcome = await accounted(dataset, plan, flags, () => progress.during(() => quantiles(source, options)));
    const { values, intervals } = outcome.release;
    const texts = formatValues(values, plan.lattice);
    const ends = intervals?.map((pair) => formatValues(pair, plan.lattice));
    printRelease(outcome, { values: texts, intervals: ends }, flags, terminal);
    const leaves = leavesInWords(plan.mechanism, plan.lattice.size, flags);
    if (leaves !== undefined) terminal.say('Leaves', leaves);
    if (plan.second) terminal.say('Method', methodInWords(plan.mechanism, plan.second));
    if (flags.plot !== undefined) {
      const { column, valueUnit } = flags;
      const draw = async () => {
        // Loaded only where a plot is asked for: it takes longer than most releases.
        const { plotQuantiles } = await import('./plot.js');
        return plotQuantiles({ release: outcome.release, texts, column, valueUnit });
      };
      await writePlot(flags.plot, draw, terminal);
    }
  } finally {
    await source.close();
  }
}
