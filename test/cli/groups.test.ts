import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { command, directory, inProcess } from './command.js';

const names = ['tram', 'bus', 'a,"b"'];
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const rows = Array.from({ length: 3000 }, (_, i) => `${10 * (i % 3) + (i % 5)},${quoted(names[i % 3])},u${i % 700}`);
const csv = `x,g,u\n${rows.join('\n')}\n7,rare,u1\n8,"\u001b[31mred",u2\n`;
const options = ['--column=x', '--bounds=0,50', '--step=1', '--quantiles=0.25,0.5', '--epsilon=1', '--group-by=g'];
const declared = [...options, '--groups=bus,"a,""b"""', '--groups=none'];
const found = [...options, '--delta=1e-6'];

/** A release inside this process, with a ledger in the directory of the file. */
function release(cwd: string, ...more: string[]) {
  return inProcess(['quantiles', join(cwd, 'x.csv'), `--ledger=${join(cwd, 'l.db')}`, ...more]);
}

async function spends(cwd: string): Promise<unknown> {
  return JSON.parse((await inProcess(['ledger', `--ledger=${join(cwd, 'l.db')}`, '--json'])).stdout).spends;
}

describe('a release by group', () => {
  it('prints one JSON object with the documented keys, and costs epsilon once', async () => {
    const cwd = directory({ 'x.csv': csv });
    const answer = JSON.parse((await release(cwd, ...declared, '--json')).stdout);
    expect(Object.keys(answer)).toEqual([
      'groups',
      'quantiles',
      'guarantee',
      'mechanism',
      'lattice',
      'forecast',
      'second',
      'dataset',
      'ledger',
      'version',
    ]);
    expect(answer.groups.map(({ group }: { group: string }) => group)).toEqual(['bus', 'a,"b"', 'none']);
    expect(answer.groups.slice(0, 2)).toEqual([
      { group: 'bus', values: [11, 12] },
      { group: 'a,"b"', values: [21, 22] },
    ]);
    expect(answer.groups[2].values).toHaveLength(2);
    expect(answer.guarantee).toEqual({ relation: 'add-remove', unit: 'row', epsilon: 1, delta: 0 });
    expect(answer.ledger.reserved).toEqual({ epsilon: '1', delta: '0' });
    expect(await spends(cwd)).toMatchObject([{ epsilon: '1', delta: '0', status: 'committed' }]);
  });

  it('prints a table and CSV with the group first', async () => {
    const cwd = directory({ 'x.csv': csv });
    const table = await release(cwd, ...declared);
    expect(table.stdout).toMatch(/^group +quantile +value +rank error +in 95 %\nbus +0\.25 +11 /);
    expect(table.stdout.split('\n')).toHaveLength(8);
    expect(table.stderr).toContain('all of them together cost what one does');
    const printed = (await release(cwd, ...declared, '--csv')).stdout;
    expect(printed).toMatch(
      /^group,quantile,value,rank_error,rank_error_95\nbus,0\.25,11,[\d.]+,[\d.]+\nbus,0\.5,12,.*\n"a,""b""",0\.25,21,/,
    );
  });

  it('names groups that are found and large, and nothing of the others', async () => {
    const cwd = directory({ 'x.csv': csv });
    const { stdout, stderr } = await release(cwd, ...found, '--json');
    const answer = JSON.parse(stdout);
    expect(answer.groups.map(({ group }: { group: string }) => group)).toEqual(['a,"b"', 'bus', 'tram']);
    expect(answer.selection).toEqual({ epsilon: 0.1, threshold: expect.any(Number) });
    expect(stderr).toContain(`at least ${answer.selection.threshold}`);
    expect(`${stdout}${stderr}`).not.toMatch(/rare|red/);
    expect(await spends(cwd)).toMatchObject([{ epsilon: '1', delta: '0.000001', status: 'committed' }]);
  });

  it('protects a unit, each in one group', async () => {
    const { stdout, stderr } = await release(
      directory({ 'x.csv': csv }),
      ...declared,
      '--unit=u',
      '--max-rows=2',
      '--json',
    );
    expect(JSON.parse(stdout).guarantee.unit).toEqual({ column: 'u', maxRows: 2 });
    expect(stderr).toContain('each u counts in one group of g, chosen by its own rows');
  });

  it('says that swap pays twice', async () => {
    const { stdout, stderr } = await release(directory({ 'x.csv': csv }), ...declared, '--relation=swap', '--json');
    expect(JSON.parse(stdout).guarantee).toEqual({ relation: 'swap', unit: 'row', epsilon: 1, delta: 0 });
    expect(stderr).toContain('groups pay twice');
  });

  it('takes names with blanks in quotes', async () => {
    const args = [...options, '--groups=" a b ",c d', '--json'];
    expect(JSON.parse((await inProcess(['plan', 'x.csv', ...args])).stdout).groups).toEqual([' a b ', 'c d']);
  });

  it('prints intervals', async () => {
    const more = ['--interval=0.9', '--about-rows=1000', '--csv'];
    const { stdout } = await release(directory({ 'x.csv': csv }), ...declared, ...more);
    expect(stdout).toMatch(
      /^group,quantile,value,rank_error,rank_error_95,from,to\n(.*,.*,\d+,[\d.]+,[\d.]+,\d+,\d+\n){6}$/,
    );
  });

  it('shows no name that would steer a terminal', async () => {
    const cwd = directory({ 'x.csv': csv });
    const { stdout } = await release(cwd, ...options, '--groups=\u001b[31mred', '--quiet');
    expect(stdout).toContain('[31mred');
    expect(stdout).not.toContain('\u001b');
  });

  it('draws a curve for each group, with its name in its colour', async () => {
    const cwd = directory({ 'x.csv': csv });
    expect((await release(cwd, ...declared, `--plot=${join(cwd, 'x.svg')}`)).code).toBe(0);
    const svg = readFileSync(join(cwd, 'x.svg'), 'utf8');
    expect(svg.match(/aria-label="line"/g)).toHaveLength(3);
    const strokes = [...svg.matchAll(/stroke="(#\w+)"[^>]*aria-label="line"/g)].map(([, colour]) => colour);
    for (const [i, name] of ['bus', 'a,"b"', 'none'].entries())
      expect(svg).toMatch(new RegExp(`fill="${strokes[i]}" aria-label="text"><text[^>]*>${name}<`));
    expect(new Set(strokes).size).toBe(3);
    expect(new Resvg(svg).render().width).toBe(760);
    // None found is a picture without curves.
    const rare = ['--group-by=u', '--plot', join(cwd, 'y.svg')];
    expect((await release(cwd, ...found.filter((option) => option !== '--group-by=g'), ...rare)).code).toBe(0);
    expect(readFileSync(join(cwd, 'y.svg'), 'utf8')).not.toMatch(/aria-label="line"|NaN/);
  });

  it('is reproducible with a seed, also as a process', async () => {
    const cwd = directory({ 'x.csv': csv });
    const args = ['quantiles', 'x.csv', ...found, '--seed=5', '--unsafe-seed', '--json'];
    const first = await command(args, cwd);
    expect(first.code).toBe(0);
    expect((await command(args, cwd)).stdout).toBe(first.stdout);
    expect(JSON.parse(first.stdout)).toMatchObject({ unsafeSeed: 5, ledger: null });
    expect(existsSync(join(cwd, '.scumble'))).toBe(false);
  });

  it.each([[declared], [found], [[...found, '--relation=swap']]])('is planned as it is released: %j', async (args) => {
    const cwd = directory({ 'x.csv': csv });
    const { groups, ...plan } = JSON.parse((await inProcess(['plan', join(cwd, 'x.csv'), ...args, '--json'])).stdout);
    const { groups: released, ledger: __, ...rest } = JSON.parse((await release(cwd, ...args, '--json')).stdout);
    expect(rest).toEqual(plan);
    if (groups) expect(released.map(({ group }: { group: string }) => group)).toEqual(groups);
  });
});

it('a plan of groups shows the forecast of one, which is that of each', async () => {
  const plan = async (...more: string[]) => (await inProcess(['plan', 'x.csv', ...declared, ...more])).stdout;
  expect((await plan()).split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual(['quantile', '0.25', '0.5', '']);
  expect((await plan('--csv')).split('\n').map((line) => line.split(',')[0])).toEqual(['quantile', '0.25', '0.5', '']);
});

it('tells the sizes that were bought for intervals', async () => {
  const cwd = directory({ 'x.csv': csv });
  const { stderr } = await release(cwd, ...declared, '--interval=0.9');
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /Rows counted with noise for 5 % of epsilon: bus about \d+, a,"b" about \d+/,
  );
});

describe('before anything is opened', () => {
  const without = options.filter((option) => option !== '--group-by=g');
  it.each<[string, string[], string]>([
    ['groups to be found without a delta', options, '--groups'],
    ['groups without their column', [...without, '--groups=a'], '--group-by'],
    ['a group twice', [...options, '--groups=a,b', '--groups=a'], '--groups'],
    ['an empty name', [...options, '--groups=a,'], '--groups'],
    ['a blank around a name', [...options, '--groups=a, b'], '--groups'],
    ['broken quotes', [...options, '--groups="a'], '--groups'],
    ['a plot of another kind', [...declared, '--plot=x.png'], '--plot'],
    ['a unit under swap', [...declared, '--relation=swap', '--unit=u', '--max-rows=2'], '--unit'],
    ['a filter under swap', [...declared, '--relation=swap', '--where=true'], '--where'],
    ['the column of counts', [...declared, '--counts=g'], '--counts'],
  ])('%s is code 2 and one sentence', async (_, args, named) => {
    for (const run of ['quantiles', 'plan'].slice(0, args.includes('--plot=x.png') ? 1 : 2)) {
      const { code, stdout, stderr } = await inProcess([run, 'missing.csv', ...args]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^scumble: [^\n]+\.\n$/);
      expect(stderr).toContain(named);
    }
  });

  it('a name that no value has is code 2, and nothing is spent', async () => {
    const cwd = directory();
    const file = join(cwd, 'x.duckdb');
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE t AS SELECT 5 AS x, 7 AS g');
    connection.closeSync();
    instance.closeSync();
    const ledger = join(cwd, 'l.db');
    const args = ['quantiles', file, '--table=t', ...options, `--ledger=${ledger}`];
    const refused = await inProcess([...args, '--groups=7,abc']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^scumble: --groups: The group "abc" is no value of the column g, of type INTEGER, .*\.\n$/,
    );
    expect(existsSync(ledger)).toBe(false);
    expect((await inProcess([...args, '--groups=7,8'])).code).toBe(0);
  });

  it('a missing column is code 4', async () => {
    const cwd = directory({ 'x.csv': csv });
    const args = [...declared.filter((option) => option !== '--group-by=g'), '--group-by=h'];
    expect(await release(cwd, ...args)).toMatchObject({ code: 4, stderr: expect.stringContaining('--group-by') });
    expect(existsSync(join(cwd, 'l.db'))).toBe(false);
  });
});
