import type { Reservation } from '../ledger/index.js';
import type { QuantilesRelease } from '../quantiles/quantiles.js';
import { type Answer, answerCsv, answerTable } from './answer.js';
import { defaultLedger } from './ledger-file.js';
import { priorsInWords, priorsJson } from './priors.js';
import type { QuantilesFlags } from './quantiles-flags.js';
import type { Terminal } from './terminal.js';
import { version } from './version.js';
import { costInWords, errorsInWords, guaranteeInWords } from './words.js';

/** A release with what the ledger says of it. */
export interface Outcome<Release = QuantilesRelease> {
  readonly release: Release;
  readonly dataset: string;
  /** Null for a seeded run, which touches no ledger. */
  readonly reservation: Reservation | null;
}

/** The answer to standard output, what it cost and what it promises to standard error. `texts`: the values as text. */
export function printRelease(
  outcome: Outcome,
  texts: Required<Pick<Answer, 'values' | 'intervals'>>,
  flags: QuantilesFlags,
  terminal: Terminal,
): void {
  const answer = { ...outcome.release, ...texts };
  printAnswer(outcome, flags.csv ? answerCsv(answer) : answerTable(answer, flags.valueUnit), flags, terminal);
}

/** The same with the answer, where it is no JSON, as `text`. */
export function printAnswer(
  outcome: Outcome<Pick<QuantilesRelease, 'guarantee' | 'forecast' | 'noisyRows'>>,
  text: string,
  flags: QuantilesFlags,
  terminal: Terminal,
): void {
  const { release, dataset, reservation } = outcome;
  terminal.answer(flags.json ? `${JSON.stringify(releaseJson(outcome, flags))}\n` : text);
  if (reservation) {
    terminal.say('Cost', costInWords(reservation, dataset, flags.ledger ?? defaultLedger));
    terminal.say('Guarantee', guaranteeInWords(release.guarantee, flags.counts));
  } else
    terminal.say(
      'Guarantee',
      `none: the noise was seeded (--unsafe-seed), so this answer is NOT private; no ledger was touched`,
    );
  const { noisyRows, forecast } = release;
  if (noisyRows !== undefined) terminal.say('Rows', `about ${noisyRows}, counted with noise for 5 % of epsilon`);
  const priors = priorsInWords(flags);
  if (priors !== undefined) terminal.say('Prior', priors);
  terminal.say('Error', errorsInWords(forecast, flags.aboutRows === undefined ? 'the number of rows' : undefined));
}

/** The documented object of `--json`. */
export function releaseJson({ release, dataset, reservation }: Outcome<object>, flags: QuantilesFlags): object {
  const ledger = reservation && { reserved: reservation.reserved, remaining: reservation.remaining };
  const prior = priorsJson(flags);
  return { ...release, ...(prior && { prior }), dataset, ledger, version };
}
