import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDuckDB } from '../../../src/engines/duckdb/index.js';
import { createLattice, type Lattice } from '../../../src/lattice/lattice.js';
import {
  duckdb,
  fineOf,
  hundred,
  inDirectory,
  indicesOf,
  naiveCoarse,
  naiveFine,
  parquetOf,
  tally,
} from './helpers.js';

const special = [
  0,
  -0,
  5e-324,
  -5e-324,
  1e-310,
  1e308,
  -1e308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Infinity,
  -Infinity,
];
const halves = [0.5, 1.5, 2.5, 0.49999999999999994, 99.5, 100.49999999999999, 100.5, -0.5, -0.50000000000000011];

const lattices: [string, Lattice][] = [
  ['integers', hundred],
  ['tenths', createLattice([-3, 7], 0.1)],
  ['thirds of nothing', createLattice([-0.7, 0.9], 0.0003)],
  ['2^40 points', createLattice([-100, 100])],
  ['nearly 2^53 points', createLattice([-1, 0.9], 2 ** -52)],
  ['huge', createLattice([-8e307, 8e307], 1e300)],
  ['subnormal', createLattice([0, 1e-300], 1e-310)],
  ['two points', createLattice([0, 1], 1)],
];

/** Values that fall on, beside and far from the points of a lattice. */
function valuesOn(lattice: Lattice): fc.Arbitrary<number | null> {
  const at = fc.maxSafeNat().map((k) => lattice.value(k % lattice.size));
  return fc.oneof(
    { weight: 4, arbitrary: at },
    {
      weight: 4,
      arbitrary: fc.tuple(at, fc.double({ min: -1, max: 1, noNaN: true })).map(([x, d]) => x + d * lattice.step),
    },
    { weight: 2, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.constantFrom(...special, ...halves, Number.NaN, null) },
  );
}

describe('counts in DuckDB are those of latticeIndex, record by record', () => {
  it.each(lattices)('on a lattice of %s', async (name, lattice) => {
    // Once with records all over the doubles, and once with none that is clamped.
    const inside = fc
      .sample(valuesOn(lattice), { numRuns: 200, seed: 1 })
      .filter((x) => x === null || (x >= lattice.lower && x <= lattice.upper));
    const all = [...fc.sample(valuesOn(lattice), { numRuns: 200, seed: 2 }), ...special, ...halves];
    for (const [kind, values] of Object.entries({ inside, all })) {
      const source = await openDuckDB({ file: await parquetOf(`${name}-${kind}.parquet`, values), column: 'x' });
      for (const nulls of ['drop', 'lower'] as const) {
        const indices = indicesOf(lattice, values, nulls);
        const view = await source.open({ lattice, nulls });
        const top = Math.ceil(Math.log2(lattice.size));
        const requests = fc.record({
          shift: fc.integer({ min: 0, max: top }),
          at: fc.nat(199),
          bins: fc.integer({ min: 1, max: 300 }),
          lead: fc.nat(3),
        });
        for (const { shift, at, bins, lead } of fc.sample(requests, { numRuns: 8, seed: 3 })) {
          const bin = Math.floor(indices[at % indices.length] / 2 ** shift);
          const first = Math.max(0, bin - lead);
          expect(await view.coarse(shift, first, bins)).toEqual(naiveCoarse(indices, shift, first, bins));
          const some = [
            ...new Set(indices.filter((_, i) => i % 7 === at % 7).map((index) => Math.floor(index / 2 ** shift))),
          ];
          const within = { shift, bins: some.sort((a, b) => a - b) };
          const finer = Math.floor((shift * lead) / 3);
          expect(await fineOf(view, finer, within)).toEqual(naiveFine(indices, finer, within));
          expect(await fineOf(view, 0, { shift, bins: [bin] })).toEqual(naiveFine(indices, 0, { shift, bins: [bin] }));
        }
        await view.close();
      }
      await source.close();
    }
  });
});

it('counts 65536 bins with records on both sides of them', async () => {
  const lattice = createLattice([0, 200_000], 1);
  const values = [0, 9, 10, 11, 50_000, 65_543, 65_544, 65_545, 65_546, 200_000];
  const source = await openDuckDB({ file: await parquetOf('sides.parquet', values), column: 'x' });
  const view = await source.open({ lattice, nulls: 'drop' });
  expect(await view.coarse(0, 10, 65_536)).toEqual(naiveCoarse(values, 0, 10, 65_536));
  expect(await view.coarse(0, 0, 65_536)).toEqual(naiveCoarse(values, 0, 0, 65_536));
  await source.close();
});

it('takes thousands of bins at once', async () => {
  const values = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 20_000);
  const lattice = createLattice([0, 20_000], 1);
  const source = await openDuckDB({ file: await parquetOf('many.parquet', values), column: 'x' });
  const view = await source.open({ lattice, nulls: 'drop' });
  const within = { shift: 1, bins: Array.from({ length: 5000 }, (_, i) => 2 * i) };
  expect(await fineOf(view, 0, within)).toEqual(naiveFine(values, 0, within));
  expect(await fineOf(view, 0, { shift: 1, bins: [] })).toEqual([]);
  await source.close();
});

it('hints at a range that holds all records', async () => {
  const source = await openDuckDB({ file: await parquetOf('hint.parquet', [3, null, 14, Number.NaN, 9]), column: 'x' });
  const view = await source.open({ lattice: hundred, nulls: 'drop' });
  expect(await view.hint(0.4, 0.6)).toEqual({ first: 3, last: 14 });
  await source.close();
});

describe('odd columns are counted like any other', () => {
  it.each([
    ['no rows', [], '', ''],
    ['nulls only', [null, null], '', '0:2'],
    ['NaN only', [Number.NaN], '', '0:1'],
    ['one row', [7], '7:1', '7:1'],
    ['infinities', [Infinity, -Infinity, null], '0:1 100:1', '0:2 100:1'],
    ['one value', [5, 5, 5], '5:3', '5:3'],
    ['all outside', [-5, 1e300], '0:1 100:1', '0:1 100:1'],
  ])('%s', async (name, values, dropped, lowered) => {
    const file = await parquetOf(`odd ${name}.parquet`, values);
    expect(await tally({ file, column: 'x' })).toBe(dropped);
    expect(await tally({ file, column: 'x' }, 'lower')).toBe(lowered);
  });

  it('NaN that a file’s statistics do not tell of', async () => {
    const file = inDirectory('hidden-nan.parquet');
    await duckdb(
      `COPY (SELECT range::DOUBLE AS x FROM range(100)) TO '${file}' (FORMAT parquet, COMPRESSION uncompressed)`,
    );
    const bytes = readFileSync(file);
    const fifty = Buffer.alloc(8);
    fifty.writeDoubleLE(50);
    bytes.writeDoubleLE(Number.NaN, bytes.indexOf(fifty));
    writeFileSync(file, bytes);
    const others = Array.from({ length: 100 }, (_, i) => i).filter((i) => i !== 50);
    expect(await tally({ file, column: 'x' })).toBe(others.map((i) => `${i}:1`).join(' '));
    expect(await tally({ file, column: 'x' }, 'lower')).toBe(others.map((i) => `${i}:${i === 0 ? 2 : 1}`).join(' '));
  });
});
