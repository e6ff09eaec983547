// npm run experiment -- <name> [options]: re-runs a figure. Writes <name>.csv and <name>.svg into experiments/out/.
import { kAry } from './k-ary.mjs';
import { missedPoints } from './missed-points.mjs';
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

const [name, ...args] = process.argv.slice(2);
const run = experiments[name];
if (!run) {
  console.error(`Usage: npm run experiment -- <name>, with one of: ${Object.keys(experiments).join(', ')}`);
  process.exitCode = 2;
} else await run(args);
