import { describe, expect, it } from 'vitest';
import { createLattice } from '../../src/index.js';
import { counted, recordsOf } from '../../src/ranks/counted.js';

const size = 3;
const lattice = createLattice([0, size - 1], 1);
const values = [0, 1, 2, null];
const counts = [null, -1, 0, 0.5, 1, 2, 3.5];

type Row = readonly [value: number | null, count: number | null];

/** How many records a column of counts stands for. */
type Rule = (counts: readonly (number | null)[]) => number[];

/** All lists of up to two rows. */
function* dataSets(): Generator<Row[]> {
  const rows = values.flatMap((value) => counts.map((count): Row => [value, count]));
  yield [];
  for (const row of rows) yield [row];
  for (const row of rows) for (const other of rows) yield [row, other];
}

/** The counts of all points, nulls dropped or not. */
async function records(rows: readonly Row[], rule: Rule, nulls: 'drop' | 'lower'): Promise<number[]> {
  const source = counted(
    rows.map(([value]) => value),
    rule(rows.map(([, count]) => count)),
  );
  return [...(await (await source.open({ lattice, nulls })).coarse(0, 0, size)).counts];
}

/**
 * Adds one unit to the count of one row, or of a row that is new, and returns by how many records the data sets that
 * the rule makes of them differ at the most.
 */
async function largestChange(rule: Rule): Promise<number> {
  let largest = 0;
  for (const nulls of ['drop', 'lower'] as const)
    for (const rows of dataSets()) {
      const before = await records(rows, rule, nulls);
      const grown = [
        ...rows.flatMap(([value, count], i) => (count === null ? [] : [rows.with(i, [value, count + 1])])),
        ...values.map((value): Row[] => [...rows, [value, 1]]),
      ];
      for (const more of grown) {
        const after = await records(more, rule, nulls);
        const change = after.reduce((sum, count, i) => sum + Math.abs(count - before[i]), 0);
        largest = Math.max(largest, change);
      }
    }
  return largest;
}

describe('one unit of count', () => {
  it('is one record at most, and is one', async () => {
    expect(await largestChange((counts) => counts.map(recordsOf))).toBe(1);
  });

  it.each<[string, Rule]>([
    ['looks at the sum of all', (counts) => counts.map((c) => Math.min(recordsOf(c), 5 - counts.length))],
    ['gives all rows the largest count', (counts) => counts.map(() => Math.max(0, ...counts.map(recordsOf)))],
    ['rounds a fraction to the nearest even', (counts) => counts.map((c) => 2 * Math.round(recordsOf(c) / 2))],
  ])('is more under a rule that %s', async (_, rule) => {
    expect(await largestChange(rule)).toBeGreaterThan(1);
  });
});
