import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, directory, inProcess } from './command.js';

const csv = 'x\n1\n2\n';
const what = ['--column=x', '--bounds=0,10', '--quantiles=median', '--epsilon=0.6'];

describe('a glob', () => {
  const cwd = () => {
    const path = directory({ 'p1.csv': csv, 'p2.csv': csv });
    mkdirSync(join(path, 'sub'));
    symlinkSync(path, join(path, 'sub', 'link'));
    return path;
  };

  it.each([
    ['p*.csv', 'p*.csv'],
    ['p*.csv', './sub/../p*.csv'],
    ['sub/link/p*.csv', 'p*.csv'],
    ['p*.csv', 'sub/link/p*.csv'],
  ])(
    'has one budget, set as %s and spent as %s',
    async (set, spent) => {
      const at = cwd();
      expect(await command(['budget', 'set', set, '--epsilon=1'], at)).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining('no such file'),
      });
      expect((await command(['quantiles', spent, ...what], at)).code).toBe(0);
      expect((await command(['quantiles', spent, ...what], at)).code).toBe(3);
    },
    120_000,
  );

  it('has one name in every command', async () => {
    const at = cwd();
    const name = `${realpathSync(at)}/p*.csv`;
    const place = [join(at, 'sub/link/p*.csv'), `--ledger=${join(at, 'l.db')}`, '--json'];
    const json = async (...args: string[]) => JSON.parse((await inProcess(args)).stdout);
    expect((await json('budget', 'set', ...place, '--epsilon=1')).budgets).toMatchObject([{ dataset: name }]);
    expect((await json('plan', ...place, ...what)).dataset).toBe(name);
    expect((await json('quantiles', ...place, ...what)).dataset).toBe(name);
    expect((await json('budget', 'show', ...place)).budgets).toMatchObject([{ dataset: name }]);
    expect((await json('ledger', ...place)).spends).toMatchObject([{ dataset: name }]);
    const named = ['quantiles', join(at, 'p1.csv'), `--dataset=${place[0]}`, ...place.slice(1), ...what];
    expect((await inProcess(named)).code).toBe(3);
  });
});

describe('budget set of what is no file', () => {
  const set = async (name: string, at = directory()) =>
    inProcess(['budget', 'set', name, '--epsilon=1', '--json', `--ledger=${join(at, 'l.db')}`]);

  it.each(['no-such.csv', 'no-such.CSV.gz', 'no/such', 'no/such-*.parquet'])(
    '%s keeps the name and says so',
    async (name) => {
      const { code, stdout, stderr } = await set(name);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).budgets).toMatchObject([{ dataset: name }]);
      expect(stderr).toContain('no such file: this names a data set, to be given with --dataset\n');
    },
  );

  it('a plain name needs no word', async () => {
    expect((await set('visits 2.0')).stderr).not.toContain('no such file');
  });

  it('a file that is there needs no word', async () => {
    const at = directory();
    writeFileSync(join(at, 'x.csv'), csv);
    expect((await set(join(at, 'x.csv'), at)).stderr).not.toContain('no such file');
  });
});
