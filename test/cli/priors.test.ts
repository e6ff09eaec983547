import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLattice, type Prior, publicPrior, quantiles } from '../../src/index.js';
import { directory, inProcess } from './command.js';

/** Skewed, and far from the middle of the bounds. */
const column = (n: number, seed: number) =>
  Array.from({ length: n }, (_, i) => 20 + Math.round(30 * -Math.log(1 - ((i * 0.618 + seed) % 1))) / 10);
const [secret, open] = [column(300, 0.3), column(1000, 0.7)];
const csv = (name: string, values: readonly number[]) => [name, ...values].join('\n');

const request = ['--column=x', '--bounds=-10000,10000', '--step=0.1', '--quantiles=quartiles'];
const seeded = ['--seed=1', '--unsafe-seed'];
const here = () => {
  const cwd = directory({ 'secret.csv': csv('x', secret), 'open.csv': csv('x', open), 'other.csv': csv('y', open) });
  return (name: string) => join(cwd, name);
};
const lattice = createLattice([-10_000, 10_000], 0.1);
const robust: Prior = { family: 'uniform' };

describe('--prior public:', () => {
  it('releases with the prior that the records of the public file make', async () => {
    const at = here();
    const flags = ['--epsilon=0.1', '--method=joint-exp', ...seeded, '--json'];
    const options = { quantiles: 'quartiles', bounds: [-10_000, 10_000], step: 0.1, epsilon: 0.1 } as const;
    const made = await publicPrior(open, lattice);
    for (const [spelling, prior] of [
      [[`--prior=public:${at('open.csv')}`], made],
      [[`--prior=public:${at('other.csv')}#y`], made],
      [[`--prior=public:${at('open.csv')}`, '--prior-mix=0.1'], { family: 'mixture', prior: made, robust, share: 0.9 }],
    ] as const) {
      const { stdout } = await inProcess(['quantiles', at('secret.csv'), ...request, ...flags, ...spelling]);
      const { values } = await quantiles(secret, { ...options, method: 'joint-exp', prior, unsafeSeed: 1 });
      expect(JSON.parse(stdout).values).toEqual(values);
    }
  });

  it('is far more accurate than none at a small epsilon, and mixed hardly worse where it is wrong', async () => {
    const wrong = column(1000, 0.7).map((x) => x + 5000);
    const sorted = secret.toSorted((a, b) => a - b);
    const below = (x: number) => sorted.filter((y) => y < x).length;
    const errorOf = async (prior: Prior) => {
      let sum = 0;
      for (let unsafeSeed = 0; unsafeSeed < 40; unsafeSeed++) {
        const asked = { quantiles: 'quartiles', bounds: [-10_000, 10_000], step: 0.1, epsilon: 0.1 } as const;
        const { values } = await quantiles(secret, { ...asked, method: 'joint-exp', prior, unsafeSeed });
        for (const [j, value] of values.entries()) sum += Math.abs(below(value) - (0.25 + j / 4) * secret.length);
      }
      return sum / 120;
    };
    const mixed = async (values: number[]) =>
      errorOf({ family: 'mixture', prior: await publicPrior(values, lattice), robust, share: 0.9 });
    const uniform = await errorOf(robust);
    expect(await mixed(open)).toBeLessThan(uniform / 3);
    expect(await mixed(wrong)).toBeLessThan(uniform * 1.5);
  });

  it('is told by the release and the plan, in JSON and in words', async () => {
    const at = here();
    const file = at('open.csv');
    const flags = [...request, '--epsilon=1', `--prior=public:${file}`, '--prior-mix=0.1:gaussian:20,5'];
    for (const args of [
      ['plan', 'nowhere.csv', ...flags],
      ['plan', 'nowhere.csv', ...flags, `--reference=${file}`],
      ['quantiles', at('secret.csv'), ...flags, ...seeded],
      ['quantiles', at('secret.csv'), ...flags, ...seeded, '--group-by=x', '--groups=1,2'],
    ]) {
      const { code, stdout, stderr } = await inProcess([...args, '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).prior).toEqual({
        family: 'mixture',
        prior: { family: 'public', file },
        robust: { family: 'gaussian', location: 20, scale: 5 },
        share: 0.9,
      });
      expect(stderr).toMatch(
        /Prior +from .*open\.csv, whose rows .*are not protected, mixed with 0.1 of gaussian 20 5/,
      );
    }
    const named = await inProcess(['plan', 'x.csv', ...request, '--epsilon=1', '--prior=laplace:1,2', '--json']);
    expect(JSON.parse(named.stdout).prior).toEqual({ family: 'laplace', location: 1, scale: 2 });
    const none = await inProcess(['plan', 'x.csv', ...request, '--epsilon=1', '--json']);
    expect(JSON.parse(none.stdout)).not.toHaveProperty('prior');
  });

  it('has a place in the forecast on a reference', async () => {
    const at = here();
    const flags = [...request, '--epsilon=0.1', `--reference=${at('open.csv')}`, '--method=joint-exp', '--json'];
    const error = async (...more: string[]) => {
      const { forecast } = JSON.parse((await inProcess(['plan', 'x.csv', ...flags, ...more])).stdout);
      return Math.max(...forecast.expectedRankError);
    };
    expect(await error(`--prior=public:${at('open.csv')}`)).toBeLessThan((await error()) * 0.75);
  });

  it('is one of several, and needs no bounds where a Cauchy prior is mixed in', async () => {
    const at = here();
    const several = ['--method=ind-exp', '--prior=uniform', `--prior=public:${at('open.csv')}`, '--prior=laplace:20,3'];
    expect((await inProcess(['plan', 'x.csv', ...request, '--epsilon=1', ...several])).code).toBe(0);
    const free = request.filter((flag) => !flag.startsWith('--bounds'));
    const wide = [
      `--prior=public:${at('open.csv')}`,
      '--prior-mix=0.1:cauchy:0,10',
      '--epsilon=5',
      ...seeded,
      '--json',
    ];
    const { stdout } = await inProcess(['quantiles', at('secret.csv'), ...free, ...wide]);
    const median = secret.toSorted((a, b) => a - b)[150];
    expect(Math.abs(JSON.parse(stdout).values[1] - median)).toBeLessThan(1);
  });

  it.each([
    [['--prior=public:'], /--prior must be uniform, .*public: with the path of a public file.*not "public:"/],
    [['--prior=public'], /--prior must be uniform/],
    [['--prior=public:open.csv#'], /--prior must be uniform/],
    [['--prior=public:open.csv', '--prior-mix=0'], /--prior-mix must be a number strictly between 0 and 1/],
    [['--prior=public:open.csv', '--prior-mix=1'], /--prior-mix must be/],
    [['--prior=public:open.csv', '--prior-mix=0.1:public:x.csv'], /--prior-mix must be/],
    [['--prior=public:open.csv', '--prior-mix=0.1:'], /--prior-mix must be/],
    [['--prior-mix=0.1'], /--prior-mix needs --prior/],
    [['--prior=public:./secret.csv'], /--prior must be another file than the data: .*would not be public/],
    [['--prior=public:*.csv'], /--prior must be one file/],
    [['--prior=public:-'], /--prior must be a file, because nothing shows what comes by standard input/],
    [['--prior=public:open.csv', '--dataset=./open.csv'], /--prior must be another file than the data/],
    [['--prior=public:open.csv', '--unit=u', '--max-rows=2', '--where=x >'], /--where/],
    [['--prior=public:open.csv', '--method=agg-tree'], /no use for a prior/],
  ])('%j is refused before anything is opened', async (flags, sentence) => {
    for (const command of ['plan', 'quantiles']) {
      const { code, stdout, stderr } = await inProcess([command, 'secret.csv', ...request, '--epsilon=1', ...flags]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^scumble: [^\n]+\.\n$/);
      expect(stderr).toMatch(sentence);
    }
  });

  it('knows the data by any of their names', async () => {
    const at = here();
    linkSync(at('secret.csv'), at('link.csv'));
    mkdirSync(at('d/real'), { recursive: true });
    for (const name of ['d/a.csv', 'd/é.csv', 'd/real/p.csv']) writeFileSync(at(name), 'x\n1\n');
    linkSync(at('d/a.csv'), at('hard.csv'));
    symlinkSync(at('open.csv'), at('d/soft.csv'));
    symlinkSync(at('d/real'), at('d/way'));
    for (const [data, file] of [
      [at('secret.csv'), at('link.csv')],
      // As the engine reads patterns.
      [at('d/*.csv'), at('hard.csv')],
      [at('d/*.csv'), at('d/soft.csv')],
      [at('d/*.csv'), at('open.csv')],
      [at('d/w*/p.csv'), at('d/real/p.csv')],
      [at('d/w*/p.csv'), at('d/way/p.csv')],
      [at('d/??.csv'), at('d/é.csv')],
      [at('d/[]a].csv'), at('d/a.csv')],
      [at('*.csv'), at('open.csv')],
      [at('s[a-f]cret.?sv'), at('secret.csv')],
      [at('../**/secret.csv'), at('secret.csv')],
    ] as const)
      for (const flag of [`--prior=public:${file}`, `--reference=${file}`]) {
        const { code, stderr } = await inProcess(['plan', data, ...request, '--epsilon=1', flag]);
        expect(code).toBe(2);
        expect(stderr).toMatch(/must be another file than the data/);
      }
    const apart = await inProcess([
      'plan',
      at('s*.csv'),
      ...request,
      '--epsilon=1',
      `--prior=public:${at('open.csv')}`,
    ]);
    expect(apart.code).toBe(0);
  });

  it('is read as its name says where the data are of another format, and is named where that fails', async () => {
    const at = here();
    const asked = [...request, '--epsilon=1'];
    const prior = `--prior=public:${at('open.csv')}`;
    for (const [data, ...flags] of [
      ['nowhere.duckdb', '--table=t'],
      ['nowhere.tsv', '--delimiter=;', '--quote=|'],
      ['nowhere.txt', '--format=parquet'],
    ]) {
      const { code } = await inProcess(['plan', at(data), ...asked, ...flags, prior]);
      expect(code).toBe(0);
      expect((await inProcess(['plan', at(data), ...asked, ...flags, `--reference=${at('open.csv')}`])).code).toBe(0);
    }
    const nope = await inProcess(['plan', at('secret.csv'), ...asked, `${prior}#nope`]);
    expect([nope.code, nope.stderr]).toEqual([
      4,
      expect.stringMatching(/^scumble: --prior, in .*open\.csv: .*no column nope/),
    ]);
  });

  it('that is missing, or has no records, is refused before anything is spent', async () => {
    const at = here();
    const cwd = directory({ 'empty.csv': 'x\n' });
    const ledger = `--ledger=${join(cwd, 'ledger.db')}`;
    for (const [file, code] of [
      [join(cwd, 'nowhere.csv'), 4],
      [join(cwd, 'empty.csv'), 2],
    ] as const) {
      const flags = [...request, '--epsilon=1', `--prior=public:${file}`];
      expect((await inProcess(['quantiles', at('secret.csv'), ...flags, ledger])).code).toBe(code);
      expect((await inProcess(['ledger', at('secret.csv'), ledger])).stdout).not.toMatch(/joint-exp/);
    }
  });
});
