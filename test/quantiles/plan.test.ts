import { describe, expect, it } from 'vitest';
import { maxEpsilon, planQuantiles, type QuantilesOptions, quantiles, ScumbleError } from '../../src/index.js';
import { leastEpsilon } from '../../src/quantiles/joint-exp.js';

const good = { quantiles: 'deciles', bounds: [0, 10], step: 0.5, epsilon: 1 } as const;
const without = (name: keyof typeof good) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
const options = (overrides: object) => ({ ...good, ...overrides }) as QuantilesOptions;

/** Options that are wrong, the code, and what the sentence must say besides the option's name. */
type Wrong = readonly [unknown, code: string, name: string, ...says: RegExp[]];

const each = (name: string, code: string, values: readonly unknown[], ...says: RegExp[]) =>
  values.map((value): Wrong => [{ ...good, [name]: value }, code, name, ...says]);

const noNumber = [null, '1', '', true, 1n, [], [1], {}, () => 1, Symbol('1'), new Date(0)];

const wrong: readonly Wrong[] = [
  [without('bounds'), 'bounds_invalid', 'bounds', /two finite numbers with lower < upper.*none was given/],
  [without('quantiles'), 'quantiles_invalid', 'quantiles', /not undefined/],
  [without('epsilon'), 'epsilon_invalid', 'epsilon', /greater than 0.*none was given/],

  ...each('bounds', 'bounds_invalid', [...noNumber, undefined, '0,10', [0], [0, 1, 2], [0, '10'], [null, 10]], /two/),
  ...each('bounds', 'bounds_invalid', [{ lower: 0, upper: 10 }, new Float64Array([0, 10]), [[0], [10]]], /two/),
  ...each(
    'bounds',
    'bounds_invalid',
    [
      [10, 0],
      [5, 5],
      [0, -0],
      [Number.NaN, 1],
      [0, Number.NaN],
    ],
    /lower < upper/,
  ),
  ...each(
    'bounds',
    'bounds_invalid',
    [
      [0, Number.POSITIVE_INFINITY],
      [Number.NEGATIVE_INFINITY, 0],
    ],
    /finite/,
  ),
  [options({ bounds: [10, 0] }), 'bounds_invalid', 'bounds', /10,0/],
  [options({ bounds: [-1e308, 1e308], step: undefined }), 'bounds_invalid', 'bounds', /apart/],

  ...each('step', 'step_invalid', noNumber, /greater than 0, not/),
  ...each('step', 'step_invalid', [0, -0, -0.5, Number.NaN, Number.POSITIVE_INFINITY], /greater than 0, not/),
  ...each('step', 'step_invalid', [10.5, 1e300], /larger than the range 0 to 10/),
  ...each('step', 'lattice_too_large', [1e-15, 5e-324], /more than 2\^53 points/),

  ...each('epsilon', 'epsilon_invalid', noNumber, /greater than 0/),
  ...each('epsilon', 'epsilon_invalid', [0, -0, -1, Number.NaN], /not (0|-1|NaN)/),
  ...each('epsilon', 'epsilon_invalid', [100.001, 1e300, Number.POSITIVE_INFINITY], /100/),
  ...each('epsilon', 'epsilon_invalid', [5e-324, 1e-10, 9 * 2 ** -32 * 0.999]),

  ...each(
    'quantiles',
    'quantiles_invalid',
    [0, 0.5, null, 1n, {}, () => 1, new Set([0.5]), Float64Array.of(0.5)],
    /list/,
  ),
  ...each('quantiles', 'quantiles_invalid', [[], new Array(1001).fill(0.5)], /1 to 1000/),
  ...each('quantiles', 'quantiles_invalid', [[0], [-0], [0.5, 0]], /strictly between 0 and 1.*minimum/),
  ...each('quantiles', 'quantiles_invalid', [[1], [1, 0.5]], /strictly between 0 and 1.*maximum/),
  ...each(
    'quantiles',
    'quantiles_invalid',
    [[-0.1], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY]],
    /strictly between/,
  ),
  ...each(
    'quantiles',
    'quantiles_invalid',
    [['0.5'], [null], [undefined], [[0.5]], [0.5, {}], [1n], [Symbol('q')]],
    /number/,
  ),
  ...each(
    'quantiles',
    'quantiles_invalid',
    ['', 'decile', 'Median', 'constructor', '__proto__', 'toString'],
    /deciles/,
  ),
  ...each(
    'quantiles',
    'quantiles_invalid',
    ['count:0', 'count:1001', 'count:-1', 'count:1.5', 'count:', 'count:1e2'],
    /N/,
  ),
  ...each(
    'quantiles',
    'quantiles_invalid',
    [`count:${'9'.repeat(400)}`, 'count: 5', 'xcount:5', 'count:5\n'],
    /count:N/,
  ),

  ...each(
    'relation',
    'relation_invalid',
    [null, '', 'replace', 'Swap', 'add_remove', 1, ['swap'], 'constructor'],
    /"swap"/,
  ),

  ...each('aboutRows', 'option_invalid', noNumber, /whole number/),
  ...each(
    'aboutRows',
    'option_invalid',
    [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53],
    /whole number from 1/,
  ),
  ...each('unsafeSeed', 'option_invalid', noNumber, /whole number/),
  ...each('unsafeSeed', 'option_invalid', [-1, 0.5, Number.NaN, 2 ** 53], /whole number from 0/),
  ...each('signal', 'option_invalid', [null, true, 'abort', {}, new AbortController()], /AbortSignal/),

  ...each('epsilom', 'option_invalid', [1, undefined], /no option "epsilom".*epsilon/),
  ...each('dleta', 'option_invalid', [1e-6], /no option "dleta"/),
  ...each(
    'delta',
    'delta_invalid',
    [...noNumber, -1e-9, 1e-300, 1, 2, Number.NaN],
    /0, or a number from 1e-280 to less than 1/,
  ),
  ...each('method', 'method_invalid', ['', 'joint', 'toString', null, 7], /auto, joint-exp, ind-exp/),
  ...each('method', 'method_invalid', ['app-ind-exp'], /needs a delta/),
  ...each(
    'prior',
    'prior_invalid',
    [null, 'cauchy', {}, { family: 'normal' }, { family: 'cauchy', location: 0 }],
    /prior/,
  ),
  ...each('constructor', 'option_invalid', [1], /no option "constructor"/),
  [
    JSON.parse('{"quantiles":"median","bounds":[0,1],"epsilon":1,"__proto__":{"step":0.1}}'),
    'option_invalid',
    '__proto__',
  ],
  ...[undefined, null, 1, 'deciles', [], () => 1].map((all): Wrong => [all, 'option_invalid', 'options', /object/]),
];

describe('wrong options', () => {
  it.each(wrong.map((row, i) => [i, ...row] as const))('row %i: %o is %s', async (_, given, code, name, ...says) => {
    const touched = new Proxy([1, 2, 3], {
      get: (_target, key) => {
        throw new Error(`the values were touched: ${String(key)}`);
      },
      has: () => {
        throw new Error('the values were touched');
      },
    });
    const planned = await refusal(() => planQuantiles(given as QuantilesOptions));
    const released = await refusal(() => quantiles(touched, given as QuantilesOptions));
    for (const error of [planned, released]) {
      expect(error.code).toBe(code);
      expect(error.group).toBe('usage');
      expect(error.message).toContain(name);
      // One sentence on one line.
      expect(error.message).toMatch(/^[A-Z][^\n]*[^.\s]\.$/);
      expect(error.message).not.toMatch(/\. [A-Z]|\[object|function \(/);
      expect(error.message.length).toBeLessThan(250);
      for (const words of says) expect(error.message).toMatch(words);
      expect(Object.isFrozen(error.details)).toBe(true);
    }
  });

  it('are refused before the signal is looked at, and never because they are undefined', async () => {
    const optional = {
      step: undefined,
      relation: undefined,
      aboutRows: undefined,
      unsafeSeed: undefined,
      signal: undefined,
    };
    expect(planQuantiles(options(optional)).guarantee.relation).toBe('add-remove');
    const error = await refusal(() => quantiles([1], options({ epsilon: 0, signal: AbortSignal.abort() })));
    expect(error.code).toBe('epsilon_invalid');
  });
});

describe('privacy units', () => {
  const unit = (maxRows: number) => ({ column: 'user', maxRows });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    '%d rows per unit are refused',
    async (maxRows) => {
      const error = await refusal(() => planQuantiles(good, { unit: unit(maxRows) }));
      expect(error).toMatchObject({ code: 'unit_invalid', message: expect.stringContaining('whole number') });
    },
  );

  it('are refused when they are nothing known, not taken for rows', async () => {
    for (const facts of ['household', {}, { column: 'user' }])
      expect((await refusal(() => planQuantiles(good, { unit: facts as never }))).code).toBe('unit_invalid');
  });

  it('are refused under swap', async () => {
    const error = await refusal(() => planQuantiles(options({ relation: 'swap' }), { unit: unit(3) }));
    expect(error).toMatchObject({ code: 'unit_invalid', message: expect.stringContaining('add-remove') });
  });

  it('cost as many times the error as they have rows', () => {
    const row = planQuantiles(good);
    const units = planQuantiles(good, { unit: unit(7) });
    expect(units.guarantee).toEqual({ relation: 'add-remove', unit: unit(7), epsilon: 1, delta: 0 });
    units.forecast.expectedRankError.forEach((error, j) => {
      expect(error / row.forecast.expectedRankError[j]).toBeCloseTo(7, 0);
    });
  });
});

describe('a plan', () => {
  it('says what a release costs, in the order asked', () => {
    const plan = planQuantiles({ ...good, quantiles: [0.9, 0.5, 0.9, 0.1], aboutRows: 1000, relation: 'swap' });
    expect(plan).toMatchObject({
      quantiles: [0.9, 0.5, 0.9, 0.1],
      guarantee: { relation: 'swap', unit: 'row', epsilon: 1, delta: 0 },
      mechanism: 'joint-exp',
      lattice: { lower: 0, upper: 10, step: 0.5, size: 21 },
    });
    for (const errors of Object.values(plan.forecast)) {
      expect(errors).toHaveLength(4);
      expect(errors[0]).toBe(errors[2]);
      expect(errors[0]).toBeCloseTo(errors[3], 9);
    }
    const { expectedRankError, expectedRankErrorShare } = plan.forecast;
    expect(expectedRankErrorShare).toEqual(expectedRankError.map((error) => error / 1000));
    expect(planQuantiles(good).forecast).not.toHaveProperty('expectedRankErrorShare');
  });

  it('is frozen through and through', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    const unit = { column: 'user', maxRows: 3 };
    for (const list of ['deciles', [0.5, 0.2]] as const)
      expect(frozen(planQuantiles({ ...good, quantiles: list, aboutRows: 10 }, { unit }))).toBe(true);
    expect(Object.isFrozen(unit)).toBe(false);
  });

  it.each([
    ['median', [0.5]],
    ['quartiles', [0.25, 0.5, 0.75]],
    ['deciles', [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]],
    ['percentiles', Array.from({ length: 99 }, (_, i) => (i + 1) / 100)],
    ['count:1', [0.5]],
    ['count:3', [0.25, 0.5, 0.75]],
    ['count:30', Array.from({ length: 30 }, (_, i) => (i + 1) / 31)],
  ] as const)('%s are %j', (list, expected) => {
    expect(planQuantiles({ ...good, quantiles: list }).quantiles).toEqual(expected);
  });

  it('takes the largest and the smallest of everything', () => {
    expect(planQuantiles({ ...good, quantiles: 'count:1000', epsilon: maxEpsilon }).quantiles).toHaveLength(1000);
    expect(planQuantiles({ ...good, epsilon: leastEpsilon(9) }).guarantee.epsilon).toBe(9 * 2 ** -32);
    expect(planQuantiles({ ...good, quantiles: [5e-324, 1 - 2 ** -53] }).quantiles).toEqual([5e-324, 1 - 2 ** -53]);
    expect(planQuantiles({ ...good, aboutRows: 2 ** 53 - 1, unsafeSeed: 2 ** 53 - 1 }).guarantee.epsilon).toBe(1);
    expect(
      planQuantiles({ ...good, aboutRows: 1 }).forecast.expectedRankErrorShare!.every((e) => e >= 0 && e <= 1),
    ).toBe(true);
  });

  it('has step 1 only where the type is declared integer', () => {
    const { step: _, ...rest } = good;
    expect(planQuantiles(rest, { integer: true }).lattice.step).toBe(1);
    expect(planQuantiles(rest).lattice.step).toBe(2 ** -36);
  });
});

async function refusal(call: () => unknown): Promise<ScumbleError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof ScumbleError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the method auto', () => {
  const request = { quantiles: 'deciles', bounds: [0, 10], epsilon: 1 } as const;

  it('takes joint-exp for many quantiles and says how much better it is', () => {
    const { mechanism, second, forecast } = planQuantiles(request);
    expect(mechanism).toBe('joint-exp');
    const other = planQuantiles({ ...request, method: second!.mechanism }).forecast;
    const sum = (errors: readonly number[]) => errors.reduce((a, b) => a + b, 0);
    expect(second!.errorRatio).toBeCloseTo(sum(other.expectedRankError) / sum(forecast.expectedRankError), 9);
    expect(second!.errorRatio).toBeGreaterThan(1);
  });

  it.each([undefined, 50, 500, 10_000])('takes the smallest forecast for about %s rows', (aboutRows) => {
    const asked = { ...request, epsilon: 0.1, step: 1, aboutRows } as const;
    const { mechanism, second } = planQuantiles(asked);
    const errors = (['joint-exp', 'ind-exp', 'approximate-quantiles', 'agg-tree'] as const)
      .map((method) => {
        const { expectedRankError } = planQuantiles({ ...asked, method }).forecast;
        return { method, error: expectedRankError.reduce((a, b) => a + b, 0) };
      })
      .sort((a, b) => a.error - b.error);
    expect([mechanism, second!.mechanism]).toEqual([errors[0].method, errors[1].method]);
    expect(second!.errorRatio).toBeCloseTo(errors[1].error / errors[0].error, 9);
    // Few rows bound what any method can miss by, and the tree of draws gains most from that.
    expect(mechanism).toBe(aboutRows === 50 ? 'approximate-quantiles' : 'agg-tree');
  });

  it('does not spend a delta for a gain below a twentieth', () => {
    // One quantile gains a fiftieth of a per cent from a delta.
    const plan = planQuantiles({ ...request, quantiles: 'median', delta: 1e-6 });
    expect(plan.guarantee.delta).toBe(0);
    expect(planQuantiles({ ...request, quantiles: 'median', delta: 1e-6, method: 'app-ind-exp' }).guarantee.delta).toBe(
      1e-6,
    );
  });

  it('spends a delta on a tree of many draws, and errs less', () => {
    const many = { ...request, quantiles: 'percentiles', method: 'approximate-quantiles' } as const;
    const [pure, zcdp] = [0, 1e-6].map((delta) => planQuantiles({ ...many, delta }));
    expect([pure, zcdp].map(({ guarantee }) => guarantee.delta)).toEqual([0, 1e-6]);
    const error = ({ forecast }: typeof pure) => forecast.expectedRankError.reduce((a, b) => a + b, 0);
    expect(error(zcdp)).toBeLessThan(error(pure) / 1.05);
  });

  it.each([
    ['add-remove', [9, 62, 70], [71, 80, 128]],
    ['swap', [9, 32], [33, 64, 80]],
  ] as const)('spends it where that is worth a twentieth of the error (%s)', (relation, no, yes) => {
    const many = { ...request, relation, method: 'approximate-quantiles', delta: 1e-6 } as const;
    for (const m of [...no, ...yes]) {
      const plan = planQuantiles({ ...many, quantiles: `count:${m}` });
      expect(plan.guarantee.delta).toBe((yes as readonly number[]).includes(m) ? 1e-6 : 0);
    }
  });

  it('spends none where few rows bound the error anyhow', () => {
    for (const method of ['approximate-quantiles', 'agg-tree', 'auto'] as const)
      for (const aboutRows of [5, 30, 300]) {
        const few = { ...request, quantiles: 'percentiles', aboutRows, method } as const;
        const [pure, spent] = [0, 1e-6].map((delta) => planQuantiles({ ...few, delta }));
        const error = ({ forecast }: typeof pure) => forecast.expectedRankError.reduce((a, b) => a + b, 0);
        if (spent.guarantee.delta > 0) expect(error(pure)).toBeGreaterThan(1.05 * error(spent));
        else expect(error(spent)).toBeCloseTo(error(pure), 9);
      }
  });

  it('forecasts a finite error where the noise underflows', () => {
    const { forecast } = planQuantiles({
      ...request,
      quantiles: [1e-300, 0.5],
      step: 1,
      epsilon: 100,
      method: 'agg-tree',
    });
    expect(forecast.expectedRankError.every(Number.isFinite)).toBe(true);
  });
});
