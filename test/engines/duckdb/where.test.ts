import { describe, expect, it } from 'vitest';
import { openDuckDB } from '../../../src/engines/duckdb/index.js';
import { duckdb, hundred, inDirectory, refusal, tally, write } from './helpers.js';

const secret = write('secret.csv', 'x\n42\n');

async function flights(): Promise<string> {
  const file = inDirectory('flights.parquet');
  await duckdb(`COPY (SELECT * FROM (VALUES
      (1, 'a', DATE '2024-01-01', true,  [1],    {'f': 1}, NULL::INT),
      (2, 'b', DATE '2024-01-02', false, [1, 2], {'f': 2}, 0),
      (3, '3', DATE '2024-02-03', NULL,  [],     NULL,     3)) t(x, s, d, b, l, st, z))
    TO '${file}' (FORMAT parquet)`);
  return file;
}

describe('a condition over the row’s own columns chooses rows', async () => {
  const file = await flights();
  it.each([
    ['x > 1', '2:1 3:1'],
    ['X = 2 or "x" = 3', '2:1 3:1'],
    ['not b', '2:1'],
    ['b is null', '3:1'],
    ["s in ('a', 'b') and x between 2 and 9", '2:1'],
    ["d >= DATE '2024-01-02' and month(d) = 1", '2:1'],
    ['dayofweek(d) = 1 and week(d + INTERVAL 1 DAY) = 1 and extract(year from d) = 2024', '1:1'],
    ["d + INTERVAL 1 MONTH > DATE '2024-03-01'", '3:1'],
    ["s like '_' and lower(s) <> 'A' and regexp_matches(s, '^[a-c]$')", '1:1 2:1'],
    ['case when x = 1 then false else true end', '2:1 3:1'],
    ['len(l) = 2 or l[1] = 7', '2:1'],
    ['st.f = 1', '1:1'],
    ["date_trunc('month', d) = DATE '2024-01-01' and date_diff('day', DATE '2024-01-01', d) > 0", '2:1'],
    ['x < 9223372036854775807 and x + 9007199254740993 > 9007199254740995', '3:1'],
    ['(x::HUGEINT + 170141183460469231731687303715884105725) > 0', '1:1 2:1'],
    [`s <> '9223372036854775807 {"integer":"1"}' and x = 1`, '1:1'],
    ['coalesce(z, -1) < 0', '1:1'],
    ['x = 1 -- a comment', '1:1'],
    ['x = 1 /* a comment */', '1:1'],
    ["s = '--' or s = 'a'", '1:1'],
    ['x >= 1)and(x < 2', '1:1'],
    ['x is not distinct from 2', '2:1'],
    ['true', '1:1 2:1 3:1'],
    ['null::boolean', ''],
  ])('%s', async (where, expected) => {
    expect(await tally({ file, column: 'x', where })).toBe(expected);
  });

  it.each([
    ['s::INT > 0', '3:1'],
    ["('x' || s)::INT > 0", ''],
    ["'abc'::INT > x", ''],
    ['(x * 100)::TINYINT > 0', '1:1'],
    ['x // z >= 0', '3:1'],
    ['ln(x - 2) < 5', '3:1'],
    ['sqrt(x - 2) >= 0', '2:1 3:1'],
    ['(x + 9223372036854775805)::BIGINT > 0', '1:1 2:1'],
    ["strptime(s, '%Y') is null", ''],
    ['not (s::INT > 0)', ''],
    ['s::INT > 5 or s::INT < 5', '3:1'],
    ['s::INT in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)', '3:1'],
    ['x > 0 or s::INT > 0', '3:1'],
  ])('a row for which it fails is out: %s', async (where, expected) => {
    expect(await tally({ file, column: 'x', where })).toBe(expected);
  });

  it('also where it casts a field of a structure', async () => {
    const rows = "SELECT * FROM (VALUES (1, {'g': '5', 'h': {'i': '5'}}), (2, {'g': 'a', 'h': {'i': 'a'}})) t(x, st)";
    await duckdb(`COPY (${rows}) TO '${inDirectory('struct.parquet')}' (FORMAT parquet)`);
    await duckdb(`CREATE TABLE t AS ${rows}`, inDirectory('struct.duckdb'));
    for (const source of [{ file: inDirectory('struct.parquet') }, { file: inDirectory('struct.duckdb'), table: 't' }])
      for (const where of ['st.g::INT > 3', "struct_extract(st, 'g')::INT = 5", 'st.h.i::INT > 3', "st['g']::INT = 5"])
        expect(await tally({ ...source, column: 'x', where })).toBe('1:1');
  });

  it('no record decides over another, not even by the statistics of a file', async () => {
    const conditions = [
      'x < 50 or s::INT > 0',
      'not (x >= 50 and s::INT > 0)',
      'x between 0 and 50 or s::INT > 0',
      'x < 50 or ln(x - 90) > 0',
    ];
    const ordinary = "SELECT range AS x, 'a' AS s FROM range(40)";
    const other = `${ordinary} UNION ALL SELECT 77, 'a'`;
    for (const [name, rows] of Object.entries({ ordinary, other })) {
      await duckdb(`COPY (${rows}) TO '${inDirectory(`${name}.parquet`)}' (FORMAT parquet)`);
      await duckdb(`CREATE TABLE t AS ${rows}`, inDirectory(`${name}.duckdb`));
    }
    for (const where of conditions)
      for (const kind of [{ ending: 'parquet' }, { ending: 'duckdb', table: 't' }]) {
        const { ending, ...table } = kind;
        const counted = async (name: string) =>
          tally({ file: inDirectory(`${name}.${ending}`), column: 'x', where, ...table });
        expect(await counted('other')).toBe(await counted('ordinary'));
      }
  });

  it('in text files every column is text', async () => {
    const csv = write('where.csv', 'x,Age,c\n1,30,u\n2,4,v\n3,old,w\n4\n');
    expect(await tally({ file: csv, column: 'x', where: 'age::INT > 3' })).toBe('1:1 2:1');
    expect(await tally({ file: csv, column: 'x', where: "age > '35'" })).toBe('2:1 3:1');
    const json = write('where.ndjson', '{"x":1,"a":{"b":5}}\n{"x":2,"a":7}\n{"x":3}\n');
    expect(await tally({ file: json, column: 'x', where: "a ->> '$.b' = '5' or a = '7'" })).toBe('1:1 2:1');
    expect(await tally({ file: json, column: 'x', where: "json_extract_string(a, '$.b') = '5' or a = '7'" })).toBe(
      '1:1 2:1',
    );
    expect(await tally({ file: json, column: 'x', where: 'rowid is null' })).toBe('1:1 2:1 3:1');
  });
});

describe('no operation hides where only some rows reach it', async () => {
  const data = { file: inDirectory('kinds.duckdb'), table: 't', column: 'x' };
  await duckdb(
    `CREATE TABLE t AS (SELECT x, INTERVAL 1 DAY AS iv, TIME '12:00' AS t, TIMESTAMPTZ '2020-01-01 00:00:00+00' AS tz,
      TIMESTAMP '2020-01-01' AS ts, DATE '2020-01-01' AS d, '{"a":1}'::JSON AS j, '5' AS s
    FROM (VALUES (1), (2)) v(x))`,
    data.file,
  );

  it.each([
    'week(iv)',
    'week(ts - ts)',
    'week(s::INTERVAL)',
    "date_part('year', t)",
    'extract(year from s::TIME)',
    "date_part('timezone', d)",
    "date_part('era', d)",
    "date_trunc('timezone', tz)",
    "date_diff('year', t, t)",
    "date_diff('timezone', d, d)",
    "date_sub('era', tz, ts)",
    "date_sub('month', t, t)",
    "(j -> 'a')::BIGINT",
    "TRY_CAST(j -> 'a' AS BIT)",
    "(s -> 'a') = 5",
    "s::BIT = '101'::BIT",
    's::VARIANT',
    "date_part('no such part', d)",
  ])('%s', async (part) => {
    for (const where of [`case when x > 40 then (${part}) is null else true end`, `x < 40 or (${part}) is null`])
      expect(await refusal(openDuckDB({ ...data, where }))).toMatchObject({ code: 'where_invalid' });
  });

  it.each([
    'week(d) = 1 and year(ts) = 2020 and epoch(tz) > 0',
    "j ->> '$.a' = '1'",
    `j = '{"a":1}'`,
    "hour(tz) is not null and iv > INTERVAL 1 HOUR and t < TIME '13:00'",
    's::DOUBLE > 4 and TRY_CAST(s AS DATE) is null',
  ])('others may: %s', async (part) => {
    expect(await tally({ ...data, where: `case when x > 1 then ${part} else false end` })).toBe('2:1');
  });

  it('a column may have any name', async () => {
    const named = inDirectory('named.parquet');
    await duckdb(`COPY (SELECT 1 AS range, 2 AS c0, 3 AS c1, 4 AS "c2""") TO '${named}' (FORMAT parquet)`);
    const where = 'range + c1 = 4 and c0 + c1 = 5 and "c2""" > c0';
    expect(await tally({ file: named, column: 'range', where })).toBe('1:1');
  });
});

describe('Parquet columns of which not every value can be read', async () => {
  const write = (name: string, ts: string) =>
    duckdb(`COPY (SELECT 7 AS x, ${ts} AS ts, 'a' AS s) TO '${inDirectory(name)}' (FORMAT parquet)`);
  await write('kept-1.parquet', "TIMESTAMP '2020-01-01'");
  await write('kept-2.parquet', "'2020-01-01'::TIMESTAMP_NS::TIMESTAMP");
  await write('kept-3.parquet', "'2020-01-01'::TIMESTAMP_MS");
  await write('time.parquet', "TIME '12:00'");
  await write('nested.parquet', "{'a': 1, 'b': [{'c': '2020-01-01'::TIMESTAMP_MS}]}");

  it.each(['kept-3.parquet', 'kept-*.parquet', 'nested.parquet', 'time.parquet'])(
    'choose no rows: %s',
    async (name) => {
      const file = inDirectory(name);
      const where = refusal(openDuckDB({ file, column: 'x', where: "s = 'a' and TS is not null" }));
      expect(await where).toMatchObject({ code: 'where_invalid', message: expect.stringContaining('ts holds TIME') });
      const unit = refusal(openDuckDB({ file, column: 'x', unit: { column: 'ts', maxRows: 1 } }));
      expect(await unit).toMatchObject({ code: 'unit_invalid', message: expect.stringContaining('TIMESTAMP(MICROS)') });
      expect(await tally({ file, column: 'x', where: "s = 'a'", unit: { column: 's', maxRows: 1 } })).toBe('7:1');
    },
  );

  it('others do', async () => {
    const file = inDirectory('kept-[12].parquet');
    expect(await tally({ file, column: 'x', where: 'year(ts) = 2020' })).toBe('7:2');
    expect(await tally({ file, column: 'x', unit: { column: 'ts', maxRows: 1 } })).toBe('7:1');
  });
});

describe('anything else is refused before rows are read', async () => {
  const file = await flights();
  it.each([
    'true) and x >= (select max(x) from t) and (true',
    'true)) and x >= (1 and (true',
    'x > 0)) limit 1 --',
    'x > 0)) from range(3) --',
    'true)), try((true',
    'true)) or try((true',
    '1=1) --',
    '1=1)) --',
    'x > 0 /*',
    "x > 0 and s = '",
    'x > 0; drop table t',
    'x > 0 limit 1',
    'x > 0 order by x',
    'x > 0 as y',
    '',
    'x',
    "'true'",
    'null',
    '*',
    'columns(*) > 0',
    'x > (select 1)',
    'exists (select 1)',
    'x in (select 1)',
    'x = any([1, 2])',
    `x in (from '${secret}')`,
    'sum(x) > 1',
    'count(*) > 1',
    'max(x) filter (where true) > 1',
    'row_number() over () < 3',
    'lag(x) over (order by x) < x',
    'x > $1',
    'x > ?',
    'x > #1',
    'rowid < 2',
    'file_row_number < 2',
    "filename = 'a'",
    'y > 1',
    't.x > 1',
    'unnamed_subquery.x > 1',
    'x > now()',
    'd < current_date',
    'age(d) > interval 1 year',
    'random() < 0.5',
    'uuid() is null',
    "nextval('s') > 0",
    "getvariable('v') > 0",
    "current_setting('threads') > 0",
    "stats(x) like '%'",
    "error('x')",
    'version() is null',
    "list_aggregate(l, 'sum') > 0",
    'list_filter(l, lambda e: e > 1) = []',
    'list_transform(l, e -> e + 1) = []',
    'unnest(l) > 1',
    'repeat(s, 1000000000) = s',
    "lpad(s, 1000000000, 'a') = s",
    "printf('%1000000000d', x) = s",
    's like s escape s',
    "json_serialize_plan('select 1') is null",
    'vector_type(x) is null',
    'pg_catalog.lower(s) = s',
    'lower(distinct s) = s',
    "x::ENUM('a') is null",
    'x::no_such_type is null',
    's > x + d',
    'no_such_function(x)',
    `x < len(read_text('${secret}'))`,
  ])('%s', async (where) => {
    const { code, message } = await refusal(openDuckDB({ file, column: 'x', where }));
    expect(code).toBe('where_invalid');
    expect(message).toMatch(
      /^The condition of --where is refused: .*; it must be one SQL condition over the row's own columns\.$/,
    );
  });

  it('columns that a name does not tell apart', async () => {
    const csv = write('cases.csv', 'x,A,a\n1,2,3\n');
    expect(await refusal(openDuckDB({ file: csv, column: 'x', where: "a = '2'" }))).toMatchObject({
      code: 'where_invalid',
    });
    expect(await refusal(openDuckDB({ file: csv, column: 'A', unit: { column: 'a', maxRows: 1 } }))).toMatchObject({
      code: 'column_not_found',
    });
  });

  it('under swap, as the number of rows would depend on them', async () => {
    await using source = await openDuckDB({ file, column: 'x', where: 'x > 1' });
    expect(await refusal(source.open({ lattice: hundred, nulls: 'lower' }))).toMatchObject({ code: 'where_invalid' });
  });
});
