// node examples/adult/train.mjs --rate 4 --clip 1 --ridge 0 --epsilon 1 --delta 1e-6
//
// Trains a private logistic regression on adult/adult.data below SCUMBLE_DATA and prints its score and weights as one line of JSON. The
// line is (epsilon, delta)-differentially private for one person more or less; every run draws fresh noise.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { secureEntropy } from '../../dist/random/entropy.js';
import { partsOf } from './people.mjs';
import { noiseFrom, priceOf, trial } from './trial.mjs';

/** Public ranges. With them the weights stay finite, whatever the noise. */
const ranges = { rate: [1e-6, 1e3], clip: [1e-6, 1e3], ridge: [0, 1], epsilon: [1e-4, 100], delta: [1e-300, 0.5] };

function numbersFrom(args) {
  const names = Object.keys(ranges);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({ args, options });
  return Object.fromEntries(
    names.map((name) => {
      const [least, most] = ranges[name];
      const value = values[name] === undefined ? Number.NaN : Number(values[name]);
      if (!(value >= least && value <= most))
        throw new Error(`The option --${name} must be a number from ${least} to ${most}.`);
      return [name, value];
    }),
  );
}

function textOfAdult() {
  const folder = process.env.SCUMBLE_DATA;
  if (!folder) throw new Error('Set SCUMBLE_DATA to the folder that holds adult/adult.data.');
  try {
    return readFileSync(join(folder, 'adult/adult.data'), 'utf8');
  } catch {
    throw new Error('The file adult/adult.data cannot be read in the folder that SCUMBLE_DATA names.');
  }
}

try {
  const { epsilon, delta, ...settings } = numbersFrom(process.argv.slice(2));
  const parts = partsOf(textOfAdult());
  console.log(JSON.stringify(trial(parts, settings, priceOf({ epsilon, delta }), noiseFrom(secureEntropy()))));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
