import { describe, expect, it } from 'vitest';
import { answerCsv, answerTable } from '../../src/cli/answer.js';
import { formatErrors, formatQuantile, formatShares, formatValues } from '../../src/cli/numbers.js';
import { filledBar, swingingBar } from '../../src/cli/progress.js';
import { formatTable } from '../../src/cli/table.js';
import { wrap } from '../../src/cli/terminal.js';
import { guaranteeInWords } from '../../src/cli/words.js';
import { createLattice } from '../../src/lattice/lattice.js';

describe('values as text', () => {
  it('have the decimals of the step', () => {
    const [lower, step] = [0, 0.1];
    const values = [lower + 3 * step, lower + 7 * step, 1];
    expect(formatValues(values, createLattice([0, 1], step, false))).toEqual(['0.3', '0.7', '1.0']);
    expect(formatValues([-16, 35], createLattice([-100, 1500], 1, false))).toEqual(['-16', '35']);
    expect(formatValues([5.25], createLattice([0.25, 9.25], 1, false))).toEqual(['5.25']);
  });

  it('are whole by default where the declared type is', () => {
    expect(formatValues([-16, 35], createLattice([-100, 1500], undefined, true))).toEqual(['-16', '35']);
  });

  it('tell neighbouring points of a default step apart', () => {
    const step = 2 ** -29;
    const [a, b] = formatValues([12, 12 + step], createLattice([-100, 1500], undefined, false));
    expect(Math.abs(Number(b) - Number(a) - step)).toBeLessThan(step / 2);
    expect(a).toHaveLength(b!.length);
  });

  it('never show a negative zero, and stay readable when huge or tiny', () => {
    expect(formatValues([-1e-12], createLattice([-1, 1], 0.01, false))).toEqual(['0.00']);
    expect(formatValues([1e300], createLattice([0, 1e308], undefined, false))).toEqual(['1e+300']);
    expect(formatValues([3e-200], createLattice([0, 1e-199], 1e-200, false))).toEqual(['3e-200']);
  });
});

describe('quantiles, errors and shares', () => {
  it('shows a quantile as it was asked for, and long ones short', () => {
    expect([0.1, 0.25, 0.999, 1 / 31].map(formatQuantile)).toEqual(['0.1', '0.25', '0.999', '0.032258']);
    expect(formatQuantile(0.9999999999)).toBe('0.9999999999');
  });

  it('gives errors the same decimals, two digits for the smallest', () => {
    expect(formatErrors([3.24, 12.19, 0])).toEqual(['3.2', '12.2', '0.0']);
    expect(formatErrors([1234.5, 99.9])).toEqual(['1235', '100']);
    expect(formatErrors([0, 0])).toEqual(['0', '0']);
  });

  it('gives shares in per cent', () => {
    expect(formatShares([0.0123, 0.5])).toEqual(['1.2 %', '50.0 %']);
    expect(formatShares([1.1e-6])).toEqual(['0.00011 %']);
  });
});

const answer = {
  quantiles: [0.5, 0.25, 0.5],
  values: ['7', '-12', '7'],
  forecast: { expectedRankError: [2, 1.5, 2], rankError95: [6, 5, 6] },
};

describe('the answer', () => {
  it('is a table of aligned columns in the order asked', () => {
    expect(answerTable(answer)).toBe(
      [
        'quantile  value  rank error  in 95 %',
        '0.5           7         2.0      6.0',
        '0.25        -12         1.5      5.0',
        '0.5           7         2.0      6.0',
        '',
      ].join('\n'),
    );
  });

  it('has shares of the rows where their number was declared, and the unit of the values', () => {
    const shares = { expectedRankErrorShare: [0.002, 0.0015, 0.002], rankError95Share: [0.006, 0.005, 0.006] };
    const table = answerTable({ ...answer, forecast: { ...answer.forecast, ...shares } }, 'minutes');
    expect(table.split('\n')[0]).toBe('quantile  value (minutes)  rank error  in 95 %  of rows  in 95 %');
    expect(table.split('\n')[2]).toMatch(/ 0\.15 % +0\.50 %$/);
  });

  it('is CSV of plain numbers', () => {
    expect(answerCsv(answer)).toBe('quantile,value,rank_error,rank_error_95\n0.5,7,2,6\n0.25,-12,1.5,5\n0.5,7,2,6\n');
  });

  it('has no values in a plan', () => {
    const { values: _, ...plan } = answer;
    expect(answerTable(plan)).not.toContain('value');
    expect(answerCsv(plan)).toBe('quantile,rank_error,rank_error_95\n0.5,2,6\n0.25,1.5,5\n0.5,2,6\n');
  });

  it('keeps its header without rows', () => {
    expect(formatTable([{ title: 'id', cells: [] }])).toBe('id\n');
  });
});

describe('the guarantee in words', () => {
  const guarantee = { relation: 'add-remove', unit: 'row', epsilon: 1, delta: 0 } as const;

  it('says that a guarantee per row does not protect a person as one', () => {
    expect(guaranteeInWords(guarantee)).toMatch(/adding or removing any one row .* 2\.72 .* per row: a person/);
  });

  it.each([
    [1e-9, '1.000000001'],
    [0.001, '1.001'],
    [0.1, '1.105'],
    [5, '148'],
    [100, '2.69e+43'],
  ])('tells the effect of epsilon %d', (epsilon, factor) => {
    expect(guaranteeInWords({ ...guarantee, epsilon })).toContain(` at most ${factor} times (e^`);
  });

  it('names the unit and its rows', () => {
    const words = guaranteeInWords({ ...guarantee, unit: { column: 'user', maxRows: 3 } });
    expect(words).toContain('one value of user');
    expect(words).toContain('at most 3 rows');
    expect(words).not.toContain('per row');
  });

  it('does not hide a delta', () => {
    expect(guaranteeInWords({ ...guarantee, delta: 1e-6 })).toContain(
      'makes any set of answers at most 2.72 times (e^1) as likely or unlikely, give or take a probability of 0.000001 (delta)',
    );
    expect(guaranteeInWords(guarantee)).not.toContain('delta');
  });

  it('says that swap takes the number of rows as public', () => {
    expect(guaranteeInWords({ ...guarantee, relation: 'swap' })).toMatch(
      /changing any one row.* number of rows being public/,
    );
  });
});

describe('the terminal', () => {
  it('wraps at words', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('incomprehensibilities', 5)).toEqual(['incomprehensibilities']);
  });

  it('draws bars of one width', () => {
    expect(filledBar(0)).toMatch(/^░{24}$/);
    expect(filledBar(0.5)).toMatch(/^█{12}░{12}$/);
    expect(filledBar(7)).toMatch(/^█{24}$/);
    for (const seconds of [0, 0.7, 1.9, 2.1, 3.9, 100]) {
      expect(swingingBar(seconds)).toMatch(/^░*█{6}░*$/);
      expect(swingingBar(seconds)).toHaveLength(24);
    }
  });
});
