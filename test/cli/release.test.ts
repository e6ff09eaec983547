import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { command, directory, inProcess } from './command.js';

const rows = Array.from({ length: 2000 }, (_, i) => i % 100);
const csv = `x,name\n${rows.map((x) => `${x},n${x}`).join('\n')}\n`;
const column = ['--column=x', '--bounds=-50,150', '--epsilon=1'];
const deciles = [...column, '--step=1', '--quantiles=deciles'];

/** A release inside this process of a file in `cwd`, with the ledger there. */
function release(cwd: string, ...options: string[]) {
  return inProcess(['quantiles', join(cwd, 'x.csv'), `--ledger=${join(cwd, 'l.db')}`, ...options]);
}

/** What the ledger of a directory says. */
async function spends(ledger: string): Promise<{ dataset: string; epsilon: string; status: string }[]> {
  return JSON.parse((await inProcess(['ledger', `--ledger=${ledger}`, '--json'])).stdout).spends;
}

async function withDuckDB(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

/** A directory with a database in `x.duckdb`. */
async function databaseDirectory(): Promise<string> {
  const cwd = directory({ 'x.csv': csv });
  const visits = `SELECT i % 100 AS x, DATE '2024-01-01' AS day, true AS paid FROM range(500) t(i)`;
  await withDuckDB(join(cwd, 'x.duckdb'), `CREATE TABLE visits AS ${visits}`);
  return cwd;
}

describe('a release', () => {
  it('prints one JSON object with the documented keys, and records what it cost', async () => {
    const cwd = directory({ 'x.csv': csv });
    const { code, stdout } = await command(['quantiles', 'x.csv', ...deciles, '--json'], cwd);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer).sort()).toEqual(
      [
        ...['quantiles', 'values', 'guarantee', 'mechanism', 'lattice', 'forecast', 'second'],
        ...['dataset', 'ledger', 'version'],
      ].sort(),
    );
    expect(answer.guarantee).toEqual({ relation: 'add-remove', unit: 'row', epsilon: 1, delta: 0 });
    expect(answer.lattice).toEqual({ lower: -50, upper: 150, step: 1 });
    expect(Object.keys(answer.forecast)).toEqual(['expectedRankError', 'rankError95']);
    expect(answer.ledger).toEqual({ reserved: { epsilon: '1', delta: '0' }, remaining: null });
    expect(answer.dataset).toMatch(/x\.csv$/);
    // 2,000 rows spread evenly over 0 … 99: a decile is off by 10 or more with probability below 1e-10.
    for (const [i, value] of answer.values.entries()) expect(Math.abs(value - 10 * (i + 1))).toBeLessThan(10);
    const recorded = await spends(join(cwd, '.scumble', 'ledger.db'));
    expect(recorded).toMatchObject([{ dataset: answer.dataset, epsilon: '1', status: 'committed' }]);
  });

  it('prints a table on standard output and talks on standard error', async () => {
    const { code, stdout, stderr } = await command(['quantiles', 'x.csv', ...deciles], directory({ 'x.csv': csv }));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^quantile +value +rank error +in 95 %\n(0\.\d +-?\d+ +[\d.]+ +[\d.]+\n){9}$/);
    for (const words of ['epsilon 1', 'recorded, not limited', 'per row', '.scumble/ledger.db'])
      expect(stderr).toContain(words);
    expect(stderr).not.toContain('\u001b');
  });

  it.each([[[]], [['--json']], [['--csv']]])('is silent on standard error with --quiet %j', async (format) => {
    const { code, stderr } = await release(directory({ 'x.csv': csv }), ...deciles, '--quiet', ...format);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('prints CSV', async () => {
    const { stdout } = await release(directory({ 'x.csv': csv }), ...deciles, '--csv');
    expect(stdout).toMatch(/^quantile,value,rank_error,rank_error_95\n(0\.\d,-?\d+,[\d.]+,[\d.]+\n){9}$/);
  });

  it('keeps the order and the duplicates of the quantiles, made once', async () => {
    const { stdout } = await release(directory({ 'x.csv': csv }), ...column, '--quantiles=0.9,0.1,0.9', '--json');
    const { quantiles, values } = JSON.parse(stdout);
    expect(quantiles).toEqual([0.9, 0.1, 0.9]);
    expect(values[0]).toBe(values[2]);
    expect(values[0]).toBeGreaterThan(values[1]);
  });

  it('reads CSV from standard input under the name given', async () => {
    const cwd = directory();
    const { code, stdout } = await command(['quantiles', '-', ...deciles, '--dataset=visits', '--json'], cwd, csv);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).dataset).toBe('visits');
  });

  it('draws the plot', async () => {
    const cwd = directory({ 'x.csv': csv });
    const more = [`--plot=${join(cwd, 'x.svg')}`, '--about-rows=2000', '--value-unit=kg'];
    const { code, stdout } = await release(cwd, ...deciles, ...more);
    expect(code).toBe(0);
    expect(stdout).toContain('value (kg)');
    expect(readFileSync(join(cwd, 'x.svg'), 'utf8')).toMatch(/^<svg xmlns=.*x \(kg\)/s);
  });

  it('takes the step from a declared integer type, never from a text file', async () => {
    const cwd = await databaseDirectory();
    const args = [...column, '--quantiles=median', '--json'];
    const place = [join(cwd, 'x.duckdb'), '--table=visits', `--ledger=${join(cwd, 'l.db')}`];
    const table = await inProcess(['quantiles', ...place, ...args]);
    expect(JSON.parse(table.stdout).lattice.step).toBe(1);
    expect(JSON.parse((await release(cwd, ...args)).stdout).lattice.step).toBeLessThan(1e-6);
  });

  it('protects a unit when asked, and says which', async () => {
    const more = ['--unit=name', '--max-rows=2', '--json'];
    const { code, stdout, stderr } = await release(directory({ 'x.csv': csv }), ...deciles, ...more);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).guarantee.unit).toEqual({ column: 'name', maxRows: 2 });
    expect(stderr).toContain('one value of name');
    expect(stderr).not.toContain('per row');
  });

  it('counts as many records as a row says, and tells what that protects', async () => {
    const cwd = directory({ 'x.csv': 'x,n\n10,1000\n20,10\n90,800\n' });
    const args = [...column, '--step=1', '--quantiles=0.25,0.75', '--counts=n'];
    const { stdout, stderr } = await release(cwd, ...args, '--json');
    expect(JSON.parse(stdout).values).toEqual([10, 90]);
    expect(stderr).toContain('adding or removing one unit of n makes');
    expect((await release(cwd, ...args, '--relation=swap')).stderr).toContain('moving one unit of n');
    expect(await release(cwd, ...column, '--quantiles=median', '--counts=m')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('--counts'),
    });
  });

  it('accounts a file as one data set however it is spelt', async () => {
    const cwd = directory({ 'x.csv': csv });
    symlinkSync(join(cwd, 'x.csv'), join(cwd, 'link.csv'));
    expect((await command(['budget', 'set', './x.csv', '--epsilon=1'], cwd)).code).toBe(0);
    expect((await command(['quantiles', join(cwd, 'x.csv'), ...deciles], cwd)).code).toBe(0);
    expect((await command(['quantiles', 'link.csv', ...deciles], cwd)).code).toBe(3);
    const { budgets } = JSON.parse((await command(['budget', 'show', 'link.csv', '--json'], cwd)).stdout);
    expect(budgets).toMatchObject([{ epsilon: { budget: '1', spent: '1', remaining: '0' } }]);
  });
});

it('a seeded run is reproducible, touches no ledger and says that it is not private', async () => {
  const cwd = directory({ 'x.csv': csv });
  const seeded = ['quantiles', 'x.csv', ...deciles, '--seed=7', '--unsafe-seed', '--json'];
  const first = await command(seeded, cwd);
  expect(first.code).toBe(0);
  expect((await command(seeded, cwd)).stdout).toBe(first.stdout);
  expect(JSON.parse(first.stdout)).toMatchObject({ unsafeSeed: 7, ledger: null });
  expect(first.stderr).toContain('NOT private');
  expect(existsSync(join(cwd, '.scumble'))).toBe(false);
});

describe('a plan', () => {
  it('needs no file, spends nothing and is what --dry-run prints', async () => {
    const cwd = directory();
    const plan = await command(['plan', 'x.csv', ...deciles, '--json'], cwd);
    expect(plan.code).toBe(0);
    expect(await command(['quantiles', 'x.csv', ...deciles, '--dry-run', '--json'], cwd)).toEqual(plan);
    expect(plan.stderr).toContain('nothing was spent');
    expect(existsSync(join(cwd, '.scumble'))).toBe(false);
  });

  it('is the release without values and ledger', async () => {
    const cwd = directory({ 'x.csv': csv });
    const plan = JSON.parse((await inProcess(['plan', join(cwd, 'x.csv'), ...deciles, '--json'])).stdout);
    expect(plan.second).toEqual({ mechanism: expect.any(String), errorRatio: expect.any(Number) });
    const { values: _, ledger: __, ...rest } = JSON.parse((await release(cwd, ...deciles, '--json')).stdout);
    expect(rest).toEqual(plan);
  });

  it('takes negative bounds with and without an equals sign', async () => {
    const rest = ['--column=x', '--quantiles=median', '--epsilon=1', '--json'];
    const { code, stdout } = await inProcess(['plan', 'x.csv', ...rest, '--bounds', '-100,1500']);
    expect(code).toBe(0);
    expect((await inProcess(['plan', 'x.csv', ...rest, '--bounds=-100,1500'])).stdout).toBe(stdout);
  });

  it('says what it assumes of the step', async () => {
    const { stderr } = await inProcess(['plan', 'x.csv', ...column, '--quantiles=median']);
    expect(stderr).toContain('a column declared integer gets step 1');
  });
});

describe('before anything is spent', () => {
  it.each([
    ['a missing file', ['no.csv', '--column=x'], 'no.csv'],
    ['a missing column', ['x.csv', '--column=y'], '--column'],
    ['a missing table', ['x.duckdb', '--table=no', '--column=x'], '--table'],
    ['a date', ['x.duckdb', '--table=visits', '--column=day'], '--column'],
    ['a boolean', ['x.duckdb', '--table=visits', '--column=paid'], '--column'],
  ])('%s is code 4', async (_, [file, ...source], named) => {
    const cwd = await databaseDirectory();
    const args = ['--bounds=0,1', '--quantiles=median', '--epsilon=1', `--ledger=${join(cwd, 'l.db')}`];
    const { code, stdout, stderr } = await inProcess(['quantiles', join(cwd, file!), ...source, ...args]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^scumble: [^\n]+\.\n$/);
    expect(stderr).toContain(named);
    expect(existsSync(join(cwd, 'l.db'))).toBe(false);
  });

  it('a missing file ends the process with code 4', async () => {
    const { code, stdout } = await command(['quantiles', 'no.csv', ...deciles], directory());
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  });

  it.each([
    ['--where=true) and x >= (select 1) and (true', '--where'],
    ['--where=x >', '--where'],
    ['--delimiter=ab', '--delimiter'],
    ['--quote=ab', '--quote'],
    ['--table=visits', '--table'],
    ['--format=duckdb', '--table'],
  ])('%s is code 2', async (option, named) => {
    const cwd = directory({ 'x.csv': csv });
    const { code, stdout, stderr } = await release(cwd, ...deciles, option);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^scumble: [^\n]+\.\n$/);
    expect(stderr).toContain(named);
    expect(existsSync(join(cwd, 'l.db'))).toBe(false);
  });
});

it('a failure after the cost was reserved is code 1 with one fixed sentence, and the spend stays', async () => {
  const cwd = directory();
  const file = join(cwd, 'x.parquet');
  await withDuckDB(':memory:', `COPY (SELECT hash(i)::DOUBLE AS x FROM range(20000) t(i)) TO '${file}'`);
  const bytes = readFileSync(file);
  // The footer stays whole, so that names and types can be read; the rows cannot.
  writeFileSync(file, bytes.fill(0xff, 4, Math.floor(bytes.length / 2)));
  const { code, stdout, stderr } = await command(['quantiles', 'x.parquet', ...deciles], cwd);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe('scumble: The release failed after its cost was reserved, and the spend stays.\n');
  expect(await spends(join(cwd, '.scumble', 'ledger.db'))).toMatchObject([{ epsilon: '1', status: 'reserved' }]);
});
