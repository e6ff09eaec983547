import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';
import { forecastQuantiles } from '../../src/index.js';
import { Collector, directory, inProcess } from './command.js';

const request = ['--column=x', '--bounds=0,100', '--quantiles=quartiles', '--step=1', '--method=joint-exp'];
const plan = (...flags: string[]) => inProcess(['plan', 'private.csv', ...request, ...flags]);
const options = { quantiles: 'quartiles', bounds: [0, 100], step: 1, epsilon: 0.1, method: 'joint-exp' } as const;

/** Public records; two thirds of them are in the first group. */
const records = Array.from({ length: 900 }, (_, i) => ({ x: (i * 37) % 90, group: i % 3 === 0 ? 'b' : 'a' }));
const text = ['x;group', ...records.map(({ x, group }) => `${x};${group}`)].join('\n');

describe('plan --reference', () => {
  it.each([
    ['gaussian:40,10', { family: 'gaussian', location: 40, scale: 10 }],
    ['laplace:40,10', { family: 'laplace', location: 40, scale: 10 }],
    ['cauchy:40,10', { family: 'cauchy', location: 40, scale: 10 }],
    ['uniform', { family: 'uniform' }],
    ['uniform:20,30', { family: 'uniform', bounds: [20, 30] }],
  ] as const)('%s forecasts on that distribution, of --about-rows records', async (name, shape) => {
    const reference = { ...shape, rows: 500 };
    const { code, stdout } = await plan('--epsilon=0.1', `--reference=${name}`, '--about-rows=500', '--json');
    expect(code).toBe(0);
    const json = JSON.parse(stdout);
    expect(json.reference).toEqual(reference);
    expect(json.forecast).toEqual(await forecastQuantiles(reference, options));
  });

  it('of a file forecasts on its records, read with the same options, and says that they are public', async () => {
    const file = join(directory({ 'public.csv': text }), 'public.csv');
    const flags = [`--reference=${file}`, '--delimiter=;', '--where="group" = \'a\''];
    const { code, stdout, stderr } = await plan('--epsilon=0.1', ...flags, '--json');
    expect(code).toBe(0);
    const values = records.filter(({ group }) => group === 'a').map(({ x }) => x);
    const json = JSON.parse(stdout);
    expect(json.reference).toEqual({ file });
    expect(json.forecast).toEqual(await forecastQuantiles(values, options));
    expect(stderr).toMatch(
      /Forecast +on the stated reference .*public\.csv, whose rows count as public and are not protected/,
    );
    expect(stderr).toMatch(/share of the rows of the reference/);
  });

  it('of groups is what each of them looks like', async () => {
    const file = join(directory({ 'public.csv': `x\n${records.map(({ x }) => x).join('\n')}` }), 'public.csv');
    const flags = ['--epsilon=0.1', `--reference=${file}`, '--group-by=anything', '--groups=a,b', '--json'];
    const { code, stdout, stderr } = await plan(...flags);
    expect(code).toBe(0);
    const values = records.map(({ x }) => x);
    expect(JSON.parse(stdout).forecast).toEqual(await forecastQuantiles(values, options));
    expect(stderr).toMatch(/not protected, as what each group looks like/);
  });

  it('finds the epsilon of a wanted error there', async () => {
    const flags = ['--reference=gaussian:40,10', '--about-rows=500', '--rank-error=12', '--json'];
    const { guarantee, forecast } = JSON.parse((await plan(...flags)).stdout);
    expect(Math.max(...forecast.expectedRankError)).toBeLessThanOrEqual(12);
    expect(Math.max(...forecast.expectedRankError)).toBeGreaterThan(9);
    expect(Number(guarantee.epsilon.toPrecision(3))).toBe(guarantee.epsilon);
  });

  it('shows on a terminal that it is at work, and clears that before it answers', async () => {
    class Screen extends Collector {
      readonly isTTY = true;
      readonly columns = 80;
    }
    const screen = new Screen();
    const terminal = new Terminal(new Collector(), screen, new AbortController().signal);
    const flags = ['--epsilon=0.05', '--reference=gaussian:40,10', '--about-rows=100000', '--quantiles=deciles'];
    expect(await run(['plan', 'private.csv', ...request, ...flags], terminal)).toBe(0);
    expect(screen.text).toMatch(/\rtrying {4}[█░]{24}/);
    const after = screen.text.slice(screen.text.lastIndexOf('\u001b[2K'));
    expect(after).toMatch(/Cost/);
    expect(after).not.toMatch(/trying/);
  });

  it('says without one what the forecast rests on', async () => {
    const { stdout, stderr } = await plan('--epsilon=1', '--json');
    expect(JSON.parse(stdout)).not.toHaveProperty('reference');
    expect(stderr).toMatch(/Forecast +from public facts alone: records distinct and evenly spread/);
  });

  it.each([
    [['--reference=gaussian:40,10'], 2, /--reference needs --about-rows/],
    [['--reference=gaussian:40', '--about-rows=5'], 2, /--reference must be uniform.*not "gaussian:40"/],
    [['--reference=gaussian:40,0', '--about-rows=5'], 2, /--reference: .*scale greater than 0/],
    [['--reference=uniform:4,1', '--about-rows=5'], 2, /--reference: .*lower < upper/],
    [['--reference=./private.csv'], 2, /--reference must be another file than the data/],
    [['--reference=nowhere.csv'], 4, /nowhere\.csv does not exist/],
    [['--reference=nowhere.parquet', '--delimiter=;'], 4, /--reference, in nowhere\.parquet: .*does not exist/],
  ])('%j is refused', async (flags, expected, sentence) => {
    const { code, stdout, stderr } = await plan('--epsilon=1', ...flags);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(sentence);
  });

  it('is no option of quantiles', async () => {
    const { stderr } = await inProcess(['quantiles', 'x.csv', ...request, '--epsilon=1', '--reference=uniform']);
    expect(stderr).toMatch(/Unknown option '--reference/);
  });
});
