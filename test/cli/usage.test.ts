import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, directory, inProcess } from './command.js';

const good = {
  '--column': 'x',
  '--bounds': '0,10',
  '--quantiles': 'deciles',
  '--epsilon': '1',
};

type Overrides = Readonly<Record<string, string | true | undefined>>;

/** A command line that is right but for what is overridden (undefined leaves an option out). */
function line(overrides: Overrides, file = 'missing.csv'): string[] {
  const options = Object.entries<string | true | undefined>({ ...good, ...overrides });
  const words = options.map(([name, value]) => (value === true ? name : `${name}=${value}`));
  return ['quantiles', file, ...words.filter((_, i) => options[i]![1] !== undefined)];
}

/** What is wrong, the option that the sentence must name, and the file. */
type Wrong = [Overrides, string, string?];

const each = (option: string, texts: readonly string[], others: Overrides = {}) =>
  texts.map((text): Wrong => [{ ...others, [option]: text }, option]);

const noNumbers = ['', 'x', '1e', '0x1', 'Infinity', 'NaN', ' 1', '1_0', '1,5'];

const wrong: Wrong[] = [
  ...Object.keys(good).map((option): Wrong => [{ [option]: undefined }, option]),
  ...each('--bounds', ['', '5', '1,2,3', '0,', ',1', 'a,b', '0;10', '0,1e', '0x0,0x10', '0,Infinity', 'NaN,1', ' 0,1']),
  ...each('--bounds', ['10,0', '5,5', '-1e308,1e308', '0,1e999']),
  ...each('--step', [...noNumbers, '0', '-1', '11', '1e-20']),
  ...each('--epsilon', [...noNumbers, '0', '-1', '101', '1e300', '1e-300']),
  ...each('--quantiles', ['', '0', '1', '0.5,1', '0.5,0', '1.5', '-0.1', '0.5,', '0.5,x', '0x1']),
  ...each('--quantiles', ['decile', 'count:0', 'count:1001', 'count:x']),
  ...each('--relation', ['replace', '']),
  ...each('--max-rows', ['0', '-1', '1.5', 'x', '', '1e3', '9007199254740993'], { '--unit': 'user' }),
  ...each('--about-rows', ['0', '1.5', 'many']),
  ...each('--format', ['xlsx']),
  ...each('--seed', ['-1', '1.5', 'x'], { '--unsafe-seed': true }),
  ...each('--plot', ['no/such/directory/plot.svg', 'package.json/plot.svg', '.', 'plot.png', '.svg/']),
  ...each('--unit', ['user'], { '--relation': 'swap', '--max-rows': '3' }),
  ...each('--where', ['x > 3'], { '--relation': 'swap' }),
  ...each('--counts', ['n'], { '--unit': 'user', '--max-rows': '3' }),
  ...each('--counts', ['x'], { '--dry-run': true }),
  [{ '--unit': 'user' }, '--max-rows'],
  [{ '--max-rows': '3' }, '--unit'],
  [{ '--seed': '1' }, '--unsafe-seed'],
  [{ '--unsafe-seed': true }, '--seed'],
  [{ '--seed': '1', '--unsafe-seed': true, '--ledger': 'l.db' }, '--ledger'],
  [{ '--json': true, '--csv': true }, '--csv'],
  [{ '--plot': 'x.svg', '--dry-run': true }, '--plot'],
  ...['x.parquet', 'x.json', 'x.ndjson.gz'].flatMap((file): Wrong[] => [
    [{ '--delimiter': ';' }, '--delimiter', file],
    [{ '--quote': "'" }, '--quote', file],
    [{ '--no-header': true }, '--no-header', file],
    [{ '--table': 't' }, '--table', file],
  ]),
  [{ '--delimiter': ';', '--table': 't' }, '--delimiter', 'x.duckdb'],
  [{ '--delimiter': ';', '--format': 'json' }, '--delimiter', 'x.csv'],
  [{ '--quote': '', '--dry-run': true }, '--quote', 'x.parquet'],
  [{ '--dry-run': true }, '--table', 'x.duckdb'],
  [{}, '--dataset', '-'],
  [{ '--colour': 'red' }, '--colour'],
];

describe('wrong usage', () => {
  it.each(wrong)('%j is code 2 and one sentence that names %s', async (overrides, option, file) => {
    const { code, stdout, stderr } = await inProcess(line(overrides, file));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^scumble: [^\n]+[.?!)]\n$/);
    expect(stderr).toContain(option);
  });

  it.each(Object.keys(good))('says what %s is when it is missing', async (option) => {
    const { stderr } = await inProcess(line({ [option]: undefined }));
    expect(stderr).toMatch(new RegExp(`^scumble: ${option} is required: [^\n]+\\.\n$`));
    expect(stderr).not.toContain('undefined');
  });

  it.each([
    [['quantiles', 'x.csv', '--colum=x', '--bounds=0,1', '--quantiles=median', '--epsilon=1'], '--column'],
    [['plan', 'x.csv', '--column=x', '--bound', '0,1'], '--bounds'],
    [['budget', 'set', 'x', '--epsilom=1'], '--epsilon'],
    [['audit', 'joint-exp', '--record=3'], '--records'],
  ])('%j tells the right spelling, not that it is missing', async (args, option) => {
    const { code, stderr } = await inProcess(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^scumble: Unknown option '[^']+' \\(Did you mean ${option}\\?\\)\n$`));
  });

  it('refuses the minimum and the maximum with a reason', async () => {
    expect((await inProcess(line({ '--quantiles': '0,0.5' }))).stderr).toContain('minimum');
    expect((await inProcess(line({ '--quantiles': '0.5,1' }))).stderr).toContain('maximum');
  });

  it.each([
    [[]],
    [['frobnicate']],
    [['quantiles']],
    [['budget']],
    [['budget', 'set', 'x']],
    [['quantiles', 'a', 'b', ...line({}).slice(2)]],
  ])('%j is code 2 with nothing on standard output', async (args) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it.each(['0', '-1', '1e', 'NaN', '', 'Infinity', '1e-13', '1e7'])('refuses a budget of %s', async (epsilon) => {
    const cwd = directory();
    const { code, stderr } = await inProcess([
      'budget',
      'set',
      'x',
      `--epsilon=${epsilon}`,
      `--ledger=${join(cwd, 'l.db')}`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--epsilon');
  });

  it.each(['--column', '--unit'])('names %s when it asks for a column that is not there', async (option) => {
    const file = join(directory({ 'x.csv': 'x\n1\n' }), 'x.csv');
    const { code, stderr } = await inProcess(line({ '--max-rows': '1', '--unit': 'x', [option]: 'z' }, file));
    expect(code).toBe(4);
    expect(stderr).toContain(`scumble: ${option}: There is no column z in the first line of the file; `);
  });

  it.each([
    [[], 'x;z\n'],
    [['--delimiter=;'], 'x,z\n'],
    [[], '123.4,Jane Doe,HIV+\n'],
    [[], 'x\n'],
  ])('%j: tells nothing of a first line %j, which may be a record', async (options, header) => {
    const file = join(directory({ 'x.csv': header }), 'x.csv');
    const { code, stderr } = await inProcess([...line({ '--column': 'z' }, file), ...options]);
    const sentence =
      'There is no column z in the first line of the file; if that is no header give --no-header, if another character cuts it --delimiter.';
    expect({ code, stderr }).toEqual({ code: 4, stderr: `scumble: --column: ${sentence}\n` });
  });

  it('says so where the first line names nothing', async () => {
    const file = join(directory({ 'x.csv': '\n' }), 'x.csv');
    expect((await inProcess(line({ '--column': 'z' }, file))).stderr).toBe(
      'scumble: The first line is no header that names the columns; without one, say so by --no-header.\n',
    );
  });

  it('ends the process with code 2 and touches nothing', async () => {
    const cwd = directory({ 'x.csv': 'x\n1\n' });
    const { code, stdout } = await command(line({ '--epsilon': '0' }, 'x.csv'), cwd);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(join(cwd, '.scumble'))).toBe(false);
  });
});

describe('help', () => {
  it('documents the exit codes and gives examples', async () => {
    const { code, stdout, stderr } = await inProcess(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const exit of [0, 1, 2, 3, 4, 130]) expect(stdout).toMatch(new RegExp(`^ +${exit} +\\S`, 'm'));
    expect(stdout).toContain('Examples:');
  });

  it.each([['quantiles'], ['plan'], ['budget', 'set'], ['budget', 'show'], ['ledger']])(
    '%s %s has examples',
    async (...names) => {
      const { code, stdout } = await inProcess([...names, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(`\n  scumble ${names.join(' ')}`);
    },
  );

  it('marks what is required', async () => {
    const required = async (...names: string[]) =>
      [...(await inProcess([...names, '--help'])).stdout.matchAll(/(--[a-z-]+) <(?:(?!\n +-).)*?\(required/gs)].map(
        ([, option]) => option,
      );
    expect(await required('quantiles')).toEqual(Object.keys(good));
    expect(await required('plan')).toEqual(Object.keys(good));
    expect(await required('budget', 'set')).toEqual(['--epsilon']);
    expect(await required('audit', 'joint-exp')).toEqual(['--records', '--lattice', '--quantiles', '--epsilon']);
  });

  it('tells the version of the package', async () => {
    const { code, stdout } = await command(['--version'], directory());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
