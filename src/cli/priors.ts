import { ScumbleError } from '../errors.js';
import type { Prior } from '../lattice/prior.js';
import { maxEpsilon, type QuantilesOptions } from '../quantiles/options.js';
import { ask, type SourceFacts } from '../quantiles/plan.js';
import { publicPrior } from '../quantiles/public-prior.js';
import { aboutFile, checkPublicFile, publicFlags } from './public-file.js';
import type { CommonFlags } from './quantiles-flags.js';
import { checkSource, openSource } from './source.js';

/** `--prior public:FILE#column`: what the records of a public file say. */
export interface PublicFile {
  readonly family: 'public';
  readonly file: string;
  /** Default: that of the release. */
  readonly column?: string;
}

/** `--prior-mix`: so much of a wide prior. */
export interface Mix {
  readonly share: number;
  readonly robust: Prior;
}

/** Refuses priors that cannot be read, or must not be, before anything is opened. */
export async function checkPriors(data: string, flags: CommonFlags): Promise<void> {
  if (flags.priorMix && !flags.prior)
    throw new ScumbleError('prior_invalid', '--prior-mix needs --prior, what the wide prior is mixed into.');
  for (const prior of flags.prior ?? []) {
    if (prior.family !== 'public') continue;
    await checkPublicFile(
      '--prior',
      prior.file,
      [data, flags.dataset ?? data],
      'what is in it is not protected, and a prior from the data would not be public',
    );
    await aboutFile('--prior', prior.file, () => checkSource(prior.file, flagsFor(prior, data, flags)));
  }
}

function flagsFor({ file, column }: PublicFile, data: string, flags: CommonFlags): CommonFlags {
  return { ...publicFlags(file, data, flags), column: column ?? flags.column };
}

/** Any prior that is not uniform stands for what is not read yet. */
const unread: Prior = { family: 'gaussian', location: 0, scale: 1 };

/** The priors as options of the library, where public files are not read yet. */
export function priorOptions(flags: CommonFlags): Pick<QuantilesOptions, 'prior' | 'priors'> {
  return optionsOf(
    flags,
    flags.prior?.map((prior) => (prior.family === 'public' ? unread : prior)),
  );
}

function optionsOf(
  flags: CommonFlags,
  priors: readonly Prior[] | undefined,
): Pick<QuantilesOptions, 'prior' | 'priors'> {
  const mixed = priors?.map((prior): Prior => mixedIn(flags, prior));
  return mixed?.length === 1 ? { prior: mixed[0] } : { priors: mixed };
}

/** The robust mixture of Khodak et al. (2023), (1 - share) of the prior. */
function mixedIn<T>({ priorMix }: CommonFlags, prior: T) {
  if (!priorMix) return prior;
  return { family: 'mixture' as const, prior, robust: priorMix.robust, share: 1 - priorMix.share };
}

/**
 * The same with what the public files say.
 *
 * @param options all that is asked of the library, checked before a file is opened.
 * @param facts of the data, and `data` their file.
 */
export async function publicPriors(
  data: string,
  options: Omit<QuantilesOptions, 'epsilon'>,
  flags: CommonFlags,
  facts: SourceFacts,
): Promise<Pick<QuantilesOptions, 'prior' | 'priors'>> {
  const { prior: given } = flags;
  if (!given?.some(({ family }) => family === 'public')) return priorOptions(flags);
  const { lattice } = ask({ epsilon: maxEpsilon, ...options }, facts);
  const signal = options.signal ?? new AbortController().signal;
  const priors: Prior[] = [];
  for (const prior of given) {
    if (prior.family !== 'public') {
      priors.push(prior);
      continue;
    }
    const read = async () => {
      const source = await openSource(prior.file, flagsFor(prior, data, flags), signal, () => {});
      try {
        return await publicPrior(source, lattice, signal);
      } finally {
        await source.close();
      }
    };
    priors.push(await aboutFile('--prior', prior.file, read));
  }
  return optionsOf(flags, priors);
}

/** The priors as they were given, for JSON: one for all quantiles, or a list of one for each. */
export function priorsJson(flags: CommonFlags): object | undefined {
  const mixed = flags.prior?.map((prior) => mixedIn(flags, prior));
  return mixed?.length === 1 ? mixed[0] : mixed;
}

/** The same in words; undefined where none was given. */
export function priorsInWords({ prior: given, priorMix }: CommonFlags): string | undefined {
  if (!given) return undefined;
  const mixed = priorMix ? `, mixed with ${priorMix.share} of ${priorInWords(priorMix.robust)}` : '';
  return `${given.map(priorInWords).join('; ')}${mixed}`;
}

function priorInWords(prior: Prior | PublicFile): string {
  if (prior.family === 'public') {
    const column = prior.column === undefined ? '' : ` (column ${prior.column})`;
    return `from ${prior.file}${column}, whose rows count as public and are not protected`;
  }
  return 'location' in prior ? `${prior.family} ${prior.location} ${prior.scale}` : prior.family;
}
