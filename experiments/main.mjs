// npm run experiment -- <name> [options]: re-runs a figure. Writes <name>.csv and <name>.svg into experiments/out/.
import { ScumbleError } from '../dist/index.js';
import { kAry } from './k-ary.mjs';
import { missedPoints } from './missed-points.mjs';
import { UsageError } from './options.mjs';
import { ties } from './ties.mjs';
import { time } from './time.mjs';
import { tunedT } from './tuned-t.mjs';
import { tuning } from './tuning.mjs';
import { unbounded } from './unbounded.mjs';

const experiments = {
  'k-ary': kAry,
  'missed-points': missedPoints,
  ties,
  time,
  'tuned-t': tunedT,
  tuning,
  unbounded,
};

const usage = `Usage: npm run experiment -- <name> [options], with one of: ${Object.keys(experiments).join(', ')}`;
const [name, ...args] = process.argv.slice(2);
try {
  if (name === undefined) throw new UsageError('The name of an experiment is missing.');
  if (!Object.hasOwn(experiments, name)) throw new UsageError(`There is no experiment "${name}".`);
  await experiments[name](args);
} catch (error) {
  // What the library refuses is the options' fault too, such as a method under a relation that it cannot serve.
  if (!(error instanceof UsageError || (error instanceof ScumbleError && error.group === 'usage'))) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
