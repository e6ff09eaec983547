import { describe, expect, it } from 'vitest';
import { startEngine } from '../../../src/engines/duckdb/engine.js';
import { chosenInOneGroupSql } from '../../../src/engines/duckdb/groups.js';
import { type DuckDBOptions, openDuckDB } from '../../../src/engines/duckdb/index.js';
import { quantilesByGroup } from '../../../src/index.js';
import { duckdb, hundred, inDirectory, refusal, write } from './helpers.js';

const options = { quantiles: 'quartiles', bounds: [0, 100], step: 1, epsilon: 1 } as const;

/** The records of each group as `group=value:count` texts, in the order of the groups. */
async function tallies(of: DuckDBOptions & { groupBy: string }, groups?: readonly string[]): Promise<string[]> {
  await using source = await openDuckDB(of);
  const view = await source.openGroups({ lattice: hundred, groups });
  const texts: string[] = [];
  for (const [place, name] of view.names.entries()) {
    const { counts } = await (await view.group(place)).coarse(0, 0, hundred.size);
    texts.push(`${name}=${[...counts].flatMap((count, i) => (count > 0 ? [`${i}:${count}`] : [])).join(' ')}`);
  }
  await view.close();
  return texts;
}

async function sizes(of: DuckDBOptions & { groupBy: string }): Promise<Record<string, number>> {
  await using source = await openDuckDB(of);
  const view = await source.openGroups({ lattice: hundred });
  const found = await view.sizes();
  await view.close();
  return Object.fromEntries(view.names.map((name, i) => [name, found[i]]));
}

/** A database with a table `t` of this query. */
async function table(name: string, query: string) {
  await duckdb(`CREATE TABLE t AS ${query}`, inDirectory(name));
  return { file: inDirectory(name), table: 't', column: 'x', groupBy: 'g' };
}

const hostile = [
  `it's`,
  `'); DROP TABLE records; --`,
  'a"b',
  'a,b',
  '$1',
  `' OR 1=1`,
  'é',
  'e\u0301',
  'A',
  'a ',
  'a',
  '\\',
];

describe('the records of a group', async () => {
  const rows = hostile.map((name, i) => [i, name] as const);
  const csv = write('hostile.csv', `x,g\n${rows.map(([x, g]) => `${x},"${g.replaceAll('"', '""')}"`).join('\n')}\n`);
  const literal = (g: string) => `'${g.replaceAll("'", "''")}'`;
  const values = rows.map(([x, g]) => `(${x}, ${literal(g)})`).join(', ');
  const parquet = inDirectory('hostile.parquet');
  await duckdb(`COPY (SELECT * FROM (VALUES ${values}) v(x, g)) TO '${parquet}' (FORMAT parquet)`);
  const ofTable = await table('hostile.duckdb', `SELECT * FROM (VALUES ${values}) v(x, g)`);

  it.each<[string, DuckDBOptions & { groupBy: string }]>([
    ['CSV', { file: csv, column: 'x', groupBy: 'g' }],
    ['Parquet', { file: parquet, column: 'x', groupBy: 'g' }],
    ['a table', ofTable],
  ])('of %s are those of that very name, whatever it is', async (_, source) => {
    expect(await tallies(source, [...hostile, 'no such', 'x\u0000y'])).toEqual([
      ...rows.map(([x, g]) => `${g}=${x}:1`),
      'no such=',
      'x\u0000y=',
    ]);
    expect(await tallies(source, ['a'])).toEqual(['a=10:1']);
    expect((await tallies(source)).toSorted()).toEqual(rows.map(([x, g]) => `${g}=${x}:1`).toSorted());
  });

  it('are those with a value, after the filter', async () => {
    const file = write('groups.csv', 'x,g,k\n1,a,1\n,a,1\nnan,a,1\n2,,1\n3,b,0\n4,a,1\n5\n6,a,1,1\n7,c,1\n-9,b,1\n');
    const source = { file, column: 'x', groupBy: 'g', where: "k = '1'" };
    expect(await tallies(source, ['b', 'a', 'z'])).toEqual(['b=0:1', 'a=1:1 4:1', 'z=']);
    expect(await sizes(source)).toEqual({ a: 2, b: 1, c: 1 });
  });

  it('are as many as a row counts', async () => {
    const file = write('counted.csv', 'x,g,n\n1,a,3\n2,a,0\n3,b,-1\n4,b,2.5\n5,c,\n');
    const source = { file, column: 'x', groupBy: 'g', counts: 'n' };
    expect(await tallies(source, ['a', 'b', 'c'])).toEqual(['a=1:3', 'b=4:2', 'c=']);
    expect(await sizes(source)).toEqual({ a: 3, b: 2 });
  });

  it('whatever the columns are called', async () => {
    const columns = ['value', 'unit', 'amount', 'name', 'place', 'rows', 'names', 'kept', 'records'];
    const query = `SELECT 5 AS value, 6 AS unit, 7 AS amount, 8 AS name, 9 AS place, 10 AS rows, 11 AS names, 12 AS kept, 13 AS records`;
    const { file } = await table('names.duckdb', query);
    const csv = write('names.csv', `${columns.join()}\n5,6,7,8,9,10,11,12,13\n`);
    for (const [i, column] of columns.entries()) {
      const [groupBy, counts, other] = [1, 2, 3].map((d) => columns[(i + d) % columns.length]);
      const [x, g, n, o] = [0, 1, 2, 3].map((d) => 5 + ((i + d) % columns.length));
      for (const source of [{ file, table: 't' }, { file: csv }]) {
        const where = `${other}::INT = ${o} and ${column}::INT = ${x}`;
        expect(await tallies({ ...source, column, groupBy, counts, where })).toEqual([`${g}=${x}:${n}`]);
        const unit = { column: other, maxRows: 1 };
        expect(await tallies({ ...source, column, groupBy, unit, where })).toEqual([`${g}=${x}:1`]);
      }
    }
  });

  it('have the text of their value as name', async () => {
    for (const [type, value, name] of [
      ['INTEGER', '7', '7'],
      ['DOUBLE', '7', '7.0'],
      ['DECIMAL(5,2)', '7', '7.00'],
      ['BOOLEAN', 'true', 'true'],
      ['DATE', "'2024-01-31'", '2024-01-31'],
      ["ENUM('u', 'v')", "'v'", 'v'],
      ['UUID', "'00000000-0000-0000-0000-00000000000a'", '00000000-0000-0000-0000-00000000000a'],
      ['FLOAT', "'nan'", 'nan'],
    ]) {
      const source = await table(
        `type ${name}.duckdb`,
        `SELECT 5 AS x, ${value}::${type} AS g UNION ALL SELECT 6, NULL`,
      );
      expect(await tallies(source)).toEqual([`${name}=5:1`]);
      expect(await tallies(source, ['other', name])).toEqual(['other=', `${name}=5:1`]);
    }
  });

  it('are in one group also where the column compares text without regard to case', async () => {
    const file = inDirectory('nocase.duckdb');
    await duckdb(`CREATE TABLE t (x INT, g VARCHAR COLLATE NOCASE); INSERT INTO t VALUES (1, 'a'), (2, 'A')`, file);
    const source = { file, table: 't', column: 'x', groupBy: 'g' };
    expect(await tallies(source, ['a', 'A', 'á'])).toEqual(['a=1:1', 'A=2:1', 'á=']);
    expect(await tallies(source)).toEqual(['A=2:1', 'a=1:1']);
  });
});

describe('the names of declared groups', async () => {
  /** Of each type: names of groups that it has, names that it cannot have, and others by what it writes in their place. */
  const cases: [string, string[], string[], Record<string, string>][] = [
    ['INTEGER', ['7', '-12', '2147483647'], ['abc', '', '2147483648', 'true'], { '01': '1', '+7': '7', '7.0': '7' }],
    ['UTINYINT', ['255'], ['256', '-1', 'a'], { '007': '7' }],
    ['DOUBLE', ['7.0', '1e+300', 'nan', 'inf', '-0.5'], ['x', '1,5'], { '7': '7.0', '07.50': '7.5' }],
    ['FLOAT', ['0.1', '16777216.0'], ['yes'], { '16777217': '16777216.0' }],
    ['DECIMAL(5,2)', ['7.00', '-999.99'], ['1000', 'a'], { '7': '7.00', '1.005': '1.01' }],
    ['BOOLEAN', ['true', 'false'], ['2', 'maybe'], { yes: 'true', '0': 'false', TRUE: 'true' }],
    ['DATE', ['2024-01-31', '0044-03-15 (BC)'], ['yes', '2024-02-30', '31.1.2024'], { '2024-1-31': '2024-01-31' }],
    [
      'UUID',
      ['00000000-0000-0000-0000-00000000000a'],
      ['a'],
      {
        '00000000-0000-0000-0000-00000000000A': '00000000-0000-0000-0000-00000000000a',
      },
    ],
    ['VARCHAR', ['7', '01', 'abc', ''], [], {}],
    ["ENUM('u', 'v')", ['u', 'other'], [], {}],
  ];

  it.each(cases)('of type %s are the text of its values, whatever the records are', async (type, good, bad, others) => {
    const literals = good.filter((name) => name !== 'other').map((name) => `'${name}'::${type}`);
    for (const [i, rows] of [literals, ['NULL']].entries()) {
      const name = `declared ${cases.findIndex(([other]) => other === type)} ${i}`;
      const query = `SELECT 5 AS x, unnest([${rows.join(', ')}])::${type} AS g`;
      const parquet = inDirectory(`${name}.parquet`);
      await duckdb(`COPY (${query}) TO '${parquet}' (FORMAT parquet)`);
      for (const of of [await table(`${name}.duckdb`, query), { file: parquet, column: 'x', groupBy: 'g' }]) {
        await using source = await openDuckDB(of);
        await source.checkGroups!(good);
        for (const name of bad)
          await expect(source.checkGroups!([...good, name])).rejects.toMatchObject({
            code: 'groups_invalid',
            message: expect.stringMatching(
              /is no value of the column g, of type .*; a name is the text of a value, such as /,
            ),
          });
        for (const [name, written] of Object.entries(others))
          await expect(source.checkGroups!([...good, name])).rejects.toMatchObject({
            code: 'groups_invalid',
            message: expect.stringContaining(`the closest is "${written}"`),
          });
      }
    }
  });

  it('of a release are checked before it, and once more by it', async () => {
    const of = await table('declared.duckdb', 'SELECT 5 AS x, 7 AS g');
    await using source = await openDuckDB(of);
    await expect(quantilesByGroup(source, { ...options, groups: ['7', 'abc'] })).rejects.toMatchObject({
      code: 'groups_invalid',
      message:
        'The group "abc" is no value of the column g, of type INTEGER, as that type writes them; a name is the text of a value, such as 7.',
    });
  });

  it('of text files may be anything: there a type could only be told by the records', async () => {
    const csv = write('typed.csv', 'x,g\n5,7\n6,8\n');
    const json = write('typed.json', '[{"x": 5, "g": 7}, {"x": 6, "g": 8}]');
    for (const file of [csv, json]) {
      await using source = await openDuckDB({ file, column: 'x', groupBy: 'g' });
      await source.checkGroups!(['7', 'abc', '01']);
      expect(await tallies({ file, column: 'x', groupBy: 'g' }, ['7', 'abc', '07'])).toEqual(['7=5:1', 'abc=', '07=']);
    }
  });
});

describe('seeded releases of a file are those of the same records in memory', async () => {
  const rows = Array.from({ length: 6000 }, (_, i) => [
    (i * 37) % 101,
    i % 16 === 3 ? null : `g${i % 16 === 15 ? i : i % 4}`,
  ]);
  const values = rows.map(([x, g]) => `(${x}, ${g === null ? 'NULL' : `'${g}'`})`).join(', ');
  const parquet = inDirectory('agree.parquet');
  await duckdb(`COPY (SELECT * FROM (VALUES ${values}) v(x, g)) TO '${parquet}' (FORMAT parquet)`);
  const csv = write('agree.csv', `x,g\n${rows.map(([x, g]) => `${x},${g ?? ''}`).join('\n')}\n`);
  const byGroup: Record<string, number[]> = {};
  for (const [x, g] of rows) if (g !== null) (byGroup[g!] ??= []).push(Number(x));

  it.each([
    ['declared', { groups: ['g1', 'none', 'g0'] }],
    ['declared, under swap', { groups: ['g1', 'none', 'g0'], relation: 'swap' as const }],
    ['found', { delta: 1e-6 }],
    ['found, by a method that spends delta', { delta: 1e-6, method: 'gauss-tree' as const }],
  ])('with groups that are %s', async (_, more) => {
    const given = { ...options, ...more, unsafeSeed: 9 };
    const expected = await quantilesByGroup(byGroup, given);
    expect(expected.groups.length).toBeGreaterThanOrEqual(3);
    for (const file of [parquet, csv]) {
      await using source = await openDuckDB({ file, column: 'x', groupBy: 'g' });
      expect(await quantilesByGroup(source, given)).toEqual(expected);
    }
  });
});

describe('with a unit', () => {
  type Row = readonly [value: number, unit: string, name: string];
  /** Units of one to six rows in up to three groups; the value tells whose row it is. */
  const rows: Row[] = Array.from({ length: 90 }, (_, unit) =>
    Array.from(
      { length: 1 + (unit % 6) },
      (_, i): Row => [1000 * unit + ((i * 7) % 50), `u${unit}`, 'abc'[(unit + i * i) % 3]],
    ),
  ).flat();

  /** What is chosen, as `unit name value` texts in order. */
  async function choose(
    from: readonly Row[],
    maxRows: number,
    salt = 'salt',
    names = ['a', 'b', 'c'],
  ): Promise<string[]> {
    const engine = await startEngine();
    const values = from.map(([x, u, g]) => `(${x}::DOUBLE, '${u}', '${g}', ${names.indexOf(g)})`).join(', ');
    await engine.session.run(
      `CREATE TABLE t AS SELECT * FROM (VALUES ${values}) v(value, unit, name, place)`,
      undefined,
    );
    const sql = chosenInOneGroupSql('SELECT * FROM t WHERE place >= 0', maxRows, salt);
    const chosen = await engine.tryRead(`SELECT value, place, first FROM (${sql}) ORDER BY ALL`);
    engine.close();
    const unitOf = (value: unknown) => `u${Math.floor(Number(value) / 1000)}`;
    const firsts = chosen!.filter(([, , first]) => first === true).map(([value]) => unitOf(value));
    expect(firsts).toEqual([...new Set(chosen!.map(([value]) => unitOf(value)))]);
    return chosen!.map(([value, place]) => `${unitOf(value)} ${names[Number(place)]} ${value}`);
  }

  it('each unit is in one group, with at most so many rows, and with all it has there when they are fewer', async () => {
    for (const maxRows of [1, 2, 10]) {
      const chosen = await choose(rows, maxRows);
      for (const unit of new Set(rows.map(([, u]) => u))) {
        const own = chosen.filter((text) => text.startsWith(`${unit} `)).map((text) => text.split(' ')[1]);
        expect(new Set(own).size).toBe(1);
        const there = rows.filter(([, u, g]) => u === unit && g === own[0]).length;
        expect(own).toHaveLength(Math.min(maxRows, there));
      }
    }
  });

  it('what is chosen of a unit depends on its own rows in the groups asked for, and on nothing else', async () => {
    const chosen = await choose(rows, 2);
    const alone = (unit: string) => rows.filter(([, u]) => u === unit);
    for (const unit of ['u5', 'u11', 'u47', 'u83'])
      expect(await choose(alone(unit), 2)).toEqual(chosen.filter((text) => text.startsWith(`${unit} `)));
    expect(await choose(rows.toReversed(), 2)).toEqual(chosen);
    // The numbers of groups are no part of it: they may depend on what groups others are in.
    expect(await choose(rows, 2, 'salt', ['c', 'a', 'b'])).toEqual(chosen);
    const without = rows.filter(([, , g]) => g !== 'b');
    expect(await choose(rows, 2, 'salt', ['a', 'c'])).toEqual(await choose(without, 2));
  });

  it('groups are chosen evenly and anew by another salt', async () => {
    const two = Array.from({ length: 400 }, (_, i): Row[] => [
      [1000 * i + 5, `u${i}`, 'a'],
      [1000 * i + 5, `u${i}`, 'b'],
      [1000 * i + 9, `u${i}`, 'b'],
    ]).flat();
    const inA = (await choose(two, 1)).filter((text) => text.includes(' a ')).length;
    // A third of 400, give or take four standard deviations.
    expect(Math.abs(inA - 400 / 3)).toBeLessThan(38);
    expect(await choose(two, 1, 'other salt')).not.toEqual(await choose(two, 1));
  });

  it('a release counts each unit once, and the sizes of groups are those of units', async () => {
    const file = write('units.csv', `x,u,g\n${rows.map((row) => row.join()).join('\n')}\n3,,a\n,u1,a\n`);
    const unit = { column: 'u', maxRows: 3 };
    const found = await sizes({ file, column: 'x', groupBy: 'g', unit });
    expect(Object.values(found).reduce((a, b) => a + b)).toBe(90);
    await using source = await openDuckDB({ file, column: 'x', groupBy: 'g', unit });
    const release = await quantilesByGroup(source, { ...options, groups: ['a', 'b'] });
    expect(release.guarantee).toMatchObject({ unit, epsilon: 1, delta: 0 });
    const swap = { ...options, relation: 'swap', groups: ['a'] } as const;
    expect(await refusal(quantilesByGroup(source, swap))).toMatchObject({ code: 'unit_invalid' });
  });
});

it('a unit counts once also where its column compares text without regard to case', async () => {
  const file = inDirectory('unit-nocase.duckdb');
  const rows = "(1, 'a', 'ann'), (2, 'a', 'Ann'), (3, 'a', 'ANN'), (4, 'a', 'bob')";
  await duckdb(`CREATE TABLE t (x INT, g VARCHAR, u VARCHAR COLLATE NOCASE); INSERT INTO t VALUES ${rows}`, file);
  const source = { file, table: 't', column: 'x', groupBy: 'g', unit: { column: 'u', maxRows: 2 } };
  expect(await sizes(source)).toEqual({ a: 2 });
  expect((await tallies(source))[0].match(/:1/g)).toHaveLength(3);
});

describe('what no groups can be made of is refused before rows are read', () => {
  it.each([
    ['TIMESTAMP', "TIMESTAMP '2024-01-01'"],
    ['TIMESTAMP WITH TIME ZONE', "TIMESTAMPTZ '2024-01-01 00:00:00+00'"],
    ['INTEGER[]', '[1]'],
    ['BLOB', "'a'::BLOB"],
    ['STRUCT(a INTEGER)', "{'a': 1}"],
  ])('a column of %s', async (type, value) => {
    const source = await table(`no groups ${type}.duckdb`, `SELECT 1 AS x, ${value} AS g`);
    const { code, message } = await refusal(openDuckDB(source));
    expect(code).toBe('groups_invalid');
    expect(message).toContain(`The column g has the type ${type}`);
  });

  it('a missing column, and one of counts', async () => {
    const file = write('missing.csv', 'x,g\n1,a\n');
    expect(await refusal(openDuckDB({ file, column: 'x', groupBy: 'h' }))).toMatchObject({ code: 'column_not_found' });
    const counts = refusal(openDuckDB({ file, column: 'x', groupBy: 'g', counts: 'g' }));
    expect(await counts).toMatchObject({ code: 'option_invalid' });
    const ungrouped = await openDuckDB({ file, column: 'x' });
    expect('openGroups' in ungrouped).toBe(false);
    await ungrouped.close();
  });

  it('a text that is no number in a column of groups is a name like any other', async () => {
    const file = write('texts.csv', 'x,g\n1,1\n2,1.0\n3, 1\n');
    expect(await tallies({ file, column: 'x', groupBy: 'g' }, ['1', '1.0', ' 1'])).toEqual([
      '1=1:1',
      '1.0=2:1',
      ' 1=3:1',
    ]);
  });

  it('no record decides by a failing condition over the groups of others', async () => {
    for (const more of ['', ",(77, 'b', 'a')"]) {
      const query = `SELECT * FROM (VALUES (1, 'a', 'a'), (2, 'b', '5')${more}) v(x, g, s)`;
      const ofTable = await table(`decides${more.length}.duckdb`, query);
      const file = inDirectory(`decides${more.length}.parquet`);
      await duckdb(`COPY (${query}) TO '${file}' (FORMAT parquet)`);
      for (const source of [ofTable, { file, column: 'x', groupBy: 'g' }])
        for (const groups of [['a', 'b'], ['a']]) {
          const where = 'x < 50 or s::INT > 0';
          expect((await tallies({ ...source, where }, groups))[0]).toBe('a=');
        }
    }
  });
});
