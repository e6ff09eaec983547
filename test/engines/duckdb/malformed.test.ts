import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineBlocks } from '../../../src/engines/duckdb/blocks.js';
import { tally, write } from './helpers.js';

/** Each of these lines, between good ones, is a row of nulls and touches no other row. */
const badLines: Record<string, string | Buffer> = {
  'too few fields': '9',
  'too many fields': '9,9,9',
  'no fields': '',
  'a quote that is never closed': '"9,9',
  'a quote that is never closed in the last field': '9,"9',
  'a quote inside a field': '9"9,9',
  'text after a quoted field': '9,"9"9',
  'a quoted line break, first half': '9,"9\n9",9',
  'bytes that are no UTF-8': Buffer.from([0x39, 0x2c, 0x39, 0xff]),
  'bytes that are no UTF-8 in another field': Buffer.from([0xc3, 0x28, 0x2c, 0x39]),
  'a byte order mark inside': Buffer.concat([Buffer.from('9,'), Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('9')]),
  'a null byte': '9,9\0',
  'a lone carriage return': '9,9\r9',
  'a very long field beside': `${'9'.repeat(17 * 2 ** 20)},9`,
};

const joined = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

it.each(Object.entries(badLines))('%s makes a row of nulls', async (name, bad) => {
  const nulls = name.includes('first half') ? 2 : 1;
  const middle = write('middle.csv', joined('a,x\n1,1\n1,2\n', bad, '\n1,3\n1,"4"\n'));
  expect(await tally({ file: middle, column: 'x' })).toBe('1:1 2:1 3:1 4:1');
  expect(await tally({ file: middle, column: 'x' }, 'lower')).toBe(`0:${nulls} 1:1 2:1 3:1 4:1`);
  const end = write('end.csv', joined('a,x\n1,1\n1,2\n', bad, bad.length === 0 ? '\n' : ''));
  expect(await tally({ file: end, column: 'x' }, 'lower')).toBe(`0:${nulls} 1:1 2:1`);
});

it('what is no number is a null, and numbers are read as DuckDB casts them', async () => {
  const texts = ['abc', '1,5', '', '"', '1 2', '0x10', 'true', '2020-01-01', 'nan', '-', '1e', '5 EUR'];
  const quoted = texts.map((t) => `"${t.replaceAll('"', '""')}"`);
  expect(await tally({ file: write('texts.csv', `x\n${quoted.join('\n')}\n`), column: 'x' }, 'lower')).toBe(
    `0:${texts.length}`,
  );
  const numbers = [' 7 ', '+8', '.9e1', '10.', '1e400', 'Infinity', '-inf', '-1e400'];
  expect(await tally({ file: write('numbers.csv', `x\n${numbers.join('\n')}\n`), column: 'x' })).toBe(
    '0:2 7:1 8:1 9:1 10:1 100:2',
  );
});

it.each([
  ['no JSON', '{"x":9'],
  ['text', 'abc'],
  ['two values', '{"x":9}{"x":9}'],
  ['no object', '9'],
  ['an array', '[9]'],
  ['a string with a bracket', '"]"'],
  ['no such member', '{"y":9}'],
  ['another case', '{"X":9}'],
  ['null', '{"x":null}'],
  ['a nested value', '{"x":{"x":9}}'],
  ['a list', '{"x":[9]}'],
  ['a boolean', '{"x":true}'],
  ['text that is no number', '{"x":"9 apples"}'],
  ['NaN', '{"x":NaN}'],
  ['a broken escape', '{"x":9,"y":"\\q"}'],
  ['bytes that are no UTF-8', Buffer.concat([Buffer.from('{"x":9,"y":"'), Buffer.from([0xff]), Buffer.from('"}')])],
  ['a very long line', `{"x":9,"y":"${'y'.repeat(17 * 2 ** 20)}"}`],
])('a JSON record with %s is a row of nulls', async (name, bad) => {
  const lines = write('lines.ndjson', joined('{"x":1}\n{"x":2}\n', bad, '\n{"x":"3"}\n{"x":4.2}'));
  expect(await tally({ file: lines, column: 'x' }, 'lower')).toBe('0:1 1:1 2:1 3:1 4:1');
  // In an array, a record that leaves a bracket open takes what follows along; it fails nothing.
  const array = write('array.json', joined('[{"x":1},{"x":2},', bad, ',{"x":"3"},{"x":4.2}]'));
  expect(await tally({ file: array, column: 'x' }, 'lower')).toBe(
    name === 'no JSON' ? '0:1 1:1 2:1' : '0:1 1:1 2:1 3:1 4:1',
  );
});

it('no line of a JSON file takes others along', async () => {
  for (const bad of ['{"x":1,"s":"a}', '{"x":1', '"', '[[', '{"x":1}}]', '{"x":9,"s":"a', '\\']) {
    const lines = [bad, ...Array.from({ length: 50 }, (_, k) => `{"x":${(k % 5) + 1}}`)];
    const name = write('following.json', `\n${lines.slice(1).join('\n')}\n${bad}\n{"x":7}\n`);
    expect(await tally({ file: name, column: 'x' })).toMatch(/^1:10 2:10 3:10 4:10 5:10 7:1$/);
    if (!bad.startsWith('['))
      expect(await tally({ file: write('first.json', lines.join('\n')), column: 'x' })).toMatch(
        /^1:10 2:10 3:10 4:10 5:10$/,
      );
  }
});

it('a string that is left open in an array ends with its line', async () => {
  const closed = write('closed.json', '[{"x":1},\n["a\n],{"x":3},{"x":4}\n]');
  expect(await tally({ file: closed, column: 'x' }, 'lower')).toBe('0:1 1:1 3:1 4:1');
});

it('a line is judged by its own length, wherever it stands', async () => {
  const most = 2 ** 24;
  async function fates(length: number, before: number, chunk: number): Promise<number[]> {
    const bytes = Buffer.from(`${`${'b'.repeat(99)}\n`.repeat(before)}${'a'.repeat(length)}\nc\n`);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
    }
    const lines: number[] = [];
    for await (const block of lineBlocks(chunks())) lines.push(...block.split('\n').map((line) => line.length));
    return lines;
  }
  for (const [length, left] of [
    [most, most],
    [most + 1, 1],
  ])
    for (const before of [0, 1, 5000])
      for (const chunk of [2 ** 16, 2 ** 20, 2 ** 20 + 17, 2 ** 26])
        expect(await fates(length, before, chunk)).toEqual([...new Array(before).fill(99), left, 1]);
});

it('JSON takes any name for a member', async () => {
  const names = ['a/b', 'a~b', 'a~1', 'a.b', '$', '"', "'", ' ', '0', 'x\\y', 'é'];
  for (const name of names)
    expect(await tally({ file: write('names.json', JSON.stringify([{ [name]: 5 }])), column: name })).toBe('5:1');
});

it('no bytes at all make anything fail', async () => {
  const pieces = fc.constantFrom(
    '\n',
    '\r\n',
    ',',
    '"',
    '1',
    '2.5',
    'x',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ':',
    '{"x":3}',
    '\0',
    'é',
  );
  const bytes = fc.array(
    fc.oneof(
      pieces.map((piece) => Buffer.from(piece)),
      fc.uint8Array({ maxLength: 3 }).map((a) => Buffer.from(a)),
    ),
    { maxLength: 40 },
  );
  for (const [i, parts] of fc.sample(bytes, { numRuns: 30, seed: 4 }).entries()) {
    const ending = ['csv', 'json', 'ndjson'][i % 3];
    const file = write(`bytes.${ending}`, joined(ending === 'csv' ? 'x,y\n' : '', ...parts));
    await tally({ file, column: 'x' });
  }
});

/** The rules of the rows, one line at a time. */
function naiveField(line: string, place: number, count: number): string | null {
  const fields: string[] = [];
  let rest: string | undefined = line;
  while (rest !== undefined) {
    const match: RegExpExecArray | null = /^(?:"((?:[^"]|"")*)"|([^",]*))(?:$|,)/.exec(rest);
    if (!match) return null;
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    rest = match[0].endsWith(',') ? rest.slice(match[0].length) : undefined;
  }
  return fields.length === count ? fields[place] : null;
}

it('quoting agrees with a reader of one line at a time', async () => {
  const line = fc
    .array(fc.constantFrom('"', '""', ',', '1', '2', ' ', '"3"', ',"4",'), { maxLength: 9 })
    .map((parts) => parts.join(''));
  const lines = fc.sample(line, { numRuns: 3000, seed: 5 });
  for (const place of [0, 1]) {
    const counts = new Map<number, number>();
    for (const l of lines) {
      const field = naiveField(l, place, 2);
      const value = field !== null && /^ *\d+ *$/.test(field) ? Math.min(100, Number(field)) : 0;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const expected = [...counts].sort(([a], [b]) => a - b).map(([value, count]) => `${value}:${count}`);
    const file = write('random.csv', `a,b\n${lines.join('\n')}\n`);
    expect(await tally({ file, column: 'ab'[place] }, 'lower')).toBe(expected.join(' '));
    expect(counts.size).toBeGreaterThan(5);
  }
});
