import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortAbove } from '../../src/cli/wanted-error.js';
import { planQuantiles } from '../../src/index.js';
import { inProcess } from './command.js';

const request = ['x.csv', '--column=x', '--bounds=0,100', '--quantiles=deciles'];
const plan = (...flags: string[]) => inProcess(['plan', ...request, ...flags]);

describe('plan --rank-error', () => {
  it.each(['2', '25', '1234.5'])('prints an epsilon of three digits that keeps the error within %s', async (wanted) => {
    const { code, stdout } = await plan(`--rank-error=${wanted}`, '--json');
    expect(code).toBe(0);
    const { guarantee, forecast, wantedRankError } = JSON.parse(stdout);
    expect(wantedRankError).toBe(Number(wanted));
    expect(Number(guarantee.epsilon.toPrecision(3))).toBe(guarantee.epsilon);
    const worst = (epsilon: number) =>
      Math.max(...planQuantiles({ quantiles: 'deciles', bounds: [0, 100], epsilon }).forecast.expectedRankError);
    expect(Math.max(...forecast.expectedRankError)).toBe(worst(guarantee.epsilon));
    expect(worst(guarantee.epsilon)).toBeLessThanOrEqual(Number(wanted));
    expect(worst(guarantee.epsilon * 0.985)).toBeGreaterThan(Number(wanted));
  });

  it('shows the same plan as that epsilon', async () => {
    const { stdout, stderr } = await plan('--rank-error=25');
    const [, epsilon] = /--epsilon ([\d.]+) keeps the expected rank error of every quantile within 25/.exec(stderr)!;
    expect(stdout).toBe((await plan(`--epsilon=${epsilon}`)).stdout);
    expect((await plan('--rank-error=25', '--csv')).stdout).toBe((await plan(`--epsilon=${epsilon}`, '--csv')).stdout);
  });

  it('of groups finds what all together cost for that error in each', async () => {
    const groups = ['--group-by=g', '--groups=a,b'];
    const epsilonOf = async (...flags: string[]) =>
      JSON.parse((await plan('--rank-error=25', '--json', ...flags)).stdout).guarantee.epsilon;
    const one = await epsilonOf();
    expect(await epsilonOf(...groups)).toBe(one);
    expect((await epsilonOf(...groups, '--relation=swap')) / one).toBeCloseTo(2, 1);
    expect((await epsilonOf('--group-by=g', '--delta=1e-6')) / one).toBeCloseTo(1 / 0.9, 1);
    const { stderr } = await plan('--rank-error=25', ...groups);
    expect(stderr).toMatch(/keeps the expected rank error of every quantile of each group within 25/);
  });

  it.each([
    [[], /--epsilon is required, or --rank-error/],
    [['--rank-error=2', '--epsilon=1'], /--rank-error cannot be used with --epsilon/],
    [
      ['--rank-error=2', '--group-by=g', '--reference=x.csv'],
      /leave --reference out, or give --epsilon, or plan one group/,
    ],
    [['--rank-error=x'], /--rank-error must be a number greater than 0, not "x"/],
    [['--rank-error=0'], /--rank-error: .*greater than/],
    [['--rank-error=1e-9'], /--rank-error: .*greater than what epsilon 100 gives/],
  ])('%j is refused', async (flags, sentence) => {
    const { code, stdout, stderr } = await plan(...flags);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });

  it('is no option of quantiles, which needs an epsilon', async () => {
    const { code, stderr } = await inProcess(['quantiles', ...request, '--rank-error=2']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Unknown option '--rank-error/);
    expect((await inProcess(['quantiles', ...request])).stderr).toMatch(/--epsilon is required/);
  });
});

describe('an epsilon in three digits', () => {
  it('is not below, and less than a hundredth above', () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** -32, max: 100, noNaN: true }), (x) => {
        const short = shortAbove(x);
        expect(short).toBeGreaterThanOrEqual(x);
        expect(short).toBeLessThan(x * 1.0101);
        expect(
          String(short).replace(/e.*/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length,
        ).toBeLessThanOrEqual(3);
      }),
    );
  });
});
