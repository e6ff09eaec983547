import { realpathSync, symlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { openDuckDB } from '../../../src/engines/duckdb/index.js';
import { duckdb, hundred, inDirectory, refusal, tally, write } from './helpers.js';

const csv = 'id,x\n1,5\n2,7.4\n3,\n4,7\n5,-3\n6,1e3\n';
const json = [{ x: 5 }, { x: 7.4 }, { x: null }, { x: '7' }, { y: 1, x: -3 }, { x: 1e3 }];
const expected = '0:1 5:1 7:2 100:1';
const rows = `(VALUES (1, 5.0::DOUBLE), (2, 7.4), (3, NULL), (4, 7), (5, -3), (6, 1e3)) t(id, x)`;

describe('every kind of input gives the same counts', () => {
  it.each([
    ['plain.csv', csv],
    ['windows.csv', csv.replaceAll('\n', '\r\n')],
    ['unended.csv', csv.trimEnd()],
    ['marked.csv', `\ufeff${csv}`],
    ['zipped.csv.gz', gzipSync(csv)],
    ['plain.tsv', csv.replaceAll(',', '\t')],
    ['array.json', JSON.stringify(json)],
    ['pretty.json', JSON.stringify(json, null, 2)],
    ['marked.json', `\ufeff${JSON.stringify(json)}\n`],
    ['zipped.json.gz', gzipSync(JSON.stringify(json))],
    ['sequence.json', json.map((row) => JSON.stringify(row)).join('\n')],
    ['lines.ndjson', json.map((row) => `${JSON.stringify(row)}\n`).join('')],
    ['zipped.jsonl.gz', gzipSync(json.map((row) => JSON.stringify(row)).join('\n\n'))],
  ])('%s', async (name, content) => {
    const file = write(name, content);
    expect(await tally({ file, column: 'x' })).toBe(expected);
    expect(await tally({ file, column: 'x' }, 'lower')).toBe(expected.replace('0:1', '0:2'));
  });

  it('Parquet', async () => {
    const file = inDirectory('plain.parquet');
    await duckdb(`COPY (SELECT * FROM ${rows}) TO '${file}' (FORMAT parquet)`);
    expect(await tally({ file, column: 'x' })).toBe(expected);
    expect(await tally({ file, column: 'x' }, 'lower')).toBe(expected.replace('0:1', '0:2'));
  });

  it('a DuckDB database, which is not changed', async () => {
    const file = inDirectory('plain.duckdb');
    await duckdb(
      `CREATE TABLE t AS SELECT * FROM ${rows}; CREATE SCHEMA s; CREATE TABLE s.u AS SELECT 3::INT AS x`,
      file,
    );
    expect(await tally({ file, column: 'x', table: 't' })).toBe(expected);
    expect(await tally({ file, column: 'x', table: 's.u' }, 'lower')).toBe('3:1');
  });

  it('a glob', async () => {
    for (const part of [1, 2, 3]) {
      await duckdb(`COPY (SELECT ${part} AS x) TO '${inDirectory(`part-${part}.parquet`)}' (FORMAT parquet)`);
      write(`part-${part}.csv`, `x\n${part}\n`);
    }
    for (const ending of ['parquet', 'csv'])
      expect(await tally({ file: inDirectory(`part-*.${ending}`), column: 'x' })).toBe('1:1 2:1 3:1');
  });

  it('a file whose name looks like a glob', async () => {
    await duckdb(`COPY (SELECT 4 AS x) TO '${inDirectory('a[1]*.parquet')}' (FORMAT parquet)`);
    await duckdb(`COPY (SELECT 5 AS x) TO '${inDirectory('a1.parquet')}' (FORMAT parquet)`);
    expect(await tally({ file: inDirectory('a[1]*.parquet'), column: 'x' })).toBe('4:1');
  });

  it('a format that the ending does not say', async () => {
    expect(await tally({ file: write('data.txt', csv), column: 'x', format: 'csv' })).toBe(expected);
  });

  it('standard input, of which only the header is read first', async () => {
    const chunks = ['\ufeffid,', 'x\n1,5\n2,7.', '4\n3,\n4,7\n5,-3\n', '6,1e3'].map((chunk) => Buffer.from(chunk));
    let handedOut = 0;
    const stdin = Readable.from(
      (function* () {
        for (const chunk of chunks) {
          handedOut++;
          yield chunk;
        }
      })(),
      { highWaterMark: 1 },
    );
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as typeof process.stdin);
    const source = await openDuckDB({ file: '-', column: 'x' });
    expect(handedOut).toBeLessThan(chunks.length);
    for (let release = 0; release < 2; release++) {
      const view = await source.open({ lattice: hundred, nulls: 'drop' });
      const { counts } = await view.coarse(0, 0, 101);
      expect([counts[0], counts[5], counts[7], counts[100]]).toEqual([1, 1, 2, 1]);
      await view.close();
    }
    expect(source.realPath).toBeUndefined();
    await source.close();
    expect(stdin.destroyed).toBe(true);
    vi.restoreAllMocks();
  });
});

describe('text files', () => {
  it('take delimiter and quote from the options alone', async () => {
    const file = write('semicolons.csv', "a;x\n'1;2';'3'\n'it''s';4\n;5\n");
    expect(await tally({ file, column: 'x', delimiter: ';', quote: "'" })).toBe('3:1 4:1 5:1');
    expect(await tally({ file: write('unquoted.csv', 'a,x\n",1\n""",2\n'), column: 'x', quote: '' })).toBe('1:1 2:1');
    expect(await tally({ file: write('odd.csv', 'a.x\n|..|.3\n'), column: 'x', delimiter: '.', quote: '|' })).toBe(
      '3:1',
    );
  });

  it('name columns by position where there is no header', async () => {
    const file = write('bare.csv', '1,5\n2\n3,6,7\n');
    expect(await tally({ file, column: 'column1', header: false }, 'lower')).toBe('0:1 5:1 6:1');
    expect(await tally({ file: write('empty.csv', ''), column: 'column0', header: false })).toBe('');
  });

  it('read a quoted header by the rules of the rows', async () => {
    const file = write('quoted.csv', '"a,b","x ""1"""\n1,2\n');
    expect(await tally({ file, column: 'x "1"' })).toBe('2:1');
  });

  it('may hold no records', async () => {
    for (const [name, content] of Object.entries({
      'h.csv': 'x\n',
      'u.csv': 'x',
      'e.json': '',
      'b.json': ' [ ] ',
      'e.ndjson': '\n',
    }))
      expect(await tally({ file: write(name, content), column: 'x' }, 'lower')).toBe('');
  });

  it('are read whole when they are longer than a block', async () => {
    const lines = Array.from({ length: 400_000 }, (_, i) => `${i % 101},é${i}`);
    const source = await openDuckDB({ file: write('long.csv', `x,y\n${lines.join('\n')}\n`), column: 'x' });
    const view = await source.open({ lattice: hundred, nulls: 'lower' });
    const counts = Array.from({ length: 101 }, (_, x) => Math.floor((400_000 - 1 - x) / 101) + 1);
    expect([...(await view.coarse(0, 0, 101)).counts]).toEqual(counts);
    await source.close();
  });
});

describe('what is public about a source', () => {
  const integer = async (type: string) => {
    const file = inDirectory('typed.parquet');
    await duckdb(`COPY (SELECT 5::${type} AS x) TO '${file}' (FORMAT parquet)`);
    const source = await openDuckDB({ file, column: 'x' });
    await source.close();
    expect(await tally({ file, column: 'x' })).toBe('5:1');
    return source.integer;
  };

  it('is whether the declared type is an integer', async () => {
    for (const type of ['TINYINT', 'USMALLINT', 'INTEGER', 'UBIGINT', 'DECIMAL(9,0)'])
      expect(await integer(type)).toBe(true);
    for (const type of ['FLOAT', 'DOUBLE', 'DECIMAL(9,2)']) expect(await integer(type)).toBe(false);
  });

  it('is the real path, of a glob too', async () => {
    const file = write('real.csv', csv);
    symlinkSync(file, inDirectory('link.csv'));
    symlinkSync(inDirectory('.'), inDirectory('folder'));
    const pathOf = async (given: string) => {
      await using source = await openDuckDB({ file: given, column: 'x' });
      return source.realPath;
    };
    expect(await pathOf(inDirectory('link.csv'))).toBe(realpathSync(file));
    expect(await pathOf(inDirectory('folder/rea*.csv'))).toBe(`${realpathSync(inDirectory('.'))}/rea*.csv`);
  });
});

describe('what is wrong in public is refused before any row is read', () => {
  const file = write('good.csv', csv);
  it.each([
    ['no such file', { file: inDirectory('none.csv') }, 'file_unreadable'],
    ['a folder', { file: inDirectory('.'), format: 'csv' }, 'file_unreadable'],
    ['a folder without a format', { file: inDirectory('.') }, 'file_unreadable'],
    ['an empty glob', { file: inDirectory('none-*.csv') }, 'file_unreadable'],
    ['no Parquet', { file, format: 'parquet' }, 'file_unreadable'],
    ['no database', { file, format: 'duckdb', table: 't' }, 'file_unreadable'],
    ['no ending', { file: write('good', csv) }, 'option_invalid'],
    ['an unknown format', { file, format: 'xml' as 'csv' }, 'option_invalid'],
    ['a long delimiter', { file, delimiter: '||' }, 'option_invalid'],
    ['a delimiter that is the quote', { file, delimiter: '"' }, 'option_invalid'],
    ['a table of a text file', { file, table: 't' }, 'option_invalid'],
    ['a delimiter of JSON', { file, format: 'json', delimiter: ';' }, 'option_invalid'],
    ['a quote of Parquet', { file: inDirectory('none.parquet'), quote: '' }, 'option_invalid'],
    ['a header of a database', { file: inDirectory('none.db'), table: 't', header: false }, 'option_invalid'],
    ['JSON on standard input', { file: '-', format: 'json' }, 'option_invalid'],
    ['no such column', { file, column: 'z' }, 'column_not_found'],
    ['no such unit', { file, unit: { column: 'z', maxRows: 1 } }, 'column_not_found'],
    ['no rows per unit', { file, unit: { column: 'id', maxRows: 0 } }, 'unit_invalid'],
    ['a column named twice', { file: write('twice.csv', 'x,x\n1,2\n') }, 'column_not_found'],
    ['no header', { file: write('none.txt', ''), format: 'csv' }, 'column_not_found'],
    ['a broken header', { file: write('broken.csv', '"x\n1\n') }, 'column_not_found'],
    ['a name where there is no header', { file, header: false }, 'column_not_found'],
  ] as const)('%s', async (_, options, code) => {
    expect(await refusal(openDuckDB({ column: 'x', ...options }))).toMatchObject({ code });
  });

  it.each([
    ['DATE', /epoch/],
    ['TIMESTAMP', /epoch/],
    ['BOOLEAN', /0 and 1/],
    ['VARCHAR', /numeric column/],
    ['INTEGER[]', /numeric column/],
  ])('a column of %s', async (type, hint) => {
    const typed = inDirectory(`${type.length}.parquet`);
    await duckdb(`COPY (SELECT NULL::${type} AS x) TO '${typed}' (FORMAT parquet)`);
    const { code, message } = await refusal(openDuckDB({ file: typed, column: 'x' }));
    expect(code).toBe('type_not_numeric');
    expect(message).toMatch(hint);
  });

  it('no such table, and which there are', async () => {
    const database = inDirectory('tables.duckdb');
    await duckdb('CREATE TABLE t (x INT); CREATE VIEW v AS SELECT 1 AS x', database);
    for (const [table, why] of [
      ['u', 'The database has no table u'],
      ['v', 'The database has the view v, but views are not read'],
      ['main.v', 'The database has the view main.v, but views are not read'],
    ])
      expect(await refusal(openDuckDB({ file: database, table, column: 'x' }))).toMatchObject({
        code: 'table_not_found',
        message: `${why}; its tables: t.`,
      });
  });

  it('files of a glob that differ', async () => {
    await duckdb(`COPY (SELECT 1 AS x) TO '${inDirectory('mix-1.parquet')}' (FORMAT parquet)`);
    await duckdb(`COPY (SELECT 1::DOUBLE AS x) TO '${inDirectory('mix-2.parquet')}' (FORMAT parquet)`);
    expect(await refusal(openDuckDB({ file: inDirectory('mix-*.parquet'), column: 'x' }))).toMatchObject({
      code: 'file_unreadable',
    });
    write('mix-1.csv', 'x\n1\n');
    write('mix-2.csv', 'y,x\n1,2\n');
    expect(await refusal(openDuckDB({ file: inDirectory('mix-*.csv'), column: 'x' }))).toMatchObject({
      code: 'column_not_found',
    });
  });
});
