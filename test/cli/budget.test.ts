import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { command, directory, inProcess } from './command.js';

const csv = 'x,user\n1,a\n2,b\n3,c\n';

function release(cwd: string, epsilon: string, ...more: string[]): string[] {
  const place = [join(cwd, 'x.csv'), '--dataset=visits', `--ledger=${join(cwd, 'ledger.db')}`];
  return ['quantiles', ...place, '--column=x', '--bounds=0,10', '--quantiles=median', `--epsilon=${epsilon}`, ...more];
}

function budget(cwd: string, ...words: string[]): string[] {
  return ['budget', ...words, `--ledger=${join(cwd, 'ledger.db')}`];
}

it('lets ten tenths through a budget of one and refuses the eleventh with code 3', async () => {
  const cwd = directory({ 'x.csv': csv });
  expect((await inProcess(budget(cwd, 'set', 'visits', '--epsilon=1'))).code).toBe(0);
  for (let i = 1; i <= 10; i++) {
    const { code, stdout } = await inProcess(release(cwd, '0.1', '--json'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout).ledger.remaining.epsilon).toBe(i === 10 ? '0' : `0.${10 - i}`);
  }
  const { code, stdout, stderr } = await inProcess(release(cwd, '0.1'));
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/^scumble: [^\n]*visits[^\n]* 0 of 1 left[^\n]* 0\.1\.\n$/);
});

it('refuses by its exit code in a process of its own', async () => {
  const cwd = directory({ 'x.csv': csv });
  await command(['budget', 'set', 'x.csv', '--epsilon', '0.5'], cwd);
  const args = ['quantiles', 'x.csv', '--column=x', '--bounds=0,10', '--quantiles=median', '--epsilon=0.6'];
  const { code, stdout } = await command(args, cwd);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
});

it('says what is left of the budget', async () => {
  const cwd = directory({ 'x.csv': csv });
  await inProcess(budget(cwd, 'set', 'visits', '--epsilon=1'));
  expect((await inProcess(release(cwd, '0.3'))).stderr).toContain('epsilon 0.7 remains');
});

it('is code 2 under another relation or unit, naming both', async () => {
  const cwd = directory({ 'x.csv': csv });
  await inProcess(budget(cwd, 'set', 'visits', '--epsilon=1', '--unit=user'));
  const perRow = await inProcess(release(cwd, '0.1'));
  expect(perRow.code).toBe(2);
  expect(perRow.stderr).toMatch(/"user".* unit row/);
  const swap = await inProcess(release(cwd, '0.1', '--relation=swap'));
  expect(swap.code).toBe(2);
  expect(swap.stderr).toMatch(/add-remove.* swap/);
  expect((await inProcess(release(cwd, '0.1', '--unit=user', '--max-rows=2'))).code).toBe(0);
});

it('knows a unit by the spelling of the schema alone, so that one column has one budget', async () => {
  const cwd = directory({ 'x.csv': csv });
  const instance = await DuckDBInstance.create(join(cwd, 'x.duckdb'));
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE t AS SELECT i AS x, i AS "user" FROM range(9) t(i)`);
  await connection.run(`COPY t TO '${join(cwd, 'x.parquet')}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  await inProcess(budget(cwd, 'set', 'visits', '--epsilon=1', '--unit=user'));
  for (const [name, ...more] of [['x.csv'], ['x.parquet'], ['x.duckdb', '--table=t']]) {
    const place = [join(cwd, name!), ...more, '--dataset=visits', `--ledger=${join(cwd, 'ledger.db')}`];
    const what = ['--column=x', '--bounds=0,10', '--quantiles=median', '--epsilon=0.3', '--max-rows=1', '--json'];
    const under = (unit: string) => inProcess(['quantiles', ...place, ...what, `--unit=${unit}`]);
    const other = await under('USER');
    expect(other).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('--unit: There is no column') });
    const { code, stdout } = await under('user');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).guarantee.unit).toEqual({ column: 'user', maxRows: 1 });
  }
  const shown = JSON.parse((await inProcess(budget(cwd, 'show', '--json'))).stdout);
  expect(shown.budgets).toMatchObject([{ unit: { column: 'user' }, epsilon: { spent: '0.9' } }]);
});

it('counts what was spent before, and refuses all when lowered below it', async () => {
  const cwd = directory({ 'x.csv': csv });
  await inProcess(release(cwd, '2'));
  const { code, stdout } = await inProcess(budget(cwd, 'set', 'visits', '--epsilon=1', '--json'));
  expect(code).toBe(0);
  expect(JSON.parse(stdout).budgets[0].epsilon).toEqual({ budget: '1', spent: '2', remaining: '0' });
  expect((await inProcess(release(cwd, '0.000001'))).code).toBe(3);
});

it('shows budgets and history as tables and as JSON objects', async () => {
  const cwd = directory({ 'x.csv': csv });
  await inProcess(budget(cwd, 'set', 'visits', '--epsilon=3', '--delta=1e-6'));
  await inProcess(release(cwd, '0.1'));
  const shown = await inProcess(budget(cwd, 'show'));
  expect(shown.stdout).toMatch(/^data set .*\nvisits +add-remove +row +3 +0\.1 +2\.9 +0\.000001 +0 +0\.000001\n$/);
  const history = ['ledger', 'visits', `--ledger=${join(cwd, 'ledger.db')}`];
  expect((await inProcess(history)).stdout).toMatch(
    /\n +1 .* visits +add-remove +row +0\.1 +0 +joint-exp +committed\n$/,
  );
  const { spends } = JSON.parse((await inProcess([...history, '--json'])).stdout);
  expect(spends).toMatchObject([{ dataset: 'visits', unit: 'row', epsilon: '0.1', status: 'committed' }]);
  expect(JSON.parse((await inProcess(budget(cwd, 'show', 'other', '--json'))).stdout).budgets).toEqual([]);
});

it('shows an empty list where there is no ledger, and makes none', async () => {
  const cwd = directory();
  const path = join(cwd, 'ledger.db');
  for (const args of [['ledger'], ['budget', 'show']]) {
    const { code, stdout, stderr } = await inProcess([...args, `--ledger=${path}`, '--json']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\{.*:\[\].*\}\n$/);
    expect(stderr).toContain('nothing is recorded');
  }
  expect(existsSync(path)).toBe(false);
});

it('is code 2 where the ledger is a file of another kind', async () => {
  const cwd = directory({ 'x.csv': csv, 'ledger.db': 'not a database, but long enough to be mistaken for one' });
  const { code, stderr } = await inProcess(release(cwd, '0.1'));
  expect(code).toBe(2);
  expect(stderr).toContain('--ledger');
});
