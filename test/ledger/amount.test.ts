import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountText, budgetUnits, spendUnits } from '../../src/ledger/amount.js';
import { failure } from './support.js';

const spent = (epsilon: string | number, delta: string | number = 0) => amountText(spendUnits(epsilon, delta));
const granted = (epsilon: string | number, delta: string | number = 0) => amountText(budgetUnits(epsilon, delta));
const code = async (call: () => unknown) => (await failure((async () => call())())).code;

describe('amounts', () => {
  it.each([
    [0.1, '0.1'],
    ['0.1', '0.1'],
    ['0.1 ', '0.1'],
    ['.5', '0.5'],
    ['+2.50', '2.5'],
    [1e-6, '0.000001'],
    ['1e-6', '0.000001'],
    [100, '100'],
    ['1e6', '1000000'],
    [0.1 + 0.2, '0.300000000001'],
  ])('reads %j as the decimal %s', (amount, text) => {
    expect(spent(amount).epsilon).toBe(text);
  });

  it('rounds a spend up and a budget down to the unit of account', () => {
    expect(spent('1.0000000000001').epsilon).toBe('1.000000000001');
    expect(spent('1e-400', '1e-400')).toEqual({ epsilon: '0.000000000001', delta: '0.000000000000000001' });
    expect(spent(5e-324).epsilon).toBe('0.000000000001');
    expect(granted('1.0000000000019', '0.0000019999999999999')).toEqual({
      epsilon: '1.000000000001',
      delta: '0.000001999999999999',
    });
    expect(spent('1', 1e-6).delta).toBe('0.000001');
  });

  it('never records less than was spent or grants more than was set, by less than a unit', () => {
    const whole = fc.bigInt({ min: 1n, max: 10n ** 24n });
    fc.assert(
      fc.property(whole, (n) => {
        const unit = 10n ** 12n;
        const text = `${n}e-24`;
        const up = spendUnits(text, 0).epsilon * unit;
        expect(up >= n && up - n < unit).toBe(true);
        if (n < unit) return;
        const down = budgetUnits(text, 0).epsilon * unit;
        expect(down <= n && n - down < unit).toBe(true);
      }),
    );
  });

  it('writes what it reads', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        (epsilon, delta) => {
          const text = amountText({ epsilon, delta });
          expect(spendUnits(text.epsilon, text.delta)).toEqual({ epsilon, delta });
        },
      ),
    );
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    0,
    -0,
    -1,
    '0',
    '-1',
    '1e400',
    '1e401',
    '1000000.000000000001',
    'abc',
    'Infinity',
    '0x10',
    '1,5',
    '1e',
    '',
    ' ',
  ])('refuses an epsilon of %j', async (amount) => {
    expect(await code(() => spent(amount))).toBe('amount_invalid');
    expect(await code(() => granted(amount))).toBe('amount_invalid');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1e-9, '-1', '1.000000000000000001', 2, 'abc', ''])(
    'refuses a delta of %j',
    async (amount) => {
      expect(await code(() => spent(1, amount))).toBe('amount_invalid');
    },
  );

  it('refuses a budget that would be rounded to nothing', async () => {
    expect(await code(() => granted('0.0000000000009'))).toBe('amount_invalid');
  });

  it('says which amount, what was wrong and what is allowed', async () => {
    const { message } = await failure((async () => spent('-1'))());
    expect(message).toBe('The epsilon must be a number from 0.000000000001 to 1000000, not -1.');
  });
});
