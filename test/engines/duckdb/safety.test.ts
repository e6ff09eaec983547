import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { startEngine } from '../../../src/engines/duckdb/engine.js';
import { openDuckDB } from '../../../src/engines/duckdb/index.js';
import { createLattice } from '../../../src/lattice/lattice.js';
import { duckdb, hundred, inDirectory, parquetOf, refusal, write } from './helpers.js';

describe('a locked engine', () => {
  it('reads the files of the source and nothing else, and stays locked', async () => {
    const file = await parquetOf('mine.parquet', [1, 2]);
    const other = await parquetOf('other.parquet', [42]);
    const csv = write('other.csv', 'x\n42\n');
    const engine = await startEngine();
    await engine.lock([file]);
    expect(await engine.tryRead(`SELECT sum(x) FROM read_parquet('${file}')`)).toEqual([[3]]);
    for (const sql of [
      `FROM read_parquet('${other}')`,
      `FROM read_csv('${csv}')`,
      `FROM read_text('${csv}')`,
      `FROM glob('${inDirectory('*')}')`,
      `ATTACH '${inDirectory('new.duckdb')}'`,
      `COPY (SELECT 1) TO '${inDirectory('new.csv')}'`,
      `COPY (SELECT 1) TO '${file}'`,
      `SET enable_external_access = true`,
      `SET allowed_paths = ['${other}']`,
      `SET threads = 1`,
      `INSTALL httpfs`,
      `LOAD httpfs`,
    ])
      expect(await engine.tryRead(sql), sql).toBeUndefined();
    engine.close();
    expect(existsSync(inDirectory('new.duckdb')) || existsSync(inDirectory('new.csv'))).toBe(false);
  });
});

it('what does not fit in memory spills, although the engine is locked', async () => {
  const engine = await startEngine();
  await engine.session.run("SET memory_limit = '60MB'", undefined);
  await engine.lock([]);
  await engine.session.run('CREATE TABLE t AS SELECT hash(range) AS x FROM range(12000000)', undefined);
  expect(await engine.tryRead('SELECT count(*)::INT FROM t')).toEqual([[12_000_000]]);
  engine.close();
});

describe('failures while rows are read', () => {
  it('are told in one fixed sentence', async () => {
    const file = inDirectory('gone.parquet');
    await duckdb(`COPY (SELECT range AS x FROM range(1000)) TO '${file}' (FORMAT parquet)`);
    const source = await openDuckDB({ file, column: 'x' });
    rmSync(file);
    const failed = { code: 'engine_failed', message: 'DuckDB could not read the data.' };
    const view = await source.open({ lattice: hundred, nulls: 'drop' });
    expect(await refusal(view.coarse(0, 0, 101))).toMatchObject(failed);
    await source.close();

    const zipped = write('bad.csv.gz', Buffer.from('1f8b0800000000000003', 'hex'));
    await expect(openDuckDB({ file: zipped, column: 'x' })).rejects.toMatchObject({ code: 'file_unreadable' });
    const text = write('gone.csv', 'x\n1\n');
    await using loaded = await openDuckDB({ file: text, column: 'x' });
    rmSync(text);
    expect(await refusal(loaded.open({ lattice: hundred, nulls: 'drop' }))).toMatchObject(failed);
  });
});

describe('a signal', () => {
  const file = inDirectory('large.parquet');
  const lattice = createLattice([0, 1]);

  it('stops what runs', async () => {
    await duckdb(`COPY (SELECT random() AS x, range % 100000 AS u FROM range(3000000)) TO '${file}' (FORMAT parquet)`);
    const controller = new AbortController();
    await using source = await openDuckDB({ file, column: 'x', unit: { column: 'u', maxRows: 2 } });
    const started = performance.now();
    setTimeout(() => controller.abort(), 50);
    const opened = source.open({ lattice, nulls: 'drop', signal: controller.signal });
    expect(await refusal(opened)).toMatchObject({ code: 'aborted' });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('given to the source stops it before it starts', async () => {
    const signal = AbortSignal.abort();
    expect(await refusal(openDuckDB({ file, column: 'x', signal }))).toMatchObject({ code: 'aborted' });
    const controller = new AbortController();
    await using source = await openDuckDB({ file, column: 'x', signal: controller.signal });
    controller.abort();
    expect(await refusal(source.open({ lattice, nulls: 'drop' }))).toMatchObject({ code: 'aborted' });
  });
});

describe('progress', () => {
  it('rises to 1 once by the same steps, whatever the size of the data and however many passes there are', async () => {
    const text = write('progress.csv', `x\n${'0.25\n'.repeat(1_000_000)}`);
    const small = write('small.csv', 'x\n1\n');
    for (const file of [text, small, await parquetOf('progress.parquet', [1, 2, 3])]) {
      const told: number[] = [];
      await using source = await openDuckDB({ file, column: 'x', onProgress: (fraction) => told.push(fraction) });
      expect(told).toEqual([]);
      for (let release = 0; release < 2; release++) {
        const view = await source.open({ lattice: hundred, nulls: 'drop' });
        for (let pass = 0; pass < 3; pass++) await view.coarse(0, 0, 101);
        await view.close();
      }
      expect(told).toEqual(Array.from({ length: 16 }, (_, i) => (i + 1) / 16));
    }
  });
});

it('leaves nothing behind', async () => {
  const [file, spill] = [write('tidy.csv', 'x\n1\n'), inDirectory('spill')];
  mkdirSync(spill);
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, spill);
  try {
    const source = await openDuckDB({ file, column: 'x' });
    expect(readdirSync(spill)).toHaveLength(1);
    await source.close();
    await source.close();
    await refusal(openDuckDB({ file, column: 'y' }));
    expect(readdirSync(spill)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
