import { describe, expect, it } from 'vitest';
import { startEngine } from '../../../src/engines/duckdb/engine.js';
import { openDuckDB } from '../../../src/engines/duckdb/index.js';
import { chosenSql } from '../../../src/engines/duckdb/unit.js';
import { duckdb, hundred, inDirectory, refusal, tally, write } from './helpers.js';

/** Chooses among rows in memory, with a salt that is no secret here. */
async function choose(
  rows: readonly (readonly [value: number | null, unit: string | null])[],
  maxRows: number,
  salt: string,
): Promise<string[]> {
  const engine = await startEngine();
  const values = rows.map(([value, unit]) => `(${value ?? 'NULL'}::DOUBLE, ${unit === null ? 'NULL' : `'${unit}'`})`);
  await engine.session.run(`CREATE TABLE t AS SELECT * FROM (VALUES ${values.join(', ')}) v(value, unit)`, undefined);
  const [chosen] = await engine.session.numbers(chosenSql('SELECT * FROM t', maxRows, salt), undefined);
  engine.close();
  return [...chosen].map(String).sort();
}

// Values tell their unit: unit u has 100u, 100u + 1, … with every third of them twice.
const rows = [1, 2, 3, 4].flatMap((unit) =>
  Array.from({ length: 3 * unit }, (_, i) => [100 * unit + (i % 3 === 2 ? i - 1 : i), String(unit)] as const),
);

describe('rows of a unit', () => {
  it('are at most so many, and all of them where there are no more', async () => {
    for (const maxRows of [1, 2, 5, 100]) {
      const chosen = await choose(rows, maxRows, 'salt');
      for (const unit of [1, 2, 3, 4])
        expect(chosen.filter((value) => value.startsWith(String(unit)))).toHaveLength(Math.min(maxRows, 3 * unit));
      const left = rows.map(([value]) => String(value));
      for (const value of chosen) {
        expect(left).toContain(value);
        left.splice(left.indexOf(value), 1);
      }
    }
  });

  it('are chosen by content: the order in which rows are stored changes nothing', async () => {
    const chosen = await choose(rows, 2, 'salt');
    const shuffled = rows.map((row, i) => [(i * 7919) % 101, row] as const).sort(([a], [b]) => a - b);
    expect(
      await choose(
        shuffled.map(([, row]) => row),
        2,
        'salt',
      ),
    ).toEqual(chosen);
    expect(await choose([...rows].reverse(), 2, 'salt')).toEqual(chosen);
  });

  it('do not depend on the rows of other units', async () => {
    const chosen = await choose(rows, 2, 'salt');
    const alone = await choose(
      rows.filter(([, unit]) => unit === '3'),
      2,
      'salt',
    );
    expect(chosen.filter((value) => value.startsWith('3'))).toEqual(alone);
  });

  it('are chosen evenly, whatever their values', async () => {
    const units = Array.from({ length: 400 }, (_, i) => [5, 5, 5, 9].map((value) => [value, `unit ${i}`] as const));
    const nines = (await choose(units.flat(), 1, 'salt')).filter((value) => value === '9').length;
    // A quarter of 400, give or take four standard deviations.
    expect(Math.abs(nines - 100)).toBeLessThan(35);
  });

  it('are chosen anew by another salt', async () => {
    expect(await choose(rows, 2, 'salt')).not.toEqual(await choose(rows, 2, 'another salt'));
  });
});

describe('a source with a unit', () => {
  it('drops rows without a unit and without a value, after the filter', async () => {
    const file = write('units.csv', 'x,u,k\n1,a,1\n2,a,0\n3,,1\n,b,1\n4,b,1\n5,c,0\n');
    const unit = { column: 'u', maxRows: 1 };
    expect(await tally({ file, column: 'x', unit, where: "k = '1'" })).toBe('1:1 4:1');
  });

  it.each(['VARCHAR', 'INTEGER', 'DOUBLE', 'UUID', 'DATE'])('takes units of type %s', async (type) => {
    const file = inDirectory('unit.parquet');
    const unit = {
      INTEGER: 'range % 3',
      DOUBLE: 'range % 3',
      VARCHAR: 'range % 3',
      UUID: 'md5((range % 3)::VARCHAR)',
      DATE: "DATE '2024-01-01' + (range % 3)::INT",
    }[type];
    await duckdb(`COPY (SELECT 7 AS x, (${unit})::${type} AS u FROM range(30)) TO '${file}' (FORMAT parquet)`);
    expect(await tally({ file, column: 'x', unit: { column: 'u', maxRows: 4 } })).toBe('7:12');
  });

  it('bounds the column itself, too', async () => {
    const file = write('self.csv', 'x\n1\n1\n2\n');
    expect(await tally({ file, column: 'x', unit: { column: 'x', maxRows: 1 } })).toBe('1:1 2:1');
  });

  it('shows all counts of a release the same choice, and the next release another', async () => {
    const file = inDirectory('choice.parquet');
    await duckdb(`COPY (SELECT range % 97 AS x, range % 10 AS u FROM range(970)) TO '${file}' (FORMAT parquet)`);
    await using source = await openDuckDB({ file, column: 'x', unit: { column: 'u', maxRows: 9 } });
    expect(source.unit).toEqual({ column: 'u', maxRows: 9 });
    const releases = [];
    for (let i = 0; i < 2; i++) {
      const view = await source.open({ lattice: hundred, nulls: 'drop' });
      const { counts } = await view.coarse(0, 0, 101);
      const fine = await view.fine(0, { shift: 7, bins: [0] });
      expect([...fine.bins].map((bin) => counts[bin])).toEqual([...fine.counts]);
      expect(fine.counts.reduce((a, b) => a + b)).toBe(90);
      releases.push([...counts].join());
      await view.close();
    }
    expect(releases[0]).not.toBe(releases[1]);
  });

  it('is refused under swap', async () => {
    await using source = await openDuckDB({
      file: write('swap.csv', 'x,u\n'),
      column: 'x',
      unit: { column: 'u', maxRows: 1 },
    });
    expect(await refusal(source.open({ lattice: hundred, nulls: 'lower' }))).toMatchObject({ code: 'unit_invalid' });
  });
});
