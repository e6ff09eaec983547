import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);

/** The cells of a table of the page by the names of their columns. */
type Row = Readonly<Record<string, string>>;
interface Table {
  readonly heading: string;
  /** The first names the row. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** A column may have the same name as one before it: `edge` under either relation. */
const numbered = (names: readonly string[]) =>
  names.map((name, i) => (names.indexOf(name) < i ? `${name} again` : name));

function tablesOf(page: string): Table[] {
  return page.split(/^#+ /m).flatMap((section) =>
    [...section.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => {
      const [head, , ...body] = table
        .trim()
        .split('\n')
        .map((line) =>
          line
            .slice(2, -1)
            .split('|')
            .map((cell) => cell.trim()),
        );
      const columns = numbered(head!);
      const rows = body.map((cells) => Object.fromEntries(columns.map((column, i) => [column, cells[i]!])));
      return { heading: section.slice(0, section.search(/[:\n]/)), columns, rows };
    }),
  );
}

/** The rows of a figure's CSV. */
function csv(name: string): Row[] {
  const [columns, ...rows] = readFileSync(new URL(`figures/${name}.csv`, docs), 'utf8')
    .trim()
    .split('\n')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain!));
  return rows.map((cells) => Object.fromEntries(columns!.map((column, i) => [column, cells[i]!])));
}

/** The number in the CSV: that of the one row with these values. */
function lookUp(figure: string, which: Row, column: string): string {
  const found = csv(figure).filter((row) => Object.entries(which).every(([key, value]) => row[key] === value));
  expect(found, `${figure}: ${JSON.stringify(which)}`).toHaveLength(1);
  return found[0]![column]!;
}

const plain = (number: string) => number.replaceAll(',', '');
const gaussian = (figure: string, value: string) => (row: Row, method: string) =>
  lookUp(figure, { data: 'Gaussian, sd 5', method, m: row.quantiles! }, value);

const trees: Row = { binary: 'binary (AQ)', edge: 'K-ary (edge-based)', conditional: 'K-ary (conditional)' };
/** Where the numbers of each table are, by the heading above it. */
const places: Readonly<Record<string, (row: Row, column: string) => string>> = {
  'Missed points': (row, method) => lookUp('missed-points-epsilon-1', { data: row.data!, method, m: '29' }, 'missed'),
  'At epsilon 0.1': gaussian('missed-points-epsilon-0.1', 'missed'),
  Distance: gaussian('distance-epsilon-1', 'distance'),
  'Up to 120 quantiles': (row, column) => {
    const [method, relation] = column.split(', ') as [string, string];
    const figure = `missed-points-epsilon-1${relation === 'swap' ? '' : `-${relation}`}-to-120`;
    return lookUp(figure, { data: 'Gaussian, sd 5', method, m: row.quantiles! }, 'missed');
  },
  'Binary or K-ary': (row, column) => {
    const relation = /swap|again/.test(column) ? 'swap' : 'add-remove';
    const tree = trees[column.split(/\W/)[0]!];
    const data = `${row.data === 'Gaussian' ? 'Gaussian, sd 1' : row.data}, epsilon ${row.epsilon}`;
    return lookUp(`k-ary-${relation}`, { data, tree, m: row.quantiles! }, 'maxGap');
  },
  Time: (row, method) =>
    row.quantiles === '30'
      ? lookUp('time-records', { method, n: plain(row.records!) }, 'ms')
      : lookUp('time-quantiles', { method, data: `n = ${row.records}`, m: row.quantiles! }, 'ms'),
  Ties: (row, column) => {
    const m = column === 'plain ranks' ? '9' : column === 'plain ranks again' ? '19' : column.split(' ')[0]!;
    const ranked = row['plain ranks'] !== '';
    const data = column.startsWith('plain') ? 'plain ranks' : ranked ? 'interpolated ranks' : 'no ranks';
    return lookUp('ties', { data, method: row.method!, m }, 'error');
  },
  'Wrong priors': (row, column) => {
    const method = column.startsWith('bounds') ? column : `cauchy, ${column}`;
    return lookUp('unbounded', { data: `n = ${row.n}`, method, factor: plain(row['wrong by']!) }, 'missed');
  },
  Tuning: (row, column) => {
    if (column.startsWith('a run')) return lookUp('tuning', { total: 'epsilon 1', way: row.way! }, 'epsilon of a run');
    const which = { total: column, way: row.way! };
    return lookUp('tuning', which, 'accuracy') || lookUp('tuning', which, 'note');
  },
};
/** Columns that say which row it is. */
const keys = ['data', 'quantiles', 'epsilon', 'records', 'method', 'n', 'wrong by', 'way'];

const tables = tablesOf(readFileSync(new URL('figures.md', docs), 'utf8'));

it('the tables are those whose numbers can be found', () => {
  expect(tables.map(({ heading }) => heading)).toEqual(Object.keys(places));
});

it.each(tables)('the table of $heading says what the CSV says, as rounded', ({ heading, columns, rows }) => {
  for (const row of rows)
    for (const column of columns.filter((name) => !keys.includes(name) && row[name] !== '')) {
      const [cell, there] = [row[column]!, places[heading]!(row, column)];
      const number = /^\d+\.?(\d*)$/.exec(cell);
      const agree = number
        ? Math.abs(Number(there) - Number(cell)) <= 0.5001 / 10 ** number[1]!.length
        : there === cell;
      expect(agree, `${Object.values(row)[0]}, ${column}: ${cell} is ${there}`).toBe(true);
    }
});
