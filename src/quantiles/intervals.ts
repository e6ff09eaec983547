import { binomialTail } from './binomial-tail.js';
import { endLaws } from './end-law.js';
import type { ForecastRequest } from './forecast.js';
import { jointExpRate } from './joint-exp.js';
import { gridQuantile } from './targets.js';

/** Where the ends of a confidence interval are released: as two more quantiles, or at the bounds. */
export interface IntervalEnds {
  /** The quantile below and the one above; undefined where the interval reaches the bound of the lattice. */
  readonly lower: number | undefined;
  readonly upper: number | undefined;
}

/** An empty stretch below all records may be so many times as wide as n gaps between records around the end. */
const breadth = 2 ** 7;
/** Ends that still have to move after so many attempts are at the bounds. */
const attempts = 12;
/** How much further than they have to ends move, since the others move too. */
const stride = 1.25;

/**
 * Plans confidence intervals for the quantiles of the *population* that n records, or more, were drawn from. Around each
 * quantile q two more are released in the same JointExp, the upper one at q + d/n. It lies below the population's
 * quantile only if at least n*q + d + e records do, where e is the mechanism's own error, or if it leaves the records
 * altogether. The number K of records below is binomial. So d is such that the probability of K >= n*q + d + e is at most
 * (1 - level)/2, with a bound for every binomial law ({@link binomialTail}) and with errors in populations and bounds
 * where they are at their worst ({@link endLaws}). The lower end is the upper one of the mirrored records. With more
 * records than n the same shares cover more often.
 *
 * @param request the quantiles and the price; `aboutRows` is n.
 * @param level the coverage wanted, such as 0.95.
 */
export function planIntervals(request: ForecastRequest & { aboutRows: number }, level: number): IntervalEnds[] {
  const { quantiles, aboutRows: n } = request;
  const mirror = (shares: readonly number[]) => shares.map((share) => 1 - share);
  const mirrored = mirror(quantiles);
  const settings = { n, rate: leastRate(request), miss: (1 - level) / 2 };
  let upper: readonly number[] = quantiles;
  let lower: readonly number[] = mirrored;
  // Errors depend on where all ends are, so these move out until none has to.
  for (let attempt = 0; attempt <= attempts; attempt++) {
    const now = {
      ...settings,
      stretch: attempt === 0 ? 0 : breadth * n,
      stride: attempt === 0 ? 1 : attempt < attempts ? stride : Number.POSITIVE_INFINITY,
    };
    const [higher, deeper] = [
      upperEnds(quantiles, upper, [...quantiles, ...mirror(lower)], now),
      upperEnds(mirrored, lower, [...mirrored, ...mirror(upper)], now),
    ];
    const done =
      attempt > 0 && higher.every((end, j) => end === upper[j]) && deeper.every((end, j) => end === lower[j]);
    [upper, lower] = [higher, deeper];
    if (done) break;
  }
  return quantiles.map((_, j) => ({
    lower: lower[j] < 1 ? 1 - lower[j] : undefined,
    upper: upper[j] < 1 ? upper[j] : undefined,
  }));
}

/** At most the rate of a release of these quantiles and their ends, wherever they are. */
function leastRate({ quantiles, epsilon, rowsPerUnit }: ForecastRequest): number {
  const all = Array.from({ length: 3 * quantiles.length }, (_, j) => (j + 1) / (3 * quantiles.length + 1));
  return jointExpRate({ quantiles: all.map(gridQuantile), epsilon, relation: 'swap', rowsPerUnit });
}

interface Settings {
  readonly n: number;
  readonly rate: number;
  /** How often an end may fail. */
  readonly miss: number;
  readonly stretch: number;
  /** How many times as far as it has to an end moves. */
  readonly stride: number;
}

/**
 * The shares of the upper ends by the laws of their errors where they are now: no lower, and 1 where there is none.
 *
 * @param others the other targets.
 */
function upperEnds(
  quantiles: readonly number[],
  ends: readonly number[],
  others: readonly number[],
  { n, rate, miss, stretch, stride }: Settings,
): number[] {
  const shares = [...new Set([...others, ...ends])].filter((share) => share > 0 && share < 1).sort((a, b) => a - b);
  const { chances, strays, reach, spacing } = endLaws(
    shares.map((share) => share * n),
    n,
    rate,
    stretch,
  );
  return quantiles.map((q, j) => {
    if (ends[j] >= 1) return 1;
    const at = shares.indexOf(ends[j]);
    const now = n * (ends[j] - q);
    // Errors too rare to matter fail. Half a place of the grid further down: targets lie between ranks.
    const tiny = (1e-3 * miss) / chances[at].length;
    const fails = (d: number) =>
      chances[at].reduce(
        (sum, p, i) => sum + (p > tiny ? p * binomialTail(n, q, d + (i - reach - 0.5) * spacing) : p),
        strays[at] * Math.exp(-2 * rate * (d - now)),
      );
    if (fails(now) <= miss) return ends[j];
    const room = n * (1 - q);
    let [low, step] = [now, spacing];
    while (low + step < room && fails(low + step) > miss) [low, step] = [low + step, 2 * step];
    let high = low + step;
    while (high - low > spacing / 4) {
      const mid = (low + high) / 2;
      // Far out, doubles may be further apart than the grid.
      if (mid <= low || mid >= high) break;
      if (fails(mid) > miss) low = mid;
      else high = mid;
    }
    const moved = now + stride * (high - now);
    return moved + 0.5 < room ? q + moved / n : 1;
  });
}
