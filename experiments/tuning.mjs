// Ways to tune at the same total cost: the example of examples/adult, its trainer in this process, measured on people who were
// in no part of the tuning. The accuracies that decide nothing are not private; they are for this figure alone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsOf } from '../dist/cli/select/settings.js';
import { readTune } from '../dist/cli/select/tune-file.js';
import { rdpEpsilon } from '../dist/privacy/rdp.js';
import { unsafeSeededEntropy } from '../dist/random/entropy.js';
import { uniformBelow } from '../dist/random/exact.js';
import { negativeBinomial, randomStopping, select, threshold, unknownThreshold } from '../dist/selection/index.js';
import { unboundedSearch } from '../dist/selection/threshold-search.js';
import { accuracy } from '../examples/adult/logistic.mjs';
import { datasetOf, partsOf, recordsOf } from '../examples/adult/people.mjs';
import { noiseFrom, priceOf, trial } from '../examples/adult/trial.mjs';
import { writeComparison } from './figure.mjs';
import { listOf, optionsOf, positive, UsageError, whole } from './options.mjs';

const delta = 1e-6;
/** Trainings for each setting to find the one that is best on average. */
const rehearsals = 3;
/** The share of those with a low income: what a model that was never found tells right. */
const constant = (data) => data.labels.filter((label) => label === 0).length / data.labels.length;
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

export async function tuning(args) {
  const { trials, epsilons: totals } = optionsOf(args, {
    trials: { ...whole, default: '20' },
    epsilons: { ...listOf(positive), default: '0.1,1,3' },
  });
  const files = ['adult/adult.data', 'adult/adult.test'].map((file) => join(process.env.SCUMBLE_DATA ?? '', file));
  if (!process.env.SCUMBLE_DATA || !files.every((file) => existsSync(file)))
    throw new UsageError('adult/adult.data and adult/adult.test are absent: set SCUMBLE_DATA.');
  const [seen, unseen] = files.map((file) => readFileSync(file, 'utf8'));
  const parts = partsOf(seen);
  const test = datasetOf(recordsOf(unseen.split('\n')));
  const settings = settingsOf(readTune(fileURLToPath(new URL('../examples/adult/tune.yaml', import.meta.url))));
  const task = { parts, test, settings };
  const rows = [];
  for (const epsilon of totals) {
    const total = { epsilon, delta };
    for (const [way, { runs, each, tune, note = '' }] of Object.entries(waysOf(total, task))) {
      const row = {
        total: `epsilon ${epsilon}`,
        way,
        runs,
        'epsilon of a run': each,
        accuracy: '',
        low: '',
        high: '',
        note,
      };
      if (tune) {
        const found = [];
        for (let seed = 0; seed < trials; seed++) found.push(await tune(unsafeSeededEntropy(seed), seed));
        found.sort((a, b) => a - b);
        const at = (share) => digits(found[Math.round(share * (trials - 1))], 4);
        Object.assign(row, { accuracy: digits(mean(found), 4), low: at(0.1), high: at(0.9) });
      }
      rows.push(row);
      console.error(`${row.total}, ${way}: ${row.accuracy || note} (${row.low} to ${row.high})`);
    }
  }
  writeComparison('tuning', rows, {
    title: 'Tuning a private logistic regression on Adult at the same total cost',
    subtitle: `${settings.length} settings, delta ${delta.toExponential()}; 20 runs on average where their number is random; mean of ${trials} tunings, bars from the 10th to the 90th percentile`,
    thing: 'way',
    value: 'accuracy',
    low: 'low',
    high: 'high',
    label: 'share of 16,281 other people told right',
    facet: 'total',
    absent: 'note',
  });
}

/** Every way by its name: how many runs it makes, what each may cost, and a function that tunes once. */
function waysOf(total, { parts, test, settings }) {
  const measured = ({ output }) => accuracy(test, output.weights);
  const run = (setting, price, entropy) => trial(parts, setting, price, noiseFrom(entropy));
  const count = settings.length;
  const full = priceOf(total);

  const averages = settings.map((setting, k) =>
    mean(
      Array.from({ length: rehearsals }, (_, i) =>
        measured(run(setting, full, unsafeSeededEntropy(1000 + 20 * i + k))),
      ),
    ),
  );
  const best = settings[averages.indexOf(Math.max(...averages))];

  const sweep = (price) => (entropy) => {
    const all = settings.map((setting) => run(setting, price, entropy));
    return measured(all.reduce((a, b) => (b.score > a.score ? b : a)));
  };
  const by = (stopping, price) => async (entropy, seed) => {
    const candidates = settings.map((setting) => () => run(setting, price, entropy));
    const guarantee = { relation: 'add-remove', unit: 'row', epsilon: price.epsilon, delta: 0 };
    const score = { min: 0, max: 1 };
    const selection = await select({ candidates, score, stopping, guarantee, unsafeSeed: seed });
    return selection.outcome === 'none' ? constant(test) : measured(selection);
  };
  const selected = (stopping) => {
    const each = stopping.perRun(total);
    const price = priceOf(each);
    return { runs: digits(stopping.runs.expected, 1), each: shown(each.epsilon), tune: by(stopping, price) };
  };
  const selectedByRenyi = (stopping) => {
    const price = renyiPrice(stopping, total);
    const each = shown(rdpEpsilon((order) => price.rho * order, delta));
    return { runs: digits(stopping.runs.expected, 1), each, tune: by(stopping, price) };
  };
  const share = { epsilon: total.epsilon / count, delta: delta / count };
  const rho = full.rho / count;

  return {
    'best setting, known before': { runs: 1, each: shown(total.epsilon), tune: (e) => measured(run(best, full, e)) },
    'a setting at random': {
      ...{ runs: 1, each: shown(total.epsilon) },
      tune: (entropy) => measured(run(settings[uniformBelow(entropy, count)], full, entropy)),
    },
    'each once, epsilons added': { runs: count, each: shown(share.epsilon), tune: sweep(priceOf(share)) },
    'each once, zCDP added': {
      ...{ runs: count, each: shown(rdpEpsilon((order) => rho * order, delta)) },
      // A score that is epsilon-DP is epsilon^2/2-zCDP.
      tune: sweep({ rho, epsilon: Math.sqrt(2 * rho) }),
    },
    'threshold 0.84, known before': selected(threshold({ tau: 0.84, gamma: 0.01 })),
    'random stopping': selected(randomStopping({ gamma: 0.05 })),
    'random stopping, 100 runs': selected(randomStopping({ gamma: 0.01 })),
    'negative binomial, eta 0': selected(negativeBinomial({ eta: 0, gamma: 0.011 })),
    'negative binomial, eta 1, by Renyi': selectedByRenyi(negativeBinomial({ eta: 1, gamma: 0.05 })),
    'negative binomial, eta 0, by Renyi': selectedByRenyi(negativeBinomial({ eta: 0, gamma: 0.011 })),
    'combined, threshold not known': combined(total, count),
  };
}

const digits = (x, places) => Number(x.toFixed(places));
const shown = (amount) => Number(amount.toPrecision(3));

/** The most that a run may cost in zCDP when the cost of the whole is told by its Renyi divergences; its score is pure. */
function renyiPrice(stopping, { epsilon, delta }) {
  let [low, high] = [0, priceOf({ epsilon, delta }).rho];
  for (let i = 0; i < 50; i++) {
    const rho = (low + high) / 2;
    if (
      rdpEpsilon(
        stopping.totalRdp((order) => rho * order),
        delta,
      ) <= epsilon
    )
      low = rho;
    else high = rho;
  }
  return { rho: low, epsilon: stopping.perRun({ epsilon, delta: 0 }).epsilon };
}

/** Far more runs than anybody makes. */
const maxRuns = 10_000;

/**
 * The combined algorithm searches for a threshold on samples of runs. Its total is split in the way that needs the fewest of
 * them, with runs that get from 1 % to 20 % of it; where even that is too many it is refused, and the number is the note.
 */
function combined({ epsilon }, candidates) {
  const common = { grid: 20, beta: 0.1, delta };
  const splits = [0.01, 0.02, 0.05, 0.1, 0.2].flatMap((share) =>
    [0.01, 0.02, 0.05, 0.1, 0.2].map((couplingSlack) => {
      const [each, capSlack] = [share * epsilon, 0.05 * Math.min(1, epsilon)];
      const run = { epsilon: each, delta: 0 };
      return { ...common, candidates, run, couplingSlack, capSlack, searchEpsilon: epsilon - 2 * each - capSlack };
    }),
  );
  const logRuns = ({ couplingSlack, searchEpsilon, ...split }) =>
    unboundedSearch({ ...split, slack: couplingSlack, epsilon: searchEpsilon, percentile: 0.5 / candidates })
      .logSamples;
  const split = splits.reduce((a, b) => (logRuns(b) < logRuns(a) ? b : a));
  const each = shown(split.run.epsilon);
  try {
    const runs = unknownThreshold({ ...split, maxRuns }).runs.most;
    return { runs, each, note: `${runs} runs` };
  } catch (error) {
    return { runs: error.details.runs, each, note: `refused: ${error.details.runs} runs` };
  }
}
