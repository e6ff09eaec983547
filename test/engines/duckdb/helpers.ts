import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll } from 'vitest';
import { type DuckDBOptions, openDuckDB } from '../../../src/engines/duckdb/index.js';
import { createLattice, type Lattice, latticeIndex } from '../../../src/lattice/lattice.js';
import type { CoarseCounts, RankView, ViewRequest } from '../../../src/ranks/source.js';

const directory = mkdtempSync(join(tmpdir(), 'scumble-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

export const inDirectory = (name: string) => join(directory, name);

export function write(name: string, content: string | Buffer): string {
  writeFileSync(inDirectory(name), content);
  return inDirectory(name);
}

/** Runs statements in a DuckDB of their own, in a file or in memory. */
export async function duckdb(statements: string, file = ':memory:'): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(statements);
  connection.closeSync();
  instance.closeSync();
}

const literal = (x: number | null) => (x === null ? 'NULL' : `'${Object.is(x, -0) ? '-0' : x}'::DOUBLE`);

/** A Parquet file of one DOUBLE column `x`. */
export async function parquetOf(name: string, values: readonly (number | null)[]): Promise<string> {
  const file = inDirectory(name);
  const rows = values.length > 0 ? `unnest([${values.map(literal).join(', ')}])` : 'NULL::DOUBLE';
  await duckdb(`COPY (SELECT ${rows} AS x ${values.length > 0 ? '' : 'LIMIT 0'}) TO '${file}' (FORMAT parquet)`);
  return file;
}

/** The indices of the records as the contract says, one by one. */
export function indicesOf(lattice: Lattice, values: readonly (number | null)[], nulls: 'drop' | 'lower'): number[] {
  return values.flatMap((x) => {
    if (x !== null && !Number.isNaN(x)) return [latticeIndex(lattice, x)];
    return nulls === 'drop' ? [] : [0];
  });
}

export function naiveCoarse(indices: readonly number[], shift: number, first: number, bins: number): CoarseCounts {
  const counts = new Float64Array(bins);
  let below = 0;
  let above = 0;
  for (const index of indices) {
    const bin = Math.floor(index / 2 ** shift) - first;
    if (bin < 0) below++;
    else if (bin >= bins) above++;
    else counts[bin]++;
  }
  return { below, counts, above };
}

export type Triple = [bin: number, count: number, only: number];

export function naiveFine(
  indices: readonly number[],
  shift: number,
  within: { shift: number; bins: readonly number[] },
): Triple[] {
  const listed = new Set(within.bins);
  const inside = indices.filter((index) => listed.has(Math.floor(index / 2 ** within.shift)));
  const groups = new Map<number, number[]>();
  for (const index of inside) {
    const bin = Math.floor(index / 2 ** shift);
    groups.set(bin, [...(groups.get(bin) ?? []), index]);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([bin, members]) => [bin, members.length, new Set(members).size === 1 ? members[0] : -1]);
}

export async function fineOf(
  view: RankView,
  shift: number,
  within: { shift: number; bins: readonly number[] },
): Promise<Triple[]> {
  const { bins, counts, only } = await view.fine(shift, within);
  return [...bins].map((bin, i) => [bin, counts[i], only ? only[i] : -1]);
}

/** The integers 0 … 100 as a lattice: most small tests live on it. */
export const hundred = createLattice([0, 100], 1);

/** Opens, counts every record on {@link hundred} as `value:count` pairs, and closes. */
export async function tally(options: DuckDBOptions, nulls: ViewRequest['nulls'] = 'drop'): Promise<string> {
  const source = await openDuckDB(options);
  try {
    const view = await source.open({ lattice: hundred, nulls });
    const { counts } = await view.coarse(0, 0, hundred.size);
    await view.close();
    return [...counts].flatMap((count, index) => (count > 0 ? [`${index}:${count}`] : [])).join(' ');
  } finally {
    await source.close();
  }
}

/** The stable code and the message of a refusal. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || !('code' in error)) throw new Error('nothing was refused', { cause: error });
  return { code: String(error.code), message: error.message };
}
