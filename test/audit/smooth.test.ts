import { describe, expect, it } from 'vitest';
import { exhaustiveAudit } from '../../src/audit/exhaustive.js';
import { multisets } from '../../src/audit/multisets.js';
import { createLattice } from '../../src/lattice/lattice.js';
import { zcdpRho } from '../../src/privacy/zcdp.js';
import { type SmoothQuantile, smooth } from '../../src/quantiles/smooth.js';
import { laplaceFor, logNormalFor, type SmoothNoise } from '../../src/quantiles/smooth-noise.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { laplaceLogNormalTail } from '../../src/random/laplace-log-normal.js';
import { arraySource } from '../../src/ranks/array.js';
import { locate } from '../../src/ranks/locate.js';
import { chiSquareZ } from '../support/chi-square.js';

async function lawOf(records: readonly number[], size: number, quantiles: readonly SmoothQuantile[]) {
  const lattice = createLattice([0, size - 1], 1);
  const view = await arraySource(Float64Array.from(records), true).open({ lattice, nulls: 'lower' });
  return smooth(await locate(view, lattice, { low: 0, high: 1 }), quantiles);
}

const audit = (size: number, records: number, quantiles: readonly SmoothQuantile[], epsilon: number) =>
  exhaustiveAudit({
    records,
    lattice: size,
    relation: 'swap',
    epsilon,
    outputs: [...multisets(size, quantiles.length)],
    law: async (data) => (await lawOf(data, size, quantiles)).logProbability,
  });

const all = (list: readonly number[], noise: SmoothNoise) => list.map((quantile) => ({ quantile, noise }));

/** As the methods share their budgets out. */
const laplaces = (list: readonly number[], epsilon: number, delta: number) =>
  all(list, laplaceFor(epsilon / list.length, delta / list.length)!);
const logNormals = (list: readonly number[], epsilon: number, delta: number, t: number) =>
  all(list, logNormalFor(Math.sqrt((2 * zcdpRho(epsilon, delta)) / list.length), t)!);

describe('the exhaustive audit of smooth', () => {
  it.each([
    [[0.5], 0.5, 1e-2],
    [[0.5], 1, 1e-6],
    [[0.25], 4, 1e-3],
    [[0], 8, 1e-2],
    [[0.3, 0.8], 1, 1e-2],
    [[0.3, 0.8], 6, 1e-3],
  ])('quantiles %j, epsilon %d, delta %d: both are kept', async (list, epsilon, delta) => {
    const found = await audit(list.length > 1 ? 4 : 6, 4, laplaces(list, epsilon, delta), epsilon);
    expect(found.delta).toBeLessThanOrEqual(delta);
    // The claim is not empty: a good part of epsilon is used.
    expect(
      (await audit(list.length > 1 ? 4 : 6, 4, laplaces(list, epsilon, delta), epsilon / 4)).delta,
    ).toBeGreaterThan(0.01);
  });

  it('csmooth keeps its epsilon and delta, and uses a part of them', async () => {
    for (const [list, epsilon, delta, t] of [
      [[0.5], 1, 1e-3, 0.05],
      [[0.25], 6, 1e-6, 0.3],
      [[0.3, 0.8], 3, 1e-2, 0.2],
    ] as const) {
      const noise = logNormals(list, epsilon, delta, t);
      expect((await audit(4, 4, noise, epsilon)).delta).toBeLessThanOrEqual(delta);
      expect((await audit(4, 4, noise, epsilon / 20)).delta).toBeGreaterThan(0.005);
    }
  });

  it.each([
    ['noise for half the epsilon hides a quarter of the shift', { ...laplaceFor(2, 1e-3)!, admissible: 2 ** 4 }],
    ['a sensitivity that falls off too fast', { ...laplaceFor(1, 1e-6)!, smoothness: 20 }],
    ['the local sensitivity in place of the smooth one', { ...laplaceFor(1, 1e-6)!, smoothness: 1e6 }],
  ])('catches %s', async (_, noise) => {
    expect((await audit(6, 4, all([0.5], noise), 1)).delta).toBeGreaterThan(1e-2);
  });

  it('catches quantiles that do not share their budget', async () => {
    const noise = laplaceFor(6, 1e-4)!;
    const one = await audit(4, 5, all([0.5], noise), 6);
    const three = await audit(4, 5, all([0.3, 0.5, 0.7], noise), 6);
    expect(one.delta).toBeLessThanOrEqual(1e-4);
    expect(three.delta).toBeGreaterThan(1e-3);
  });
});

/** The least delta at epsilon for two Laplace laws, by a fine sum: location f and scale w each. */
function hockeyStick([f, w]: [number, number], [g, v]: [number, number], epsilon: number): number {
  const density = (x: number, at: number, scale: number) => Math.exp(-Math.abs(x - at) / scale) / (2 * scale);
  const step = Math.min(w, v) / 200;
  let sum = 0;
  for (let x = f - 60 * w; x <= f + 60 * w; x += step)
    sum += Math.max(0, density(x, f, w) - Math.exp(epsilon) * density(x, g, v)) * step;
  return sum;
}

describe('the smoothness at a large epsilon', () => {
  const [epsilon, delta] = [20, 1e-6];
  const printed = epsilon / (2 * Math.log(2 / delta));

  it('is less than the formula in the literature, which fails', () => {
    const { smoothness, admissible } = laplaceFor(epsilon, delta)!;
    expect(smoothness).toBeLessThan(printed);
    // Scales of neighbours a factor e^beta apart, and the quantile as far as the smaller sensitivity allows.
    const worst = (beta: number) => hockeyStick([0, Math.exp(beta) / admissible], [1, 1 / admissible], epsilon);
    expect(worst(printed)).toBeGreaterThan(2 * delta);
    expect(worst(smoothness)).toBeLessThanOrEqual(delta);
  });

  it('is the formula where that holds', () => {
    expect(laplaceFor(1, 1e-6)!.smoothness).toBeCloseTo(1 / (2 * Math.log(2e6)), 9);
  });
});

/** The Renyi divergence of order alpha of the noises of neighbours, by their laws on a fine lattice. */
function renyi(alpha: number, shift: number, stretch: number, { admissible, sigma }: SmoothNoise): number {
  const points = 200;
  const unit = 1 / admissible;
  const edges = Array.from({ length: 2 * points + 1 }, (_, i) => Math.sinh(((i - points) / points) * 4) * unit);
  const law = (at: number, scale: number) => {
    const tail = (x: number) => laplaceLogNormalTail(Math.abs(x - at) / scale, sigma);
    // Differences of small tails on either side; the cell around the middle has what is left of both.
    const inner = edges.slice(1).map((x, i) => {
      if (edges[i] >= at) return tail(edges[i]) - tail(x);
      return x <= at ? tail(x) - tail(edges[i]) : 1 - tail(edges[i]) - tail(x);
    });
    return [tail(edges[0]), ...inner, tail(edges[2 * points])];
  };
  const [p, q] = [law(0, unit * stretch), law(shift, unit)];
  const sum = p.reduce(
    (total, x, i) => (x > 0 ? total + Math.exp(alpha * Math.log(x) + (1 - alpha) * Math.log(q[i])) : total),
    0,
  );
  return Math.log(sum) / (alpha - 1);
}

describe('the zCDP of Laplace log-normal noise', () => {
  const orders = [1.05, 1.5, 2, 4, 10, 40];
  const worst = (noise: SmoothNoise, t: number, alpha: number) =>
    Math.max(...[0, 1, -1].flatMap((shift) => [-t, 0, t].map((log) => renyi(alpha, shift, Math.exp(log), noise))));

  it.each([
    [1, 0.1],
    [1, 0.4],
    [0.2, 0.01],
    [3, 0.5],
  ])('epsilon %d at t = %d: every order keeps to epsilon^2/2 and a part of it is used', (epsilon, t) => {
    const noise = logNormalFor(epsilon, t)!;
    const used = orders.map((alpha) => worst(noise, t, alpha) / (alpha * epsilon ** 2 * 0.5));
    for (const share of used) expect(share).toBeLessThanOrEqual(1);
    expect(Math.max(...used)).toBeGreaterThan(0.15);
  });

  it('catches a shift and a stretch that are not both paid for', () => {
    const [epsilon, t] = [1, 0.4];
    const { admissible, sigma, smoothness } = logNormalFor(epsilon, t)!;
    const free = { smoothness, sigma, admissible: Math.exp(-1.5 * sigma ** 2) * epsilon * 3 };
    expect(Math.max(...orders.map((alpha) => worst(free, t, alpha) / (alpha * 0.5)))).toBeGreaterThan(1);
    const narrow = { smoothness, admissible, sigma: sigma / 8 };
    expect(Math.max(...orders.map((alpha) => worst(narrow, t, alpha) / (alpha * 0.5)))).toBeGreaterThan(1);
  });
});

describe('a release of the smooth methods', () => {
  const cases: [string, readonly SmoothQuantile[]][] = [
    ['smooth', laplaces([0.2, 0.6], 3, 1e-2)],
    ['csmooth', logNormals([0.2, 0.6], 3, 1e-2, 0.2)],
  ];
  const outputs = [...multisets(8, 2)];

  it.each(cases)('%s has a law that sums to 1 and is drawn by it', async (_, quantiles) => {
    for (const records of [[], [3], [0, 0, 7], [1, 2, 2, 5, 6, 6, 7]]) {
      const law = await lawOf(records, 8, quantiles);
      const chances = outputs.map((output) => Math.exp(law.logProbability(output)));
      expect(chances.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      const entropy = unsafeSeededEntropy(records.length);
      const seen = outputs.map(() => 0);
      const keys = new Map(outputs.map((output, i) => [output.join(), i] as const));
      for (let i = 0; i < 4000; i++) seen[keys.get(law.sample(entropy).join())!]++;
      expect(Math.abs(chiSquareZ(seen, chances))).toBeLessThan(5);
    }
  });

  it.each(cases)('%s has the law of noise that is computed from the definitions', async (_, quantiles) => {
    const records = [1, 2, 2, 5, 6, 6, 7];
    const law = await lawOf(records, 8, quantiles.slice(0, 1));
    const { quantile, noise } = quantiles[0];
    const at = Math.floor((records.length - 1) * quantile);
    const value = (k: number) => (k < 0 ? 0 : k >= records.length ? 7 : records[k]);
    let sensitivity = 0;
    for (let i = -1; i <= at; i++)
      for (let j = at; j <= records.length; j++)
        sensitivity = Math.max(
          sensitivity,
          (value(j) - value(i)) * Math.exp(-noise.smoothness * Math.max(j - i - 1, 0)),
        );
    // The continuous noise, its density summed over what is rounded and clamped to each point.
    const width = sensitivity / noise.admissible;
    const chance = (from: number, to: number) => {
      let sum = 0;
      for (let u = -400; u <= 400; u++) {
        const y = u / 40;
        const scale = width * Math.exp(noise.sigma * y);
        const cdf = (x: number) => (x < 0 ? Math.exp(x / scale) / 2 : 1 - Math.exp(-x / scale) / 2);
        sum += (Math.exp(-(y * y) / 2) / Math.sqrt(2 * Math.PI) / 40) * (cdf(to) - cdf(from));
      }
      return sum;
    };
    for (let k = 0; k < 8; k++) {
      const from = k === 0 ? -1e9 : k - 0.5 - records[at];
      const to = k === 7 ? 1e9 : k + 0.5 - records[at];
      expect(Math.exp(law.logProbability([k]))).toBeCloseTo(chance(from, to), 9);
    }
  });
});
