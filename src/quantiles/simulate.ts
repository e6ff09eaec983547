import { type Entropy, unsafeSeededEntropy } from '../random/entropy.js';
import type { RankProfile } from '../ranks/locate.js';
import { pauses } from '../slices.js';
import type { Candidate, Choice } from './choose.js';
import { asForecast, type Forecast } from './forecast.js';
import type { Draw, Method, MethodRequest } from './method.js';

/** Releases are drawn by so many, until the means are known or there are enough. */
const batch = 64;
/** Of few quantiles; of more there are fewer, since each release takes longer and tells as much in all. */
const most = 1024;
const least = 128;
const quantilesInAll = 2 ** 15;
/** A mean is known when its standard error is within this share of it, or so small a part of a record. */
const share = 0.05;
const part = 0.05;

/** A profile of no more records is read at once rather than bit by bit. */
const fewRecords = 2 ** 17;

/** Releases from a public profile, drawn until their errors are known. */
export interface Simulation {
  /** Draws one batch more, and says whether that is enough. */
  more(): Promise<boolean>;
  /** By what has been drawn. */
  forecast(): Forecast;
}

/**
 * Forecasts the rank errors of a method on a public rank profile, by releases from it with a fixed seed. The rank error of
 * a value is the distance of its target q*n from the ranks that the value holds, from the number of records below it to
 * that of records not above it: 0 where the target falls on a tie. Means are good to five per cent or a twentieth of a
 * record (one standard error), or as good as 1024 releases make them, 128 where there are many quantiles.
 *
 * @throws ScumbleError `aborted`.
 */
export async function simulation(
  method: Method,
  request: MethodRequest,
  profile: RankProfile,
  signal?: AbortSignal,
): Promise<Simulation> {
  const { quantiles } = request;
  const { n } = profile;
  if (n <= fewRecords) await profile.around([{ low: 0, high: n }]);
  const draw: Draw =
    (await method.sampler?.(request, profile, signal)) ??
    ((entropy: Entropy) => method.release(request, profile, entropy, signal));
  const entropy = unsafeSeededEntropy(0);
  const pause = pauses(signal);
  const errors = quantiles.map((): number[] => []);
  const enough = Math.min(most, Math.max(least, quantilesInAll / quantiles.length));
  return {
    async more() {
      const releases: number[][] = [];
      while (releases.length < batch) {
        releases.push(await draw(entropy));
        await pause();
      }
      const ranks = await ranksHeld(profile, releases.flat());
      for (const cells of releases)
        for (const [j, cell] of cells.entries()) {
          const { low, high } = ranks.get(cell)!;
          const target = quantiles[j] * n;
          errors[j].push(Math.max(0, low - target, target - high));
        }
      return errors[0].length >= enough || errors.every(known);
    },
    forecast() {
      const in95 = errors.map((list) => list.toSorted((a, b) => a - b)[Math.ceil(0.95 * list.length) - 1]);
      return asForecast(errors.map(mean), in95, n);
    },
  };
}

/** Choices that after one batch err so many times as much as the second best method are given up. */
const clearly = 1.5;

/**
 * Simulates each of the choices, where there are several, only as far as it may be the best or the second.
 *
 * @throws ScumbleError `aborted`.
 */
export async function simulateBest(
  choices: readonly Choice[],
  profile: RankProfile,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const runs: { choice: Choice; simulated: Simulation; done: boolean; error: number }[] = [];
  for (const choice of choices) {
    const simulated = await simulation(choice.method, choice.request, profile, signal);
    const done = await simulated.more();
    runs.push({ choice, simulated, done, error: sum(simulated.forecast().expectedRankError) });
  }
  const leastOf = (of: Method) =>
    Math.min(...runs.filter(({ choice }) => choice.method === of).map((run) => run.error));
  const errors = [...new Set(choices.map(({ method }) => method))].map(leastOf).sort((a, b) => a - b);
  const promising = runs.filter(({ error }) => error <= clearly * (errors[1] ?? error));
  for (const run of promising) while (!run.done) run.done = await run.simulated.more();
  return promising.map(({ choice, simulated }) => ({ ...choice, forecast: simulated.forecast() }));
}

/** The ranks that each cell holds. */
async function ranksHeld(profile: RankProfile, cells: readonly number[]) {
  const distinct = [...new Set(cells)];
  const ranks = await profile.ranksAt(distinct.flatMap((cell) => [cell, cell + 1]));
  return new Map(distinct.map((cell, i) => [cell, { low: ranks[2 * i], high: ranks[2 * i + 1] }]));
}

function known(errors: readonly number[]): boolean {
  const centre = mean(errors);
  const variance = errors.reduce((sum, error) => sum + (error - centre) ** 2, 0) / errors.length;
  return Math.sqrt(variance / errors.length) <= Math.max(share * centre, part);
}

function mean(list: readonly number[]): number {
  return sum(list) / list.length;
}

function sum(list: readonly number[]): number {
  return list.reduce((a, b) => a + b, 0);
}
