// npm run bench -- [--only a,b] [--large]: the speed that the project claims, as ratios of minima measured side by side
// in one run. Talk goes to standard error; one JSON object to standard output. A missed target is `ok: false`, never a
// failure: time is not asserted.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import * as duckdb from './duckdb.mjs';
import * as fftProgram from './fft-program.mjs';
import { figure } from './measure.mjs';
import { runTies, runUnsorted } from './memory.mjs';
import * as readyMethods from './ready-methods.mjs';
import * as readyProfile from './ready-profile.mjs';
import * as smoothSensitivity from './smooth-sensitivity.mjs';

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: 'a,b,c,d,e,f,g' }, large: { type: 'boolean', default: false } },
});

const sections = {
  a: readyProfile.run,
  b: runUnsorted,
  c: parquet,
  d: runTies,
  e: fftProgram.run,
  f: readyMethods.run,
  g: smoothSensitivity.run,
};

/** (c) Doubles in Parquet through DuckDB, each side in a process of its own. */
async function parquet() {
  const runs = await duckdb.run({ large: flags.large });
  const label = ({ bounds }) => `bounds ${bounds.join(' to ')}`;
  return {
    title: `deciles of ${runs[0].rows} doubles in Parquet, everything included, against DuckDB's quantile_disc`,
    figures: runs.flatMap((run) => [
      figure(`${label(run)}: release against quantile_disc`, run.ratio, run.target),
      figure(`${label(run)}: peak memory of the process in MB`, run.peakMB, 400),
    ]),
    milliseconds: {
      quantile_disc: runs[0].exactMs,
      ...Object.fromEntries(runs.map((run) => [`release, ${label(run)}`, run.releaseMs])),
    },
  };
}

const [cpu] = cpus();
const result = { node: process.version, cpu: cpu?.model, cores: cpus().length, sections: {} };
for (const [name, run] of Object.entries(sections)) {
  if (!flags.only.split(',').includes(name)) continue;
  console.error(`(${name}) measuring`);
  const section = await run();
  result.sections[name] = section;
  console.error(`(${name}) ${section.title}`);
  for (const { name, value, target, ok } of section.figures)
    console.error(`    ${ok ? ' ' : '!'} ${name}: ${value}${target === null ? '' : ` (at most ${target})`}`);
}
console.log(JSON.stringify(result, null, 2));
