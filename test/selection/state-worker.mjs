// Runs a selection whose every run leaves a line in a log, until it is killed.
import { appendFileSync } from 'node:fs';
import { hardStopping, select } from '../../dist/selection/index.js';
import { stateFile } from '../../dist/selection/state-file.js';

const [path, log, resume] = process.argv.slice(2);
const found = await select({
  candidates: [
    async () => {
      appendFileSync(log, 'run\n');
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { output: process.pid, score: 0.5 };
    },
  ],
  score: { min: 0, max: 1 },
  stopping: hardStopping({ gamma: 1e-3, cap: 60 }),
  guarantee: { relation: 'add-remove', unit: 'row', epsilon: 0.1, delta: 0 },
  state: stateFile(path),
  resume: resume === 'resume',
});
console.log(JSON.stringify(found));
