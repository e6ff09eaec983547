import { ScumbleError } from '../errors.js';
import type { Ledger } from '../ledger/index.js';
import { type Plan, planQuantiles } from '../quantiles/plan.js';
import { type QuantilesRelease, quantiles } from '../quantiles/quantiles.js';
import { datasetName } from './dataset.js';
import { defaultLedger, withLedger } from './ledger-file.js';
import { formatValues } from './numbers.js';
import { checkPlotPath, writePlot } from './plot-file.js';
import { type Outcome, printRelease } from './print-release.js';
import { Progress } from './progress.js';
import { libraryOptions, type QuantilesFlags, unitOf } from './quantiles-flags.js';
import { openSource } from './source.js';
import type { Terminal } from './terminal.js';
import { methodInWords } from './words.js';

/**
 * Releases quantiles. The order keeps the promise: options, then public names and types, then the price, then the durable
 * reservation, and only then rows.
 */
export async function runQuantiles(file: string, flags: QuantilesFlags, terminal: Terminal): Promise<void> {
  const options = libraryOptions(flags, terminal.signal);
  planQuantiles(options, { unit: unitOf(flags) });
  if (flags.plot !== undefined) checkPlotPath(flags.plot, [file, flags.ledger ?? defaultLedger]);
  const progress = new Progress(terminal);
  const source = await openSource(file, flags, terminal.signal, progress.report);
  try {
    const plan = planQuantiles(options, source);
    const dataset = datasetName(flags.dataset ?? source.realPath ?? file);
    const release = () => progress.during(() => quantiles(source, options));
    const outcome =
      flags.seed === undefined
        ? await withLedger(flags.ledger ?? defaultLedger, (ledger) => accounted(ledger, dataset, plan, flags, release))
        : { dataset, reservation: null, release: await release() };
    const { values, intervals } = outcome.release;
    const texts = formatValues(values, plan.lattice);
    const ends = intervals?.map((pair) => formatValues(pair, plan.lattice));
    printRelease(outcome, { values: texts, intervals: ends }, flags, terminal);
    if (plan.second) terminal.say('Method', methodInWords(plan.mechanism, plan.second));
    if (flags.plot !== undefined) await writePlot(flags.plot, outcome.release, texts, flags, terminal);
  } finally {
    await source.close();
  }
}

/** Reserve, release, commit. Whatever fails after the reservation, the spend stays. */
async function accounted(
  ledger: Ledger,
  dataset: string,
  { guarantee, mechanism }: Plan,
  { epsilon, delta }: QuantilesFlags,
  release: () => Promise<QuantilesRelease>,
): Promise<Outcome> {
  const reservation = await ledger.reserve({
    dataset,
    guarantee: { ...guarantee, epsilon, delta: guarantee.delta > 0 && delta ? delta : 0 },
    mechanism,
  });
  try {
    const outcome = { dataset, reservation, release: await release() };
    await ledger.commit(reservation.id);
    return outcome;
  } catch {
    // Rows have been read: why it failed may depend on them, so that it failed is all that is said.
    throw new ScumbleError('engine_failed', 'The release failed after its cost was reserved, and the spend stays.');
  }
}
