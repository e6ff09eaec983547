// The main job on real data: deciles of the delay of 3,000,000 flights, from a Parquet file that a development dependency
// brings along, with the command as it is built.
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// The package exports its entry, build/index.js, and nothing else; the data lie beside it.
const flights = fileURLToPath(new URL('../data/flights-3m.parquet', import.meta.resolve('vega-datasets')));
const options = {
  column: 'delay',
  bounds: '-100,1500',
  quantiles: 'deciles',
  epsilon: '1',
  'about-rows': '3000000',
  'value-unit': 'minutes',
  dataset: 'flights-3m',
  ledger: '.scumble/demo.db',
  plot: 'flights-delay.svg',
};
const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
const command = ['dist/cli/main.js', 'quantiles', relative(root, flights), ...args];

console.error(`node ${command.join(' ')}\n`);
const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
if (status === 0)
  console.error(
    '\nThe exact deciles, which only a demo on public data can show, are -16, -11, -7, -4, -1, 3, 7, 15, 35.' +
      '\nEvery run is a release of its own and adds to the cost: node dist/cli/main.js ledger --ledger .scumble/demo.db',
  );
process.exitCode = status ?? 1;
