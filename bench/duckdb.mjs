// Deciles of doubles in a Parquet file through DuckDB, everything included, against DuckDB's own exact quantile_disc.
// Alone: node bench/duckdb.mjs [--large]
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';

const self = fileURLToPath(import.meta.url);
const rounds = 3;
const allBounds = [
  [-100, 100],
  [-1e6, 1e6],
];

/** Runs each contestant in a process of its own, so that peak memory is its own too. */
export async function run({ large = false } = {}) {
  const rows = large ? 100_000_000 : 20_000_000;
  const directory = await mkdtemp(join(tmpdir(), 'scumble-bench-'));
  try {
    const file = join(directory, 'normal.parquet');
    await writeNormal(file, rows);
    const exact = [];
    const release = allBounds.map(() => []);
    for (let round = 0; round < rounds; round++) {
      exact.push(await inChild('exact', file));
      for (const [i, bounds] of allBounds.entries()) release[i].push(await inChild('release', file, ...bounds));
    }
    const least = (runs, key) => Math.min(...runs.map((r) => r[key]));
    const most = (runs, key) => Math.max(...runs.map((r) => r[key]));
    const exactMs = least(exact, 'ms');
    return allBounds.map((bounds, i) => ({
      name: 'parquet-deciles',
      rows,
      bounds,
      exactMs: Math.round(exactMs),
      releaseMs: Math.round(least(release[i], 'ms')),
      ratio: Number((least(release[i], 'ms') / exactMs).toFixed(3)),
      target: large ? 0.3 : 0.35,
      peakMB: Math.round(most(release[i], 'peakMB')),
      exactPeakMB: Math.round(most(exact, 'peakMB')),
    }));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Box and Muller over a hash of the row number: N(0, 10), the same on every machine. */
async function writeNormal(file, rows) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const uniform = (place) => `((hash(range * 2 + ${place}) >> 11) + 0.5) / 9007199254740992`;
  const normal = `10 * sqrt(-2 * ln(${uniform(0)})) * cos(2 * pi() * ${uniform(1)})`;
  await connection.run(`COPY (SELECT ${normal}::DOUBLE AS x FROM range(${rows})) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
}

async function inChild(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [self, '--child', ...args]);
  return JSON.parse(stdout);
}

const children = {
  async exact(file) {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const deciles = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => i / 10);
    await connection.runAndReadAll(`SELECT quantile_disc(x, [${deciles}]) FROM read_parquet('${file}')`);
  },
  async release(file, lower, upper) {
    const source = await openDuckDB({ file, column: 'x' });
    await quantiles(source, { quantiles: 'deciles', bounds: [Number(lower), Number(upper)], epsilon: 1 });
    await source.close();
  },
};

let openDuckDB;
let quantiles;
const [mode, contestant, ...rest] = process.argv.slice(2);
if (mode === '--child') {
  ({ openDuckDB } = await import('../dist/engines/duckdb/index.js'));
  ({ quantiles } = await import('../dist/index.js'));
  const start = performance.now();
  await children[contestant](...rest);
  const ms = performance.now() - start;
  console.log(JSON.stringify({ ms, peakMB: process.resourceUsage().maxRSS / 1024 }));
} else if (process.argv[1] === self) {
  console.log(JSON.stringify(await run({ large: process.argv.includes('--large') }), null, 2));
}
