import type { NoiseSource, Settings, Steps, train } from '../../examples/adult/logistic.mjs';
import { datasetOf, type Record } from '../../examples/adult/people.mjs';
import { discreteGaussian } from '../../src/random/discrete-gaussian.js';
import type { Entropy } from '../../src/random/entropy.js';
import { bits } from '../../src/random/exact.js';

export type Plan = Steps & { readonly people: number };

/** The training as it is defined, record by record and coordinate by coordinate; also without clipping, or rounding otherwise. */
export function naiveTrain(
  records: readonly Record[],
  { rate, clip, ridge }: Settings,
  { rho, steps, units, people }: Plan,
  noise: Pick<NoiseSource, 'gaussian'>,
  { round = Math.trunc, clips = true } = {},
): number[] {
  const draw = noise.gaussian(BigInt(Math.ceil((units ** 2 * steps) / (2 * rho))));
  const width = records[0]!.features.length;
  let weights = Array<number>(width).fill(0);
  for (let step = 0; step < steps; step++) {
    const sums = Array<number>(width).fill(0);
    for (const { features, label } of records) {
      const logit = features.reduce((sum, x, j) => sum + x * weights[j]!, 0);
      const gradient = features.map((x) => (1 / (1 + Math.exp(-logit)) - label) * x);
      const shrink = clips ? Math.min(1, clip / Math.hypot(...gradient)) * (1 - 2 ** -30) : 1;
      gradient.forEach((g, j) => {
        sums[j]! += round((g * shrink * units) / clip);
      });
    }
    weights = weights.map((w, j) => w - rate * (((sums[j]! + draw()) * clip) / units / people + ridge * w));
  }
  return weights;
}

/** The trainer under test on records. */
export type Program = (
  records: readonly Record[],
  settings: Settings,
  plan: Plan,
  noise: Pick<NoiseSource, 'gaussian'>,
) => ArrayLike<number>;

export const packed =
  (program: typeof train): Program =>
  (records, settings, plan, noise) =>
    program(datasetOf(records, records[0]!.features.length), settings, plan, noise);

/**
 * The law of the weights of a training that draws two numbers, by trying all pairs. What lies further out than 7 deviations
 * has a probability below 1e-11. Weights are told apart to nine decimals: a function of them is no less private.
 */
export function lawOfTwoDraws(program: Program, records: readonly Record[], settings: Settings, plan: Plan) {
  let logProbability = (_: number) => 0;
  let reach = 0;
  let script: number[] = [0, 0];
  const noise = {
    gaussian(variance: bigint) {
      const law = discreteGaussian(variance, 1n);
      ({ logProbability } = law);
      reach = Math.ceil(7 * Math.sqrt(law.variance));
      let next = 0;
      return () => script[next++]!;
    },
  };
  program(records, settings, plan, noise);
  const law = new Map<string, number>();
  const [most, of] = [reach, logProbability];
  for (let a = -most; a <= most; a++)
    for (let b = -most; b <= most; b++) {
      script = [a, b];
      const weights = program(records, settings, plan, noise);
      const key = Array.from(weights, (w) => Math.round(w * 1e9)).join();
      law.set(key, (law.get(key) ?? 0) + Math.exp(of(a) + of(b)));
    }
  return law;
}

/** The larger of the two hockey-stick divergences: no smaller delta holds at this epsilon. */
export function hockeyStick(p: ReadonlyMap<string, number>, q: ReadonlyMap<string, number>, epsilon: number): number {
  const excess = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) =>
    [...a].reduce((sum, [key, mass]) => sum + Math.max(0, mass - Math.exp(epsilon) * (b.get(key) ?? 0)), 0);
  return Math.max(excess(p, q), excess(q, p));
}

/** A made-up row in the form of Adult's; older and longer educated people earn more. */
export function madeUpRow(entropy: Entropy): string {
  const pick = (...list: string[]) => list[bits(entropy, 16) % list.length];
  const [age, education] = [17 + (bits(entropy, 16) % 60), 1 + (bits(entropy, 16) % 16)];
  const rich = age / 76 + education / 16 + bits(entropy, 16) / 2 ** 16 > 1.6;
  const work = [
    pick('Private', '?', 'State-gov'),
    bits(entropy, 16),
    'HS-grad',
    education,
    pick('Divorced', 'Widowed'),
  ];
  const home = [pick('Sales', '?'), pick('Husband', 'Wife'), 'White', pick('Male', 'Female'), 0, 0, 40, 'Cuba'];
  return [age, ...work, ...home, rich ? '>50K' : '<=50K'].join(', ');
}
