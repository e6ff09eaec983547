import { describe, expect, it } from 'vitest';
import { type DuckDBOptions, openDuckDB } from '../../../src/engines/duckdb/index.js';
import { publicType } from '../../../src/engines/duckdb/types.js';
import { duckdb, inDirectory, tally } from './helpers.js';

/** A table `t` of an integer `x`, an integer `k` and a `y` of the type, which is null in its one row. */
async function tableOf(name: string, type: string) {
  const file = inDirectory(`${name}.duckdb`);
  await duckdb(`CREATE TABLE t (x INTEGER, k INTEGER, y ${type}); INSERT INTO t VALUES (1, 2, NULL)`, file);
  return { file, table: 't', column: 'x' };
}

/** Each option that names a column, naming `y`. */
const uses: readonly [string, string, Partial<DuckDBOptions>][] = [
  ['column', 'type_not_numeric', { column: 'y' }],
  ['counts', 'type_not_numeric', { counts: 'y' }],
  ['groupBy', 'groups_invalid', { groupBy: 'y' }],
  ['unit', 'unit_invalid', { unit: { column: 'y', maxRows: 1 } }],
];

/** All that a refusal says: its code, its message and its details. */
async function told(options: DuckDBOptions): Promise<{ code: string; all: string; type: unknown }> {
  const error = await openDuckDB(options).then(
    (source) => source.close().then(() => ({ code: 'none', message: '', details: {} as Record<string, unknown> })),
    (reason) => reason,
  );
  return { code: error.code, all: `${error.message} ${JSON.stringify(error.details)}`, type: error.details.type };
}

/** Values that a parser of types could stumble over. */
const values = [
  'ann secret',
  "o'secret",
  'secret)',
  '(secret',
  "') secret (''",
  'secret"',
  'a, secret',
  'secret\n',
  'ENUM(',
];
const ofEnum = `ENUM(${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`;

describe('a type in a message is without the values of enums, which may come from the records', () => {
  it.each([
    [ofEnum, 'ENUM'],
    [`${ofEnum}[]`, 'ENUM[]'],
    [`${ofEnum}[2]`, 'ENUM[2]'],
    [`STRUCT(a ${ofEnum}, b INTEGER, c ${ofEnum})`, 'STRUCT(a ENUM, b INTEGER, c ENUM)'],
    [`MAP(${ofEnum}, DECIMAL(5,2))`, 'MAP(ENUM, DECIMAL(5,2))'],
    [`UNION(a ${ofEnum}, b INTEGER)`, 'UNION(a ENUM, b INTEGER)'],
    [
      `STRUCT("it's" INTEGER, "ENUM('" ${ofEnum}, "b""ENUM(" DATE)`,
      `STRUCT("it's" INTEGER, "ENUM('" ENUM, "b""ENUM(" DATE)`,
    ],
  ])('%#: of all that refuse it', async (type, written) => {
    expect(publicType(type)).toBe(written);
    const of = await tableOf(`enum ${written.length}`, type);
    for (const [option, code, use] of uses) {
      const found = await told({ ...of, ...use });
      // An enum alone is a fine group and a fine unit.
      const fine = written === 'ENUM' && (option === 'groupBy' || option === 'unit');
      expect([option, found.code]).toEqual([option, fine ? 'none' : code]);
      expect(found.all).not.toMatch(/secret/);
      if (!fine)
        expect([found.type, found.all]).toEqual([written, expect.stringContaining(`has the type ${written},`)]);
    }
    const where = await told({ ...of, where: 'y' });
    expect([where.code, where.all]).toEqual(['where_invalid', expect.not.stringMatching(/secret/)]);
  });

  it('and of a type with a name', async () => {
    const file = inDirectory('named.duckdb');
    await duckdb(`CREATE TYPE mood AS ${ofEnum}; CREATE TABLE t (x INTEGER, y mood)`, file);
    expect((await told({ file, table: 't', column: 'y' })).all).not.toMatch(/secret/);
  });
});

it('what an enum holds decides nothing: its values may be names of types', async () => {
  for (const [i, type] of ["ENUM('JSON', 'STRUCT(')", "ENUM('a', 'b')"].entries()) {
    const of = await tableOf(`names of types ${i}`, type);
    expect(await tally({ ...of, where: "coalesce(y::VARCHAR, 'c') = 'c'" })).toBe('1:1');
    expect(await told({ ...of, where: 'y.a = 1' })).toMatchObject({ code: 'where_invalid' });
  }
});

describe('what has parts of its own is refused before it is read', () => {
  it.each([
    'DECIMAL(5,2)[]',
    'DECIMAL(5,0)[]',
    'DECIMAL(5,2)[3]',
    'DECIMAL(5,2)[][]',
    'INTEGER[]',
    'INTEGER[3]',
    'DATE[]',
    "ENUM('a')[]",
    'STRUCT(a DECIMAL(5,2))',
    'STRUCT(a INTEGER)[]',
    'MAP(INTEGER, DECIMAL(5,2))',
    'UNION(a INTEGER, b DECIMAL(5,2))',
  ])('%s, by whichever option', async (type) => {
    const of = await tableOf(`nested ${type.replaceAll(/\W/g, '_')}`, type);
    for (const [option, code, use] of uses) {
      const found = await told({ ...of, ...use });
      expect([option, found.code]).toEqual([option, code]);
      expect(found.all).toContain(`The column y has the type ${publicType(type)}, `);
      expect(found.all).not.toMatch(/epoch/);
    }
  });

  it.each(['DECIMAL(5,2)', 'DECIMAL(38,0)', 'HUGEINT', 'FLOAT'])('%s has none', async (type) => {
    const of = await tableOf(`plain ${type.replaceAll(/\W/g, '_')}`, type);
    for (const [option, , use] of uses)
      expect([option, (await told({ ...of, ...use })).code]).toEqual([option, 'none']);
  });
});
