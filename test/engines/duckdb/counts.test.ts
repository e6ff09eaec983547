import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DuckDBOptions, openDuckDB } from '../../../src/engines/duckdb/index.js';
import { createLattice, quantiles } from '../../../src/index.js';
import { recordsOf } from '../../../src/ranks/counted.js';
import { duckdb, fineOf, hundred, inDirectory, naiveCoarse, naiveFine, refusal, tally, write } from './helpers.js';

const hostile = [null, Number.NaN, -1, -Infinity, -0, 0, 0.999, 1, 1.5, 2, 3.999];

/** A DuckDB database with a table `t` of the rows (x, n). */
async function tableOf(name: string, rows: readonly (readonly [number | null, number | null])[], type = 'DOUBLE') {
  const file = inDirectory(name);
  const literal = (x: number | null) => (x === null ? 'NULL' : `'${x}'`);
  const values = rows.map(([x, n]) => `(${literal(x)}::DOUBLE, ${literal(n)}::${type})`);
  await duckdb(`CREATE TABLE t AS SELECT * FROM (VALUES ${values.join(', ')}) v(x, n)`, file);
  return { file, table: 't', column: 'x', counts: 'n' };
}

describe('a row stands for as many records as its count says', () => {
  it('in counts of every kind, as if each row were repeated', async () => {
    const row = fc.tuple(
      fc.oneof(fc.integer({ min: -3, max: 103 }), fc.constantFrom(null, Number.NaN, Infinity, 49.5)),
      fc.constantFrom(...hostile, 2, 3),
    );
    let name = 0;
    for (const rows of fc.sample(fc.array(row, { minLength: 1, maxLength: 40 }), { numRuns: 8, seed: 1 })) {
      await using source = await openDuckDB(await tableOf(`counted-${name++}.duckdb`, rows));
      for (const nulls of ['drop', 'lower'] as const) {
        const indices = rows.flatMap(([x, n]) => {
          const index = x === null || Number.isNaN(x) ? (nulls === 'drop' ? -1 : 0) : Math.round(x);
          return index === -1 && !x ? [] : Array<number>(recordsOf(n)).fill(Math.min(100, Math.max(0, index)));
        });
        const view = await source.open({ lattice: hundred, nulls });
        expect(await view.coarse(0, 0, 101)).toEqual(naiveCoarse(indices, 0, 0, 101));
        expect(await view.coarse(2, 3, 9)).toEqual(naiveCoarse(indices, 2, 3, 9));
        for (const bins of [[0], [0, 1, 2, 3], [1, 2], [1, 3]])
          expect(await fineOf(view, 2, { shift: 5, bins })).toEqual(naiveFine(indices, 2, { shift: 5, bins }));
        expect(await fineOf(view, 0, { shift: 7, bins: [0] })).toEqual(naiveFine(indices, 0, { shift: 7, bins: [0] }));
        await view.close();
      }
    }
  });

  it.each(['add-remove', 'swap'] as const)('in a seeded release under %s', async (relation) => {
    const rows = Array.from({ length: 60 }, (_, i) => [i % 7 === 0 ? null : i, (i * 31) % 11] as const);
    await using source = await openDuckDB(await tableOf(`release-${relation}.duckdb`, rows, 'INTEGER'));
    const repeated = rows.flatMap(([x, n]) => Array<number | null>(n).fill(x));
    const options = { quantiles: 'deciles', bounds: [0, 100], step: 1, epsilon: 1, relation, unsafeSeed: 5 } as const;
    const expected = await quantiles(repeated, options);
    const guarantee = { ...expected.guarantee, unit: 'count' };
    expect(await quantiles(source, options)).toEqual({ ...expected, guarantee });
  });

  it.each(['TINYINT', 'BIGINT', 'HUGEINT', 'DECIMAL(9,2)', 'FLOAT'])('of type %s', async (type) => {
    const of = await tableOf(`${type}.duckdb`, [
      [1, 2],
      [1, 3],
      [2, -1],
      [3, null],
    ]);
    await duckdb(`CREATE OR REPLACE TABLE t AS SELECT x, n::${type} AS n FROM t`, of.file);
    expect(await tally(of)).toBe('1:5');
  });

  it('up to the cap, and sums of them are exact', async () => {
    const many = [2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 63, 1e300, Infinity].map((n, i) => [i, n] as const);
    expect(await tally(await tableOf('cap.duckdb', many))).toBe(
      `0:${2 ** 32 - 1} ${[1, 2, 3, 4, 5].map((i) => `${i}:${2 ** 32}`).join(' ')}`,
    );
    const equal = Array.from({ length: 2 ** 12 }, (_, i) => [7, 2 ** 32 - (i % 2)] as const);
    expect(await tally(await tableOf('sum.duckdb', equal))).toBe(`7:${2 ** 44 - 2 ** 11}`);
  });

  it('in text files, where what is no number is 0', async () => {
    const lines = ['1,2', '2,two', '3,', '4,1e1', '5,-3', '6,2.9', ',4', 'x,1', '7,nan', '8,1,1', '"9","3"'];
    const file = write('counts.csv', `x,n\n${lines.join('\n')}\n`);
    expect(await tally({ file, column: 'x', counts: 'n' })).toBe('1:2 4:10 6:2 9:3');
    expect(await tally({ file, column: 'x', counts: 'n' }, 'lower')).toBe('0:5 1:2 4:10 6:2 9:3');
    const json = write('counts.ndjson', '{"x":1,"n":2}\n{"x":2,"n":"3"}\n{"x":3,"n":true}\n{"x":4}\n{"x":5,"n":[9]}\n');
    expect(await tally({ file: json, column: 'x', counts: 'n' })).toBe('1:2 2:3');
  });

  it('after a filter over other columns', async () => {
    const file = write('filter.csv', 'x,n,k\n1,2,a\n2,3,b\n');
    expect(await tally({ file, column: 'x', counts: 'n', where: "k = 'b'" })).toBe('2:3');
  });
});

it('is accurate where one row holds most of the records', async () => {
  await using source = await openDuckDB(
    await tableOf('heavy.duckdb', [
      [10, 5],
      [40, 1e6],
      [90, 5],
    ]),
  );
  const { values } = await quantiles(source, { quantiles: 'quartiles', bounds: [0, 100], step: 1, epsilon: 1 });
  expect(values).toEqual([40, 40, 40]);
});

describe('what would let one unit of count change more than one record is refused before rows are read', () => {
  const file = write('refused.csv', 'x,n,N\n1,2,3\n');
  it.each([
    ['the values as counts', { counts: 'x' }, 'option_invalid'],
    ['a unit', { counts: 'n', unit: { column: 'x', maxRows: 1 } }, 'option_invalid'],
    ['a condition on the count', { counts: 'n', where: "x = '1' and n::INT > 3" }, 'where_invalid'],
    ['names that SQL does not tell apart', { counts: 'n', where: '"N" = 3' }, 'where_invalid'],
    ['a missing column', { counts: 'm' }, 'column_not_found'],
  ])('%s', async (_, options, code) => {
    expect(await refusal(openDuckDB({ file, column: 'x', ...options }))).toMatchObject({ code });
  });

  it('counts that are not numeric in a typed source, in any spelling of the condition', async () => {
    const typed = inDirectory('typed.parquet');
    await duckdb(`COPY (SELECT 1 AS x, 2 AS n, '3' AS s) TO '${typed}' (FORMAT parquet)`);
    const refused = refusal(openDuckDB({ file: typed, column: 'x', counts: 's' }));
    expect(await refused).toMatchObject({ code: 'type_not_numeric', message: expect.stringContaining('column s') });
    for (const where of ['N > 1', '"n" > 1', 'x > 0 or abs(N) > 1'])
      expect(await refusal(openDuckDB({ file: typed, column: 'x', counts: 'n', where }))).toMatchObject({
        code: 'where_invalid',
      });
  });
});

it('a lattice finer than the values finds the few points that hold all', async () => {
  await using source = await openDuckDB(
    await tableOf('points.duckdb', [
      [0.25, 4],
      [0.75, 2 ** 20],
    ]),
  );
  const lattice = createLattice([0, 1]);
  const view = await source.open({ lattice, nulls: 'drop' });
  const { counts, only } = await view.fine(30, { shift: 40, bins: [0] });
  expect([...counts]).toEqual([4, 2 ** 20]);
  expect([...only!].map(lattice.value)).toEqual([0.25, 0.75]);
});

describe('nothing but the number of records depends on a count', () => {
  const refused = (options: DuckDBOptions) =>
    openDuckDB(options).then(
      () => 'opened',
      (error) => error.code,
    );

  it.each(['unnamed_subquery.n::INT > 3', '"UNNAMED_SUBQUERY".n::INT > 3', 'source_row.n::INT > 3', 'x.n::INT > 3'])(
    'a condition %s cannot reach it by another name, in JSON or in a column with parts',
    async (where) => {
      const file = write('rows.ndjson', '{"x": 25, "n": 1000}\n');
      expect(await refused({ file, column: 'x', counts: 'n', where })).toBe('where_invalid');
      const of = await tableOf(`parts-${where.replaceAll(/\W/g, '')}.duckdb`, [[1, 2]]);
      const struct = "{'n': 5} AS unnamed_subquery, {'n': 5} AS source_row";
      await duckdb(`CREATE OR REPLACE TABLE t AS SELECT x, n, ${struct} FROM t`, of.file);
      const found = await refused({ ...of, where });
      // A part of a column with parts is that, and not the count.
      expect(found).toBe(where.startsWith('x.') ? 'where_invalid' : 'opened');
      await using source = await openDuckDB({ ...of, where: where.startsWith('x.') ? 'true' : where });
      expect(source.unit).toBe('count');
    },
  );

  it('a column that the database generates from it is not read, whatever for', async () => {
    const of = await tableOf('generated.duckdb', [[1, 2]]);
    await duckdb('CREATE TABLE g (x INT, n INT DEFAULT 3, w DOUBLE GENERATED ALWAYS AS (n * 0.5))', of.file);
    const table = { ...of, table: 'g' };
    expect(await refused(table)).toBe('opened');
    expect(await refused({ ...table, column: 'w' })).toBe('column_not_found');
    expect(await refused({ ...table, groupBy: 'w' })).toBe('column_not_found');
    expect(await refused({ ...table, where: 'w > 50' })).toBe('column_not_found');
    expect(await refused({ ...table, counts: 'w' })).toBe('column_not_found');
  });
});
