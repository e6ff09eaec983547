import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directory, inProcess } from './command.js';

const many = (text: string) => Array.from({ length: 50 }, () => text);

const columns: Record<string, readonly string[]> = {
  'no row': [],
  'one row': ['5'],
  'all null': many(''),
  constant: many('7'),
  'not a number': many('NaN'),
  infinities: [...many('Infinity'), ...many('-Infinity'), 'inf', '-inf'],
  'the largest doubles': [...many('1e308'), ...many('-1e308'), '1e309', '-1e309'],
  'negative zero': many('-0'),
  subnormals: [...many('5e-324'), ...many('-5e-324')],
  'text among numbers': ['1', 'two', '3', '4.5.6', '0x10', "'; DROP TABLE records; --", '7'],
  'all below the bounds': many('-1000'),
  'all above the bounds': many('1000'),
  'malformed rows': ['1', '2,3,4', '"unclosed', '5'],
};

/** Releases deciles of a column of these texts. */
async function release(values: readonly string[], relation: string) {
  const cwd = directory({ 'x.csv': `x\n${values.map((value) => `${value}\n`).join('')}` });
  const place = [join(cwd, 'x.csv'), '--dataset=x', `--ledger=${join(cwd, 'l.db')}`, `--relation=${relation}`];
  const what = ['--column=x', '--bounds=0,10', '--step=0.5', '--quantiles=deciles', '--epsilon=1', '--json'];
  const { code, stdout, stderr } = await inProcess(['quantiles', ...place, ...what]);
  return { code, answer: JSON.parse(stdout), talk: stderr.replaceAll(cwd, '') };
}

describe.each(['add-remove', 'swap'])('under %s', (relation) => {
  let usual: ReturnType<typeof release> | undefined;

  it.each(Object.entries(columns))('%s: code 0 and a release like any other', async (_, values) => {
    const { code, answer, talk } = await release(values, relation);
    expect(code).toBe(0);
    expect(answer.values).toHaveLength(9);
    for (const value of answer.values) expect(value >= 0 && value <= 10 && Number.isInteger(value * 2)).toBe(true);
    const { answer: usualAnswer, talk: usualTalk } = await (usual ??= release(['1', '2', '3'], relation));
    expect({ ...answer, values: [] }).toEqual({ ...usualAnswer, values: [] });
    expect(talk).toBe(usualTalk);
  });
});
