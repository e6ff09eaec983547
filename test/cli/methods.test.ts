import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { methodNames } from '../../src/quantiles/methods.js';
import { directory, inProcess } from './command.js';

const flights = fileURLToPath(new URL('../../node_modules/vega-datasets/data/flights-3m.parquet', import.meta.url));
const request = ['--column=delay', '--bounds=-100,1500', '--quantiles=deciles', '--epsilon=1'];
const exact = [-16, -11, -7, -4, -1, 3, 7, 15, 35];

describe('every method', () => {
  it.each(methodNames)('%s answers for the flights', async (method) => {
    const ledger = join(directory({}), 'ledger.db');
    const delta = ['--delta=1e-6', ...(method.endsWith('smooth') ? ['--relation=swap'] : [])];
    const { code, stdout } = await inProcess([
      'quantiles',
      flights,
      ...request,
      ...delta,
      `--method=${method}`,
      `--ledger=${ledger}`,
      '--json',
    ]);
    expect(code).toBe(0);
    const { values, mechanism, ledger: account } = JSON.parse(stdout);
    expect(mechanism).toBe(method);
    expect(account.reserved.epsilon).toBe('1');
    // Two of the deciles lie near the end of a tie, where the noise of smooth has a scale of up to 18 minutes.
    const most = method === 'smooth' ? 400 : 2;
    for (const [j, value] of values.entries()) expect(Math.abs(value - exact[j])).toBeLessThanOrEqual(most);
    expect(values[4]).toBe(-1);
  });

  it.each([
    [['--method=magic'], /--method must be one of auto, joint-exp/],
    [['--method=app-ind-exp'], /--method: .*needs a delta/],
    [['--method=smooth', '--delta=1e-6'], /--method: .*smooth needs the relation swap.*joint-exp/],
    [['--method=csmooth', '--relation=swap'], /--method: .*csmooth needs a delta/],
    [['--method=csmooth', '--relation=swap', '--delta=1e-6', '--prior=laplace:0,9'], /--method: .*no use for a prior/],
    [['--delta=1'], /--delta/],
    [['--prior=cauchy'], /--prior must be/],
    [['--prior=cauchy:0,0'], /--prior: .*scale greater than 0/],
    [['--branching=3'], /--branching: .*approximate-quantiles, agg-tree, lap-tree, gauss-tree; name the method/],
    [['--method=joint-exp', '--power=1'], /--power: .*joint-exp does not take it/],
    [['--method=approximate-quantiles', '--branching=11'], /--branching: .*from 2 to 10/],
    [['--method=approximate-quantiles', '--branching=1'], /--branching must be a whole number from 2/],
    [['--method=agg-tree', '--height=54'], /--height: .*from 1 to 53/],
    [['--method=approximate-quantiles', '--power=9'], /--power: .*from 0 to 8/],
    [['--method=approximate-quantiles', '--adaptation=both'], /--adaptation must be one of conditional, edge/],
    [['--method=ind-exp', '--prior=uniform', '--prior=cauchy:0,1'], /--prior: .*here 9, not 2/],
    [
      ['--prior=uniform', '--prior=cauchy:0,1'],
      /--prior: .*ind-exp, app-ind-exp, approximate-quantiles; name the method/,
    ],
  ])('%j is refused before the file is looked for', async (flags, sentence) => {
    const { code, stdout, stderr } = await inProcess(['quantiles', '/nowhere/x.parquet', ...request, ...flags]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(sentence);
  });

  it.each([
    ['--method=approximate-quantiles', '--branching=4', '--power=1.5', '--adaptation=edge'],
    ['--method=agg-tree', '--branching=10', '--height=3'],
    ['--method=approximate-quantiles', ...exact.map((x) => `--prior=cauchy:${x},5`)],
  ])('takes its options: %s %s %s', async (...flags) => {
    const seeded = ['--seed=1', '--unsafe-seed', '--json'];
    const { code, stdout } = await inProcess(['quantiles', flights, ...request, ...flags, ...seeded]);
    expect(code).toBe(0);
    const { values } = JSON.parse(stdout);
    for (const [j, value] of values.entries()) expect(Math.abs(value - exact[j])).toBeLessThanOrEqual(2);
  });

  it('has forecasts of its own for a tree of its own', async () => {
    const plan = async (...flags: string[]) => {
      const { stdout } = await inProcess(['plan', 'x.csv', ...request, '--json', ...flags]);
      return JSON.parse(stdout).forecast.expectedRankError[4];
    };
    const binary = await plan('--method=approximate-quantiles');
    expect(await plan('--method=approximate-quantiles', '--branching=2')).toBe(binary);
    expect(await plan('--method=approximate-quantiles', '--branching=10')).toBeGreaterThan(2 * binary);
  });

  it('needs no bounds with a cauchy prior', async () => {
    const { code, stdout } = await inProcess([
      'quantiles',
      flights,
      ...['--column=delay', '--quantiles=deciles', '--epsilon=1', '--prior=cauchy:0,20', '--json'],
      ...['--seed=1', '--unsafe-seed'],
    ]);
    expect(code).toBe(0);
    const { values, lattice } = JSON.parse(stdout);
    expect(lattice.step).toBe(1);
    expect(values).toEqual(exact);
  });

  it('smooth methods say what their forecast rests on', async () => {
    const { stderr } = await inProcess([
      'plan',
      'x.csv',
      ...request,
      '--relation=swap',
      '--delta=1e-6',
      '--method=csmooth',
    ]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/Forecast from public facts alone: 1000 records from a normal law/);
  });

  it('auto says what it chose and what came second', async () => {
    const { stderr } = await inProcess(['plan', 'x.csv', ...request]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /Method joint-exp; the next best, .*, is expected to err \d+\.\d times as much/,
    );
  });
});

it('a plan says of a delta that is allowed whether it is spent', async () => {
  for (const [count, cost] of [
    [70, 'epsilon 1 and none of the delta'],
    [71, 'epsilon 1 and delta 1e-6'],
  ] as const) {
    const flags = ['--bounds=0,100', `--quantiles=count:${count}`, '--epsilon=1', '--delta=1e-6'];
    const { stderr } = await inProcess(['plan', 'x.csv', '--column=x', ...flags, '--method=approximate-quantiles']);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Cost ${cost}; nothing was spent`);
  }
});

describe('--interval', () => {
  const seeded = [...request, '--about-rows=3000000', '--interval=0.95', '--seed=1', '--unsafe-seed'];

  it('adds the ends of each interval to the table, the CSV and the JSON', async () => {
    const json = JSON.parse((await inProcess(['quantiles', flights, ...seeded, '--json'])).stdout);
    const csv = (await inProcess(['quantiles', flights, ...seeded, '--csv'])).stdout.split('\n');
    const table = (await inProcess(['quantiles', flights, ...seeded])).stdout.split('\n');
    expect(csv[0]).toBe('quantile,value,rank_error,rank_error_95,from,to');
    expect(table[0]).toMatch(/value +from +to/);
    for (const [j, [low, high]] of json.intervals.entries()) {
      expect(low).toBeLessThanOrEqual(json.values[j]);
      expect(high).toBeGreaterThanOrEqual(json.values[j]);
      expect(csv[j + 1].endsWith(`,${low},${high}`)).toBe(true);
    }
  });

  it('counts the rows with noise where their number is not declared, and says so', async () => {
    const asked = [...request, '--interval=0.95', '--seed=1', '--unsafe-seed'];
    const { stdout, stderr } = await inProcess(['quantiles', flights, ...asked, '--json']);
    const { noisyRows, intervals, guarantee } = JSON.parse(stdout);
    expect(Math.abs(noisyRows - 3_000_000)).toBeLessThan(500);
    expect(intervals).toHaveLength(9);
    expect(guarantee.epsilon).toBe(1);
    const plan = await inProcess(['plan', 'x.csv', ...request, '--interval=0.95']);
    expect(plan.stderr).toMatch(/Rows +to be counted with noise for 5 % of epsilon/);
    expect(plan.stderr).toMatch(/Intervals +at 0.95; with --about-rows/);
    const declared = await inProcess(['plan', 'x.csv', ...request, '--interval=0.95', '--about-rows=200']);
    expect(declared.stderr).toMatch(
      /Intervals +at 0.95; the widest.* from the quantile 0 to 1 of the rows; those of 9 quantiles will reach a bound/,
    );
    const many = await inProcess(['plan', 'x.csv', ...request, '--interval=0.95', '--about-rows=100000']);
    expect(many.stderr).toMatch(
      /Intervals +at 0.95; the widest, of 0.5, from the quantile 0.49\d+ to 0.50\d+ of the rows\n/,
    );
    expect(stderr).toMatch(new RegExp(`Rows +about ${noisyRows}, counted with noise for 5 % of epsilon`));
  });
});
