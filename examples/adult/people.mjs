// The rows of Adult (UCI Machine Learning Repository, Kohavi and Becker 1996) as numbers. Scales, categories and the two
// parts are public: taken from the form that people filled in and from the hash of a row, never from what the rows say
// together. Each row is mapped by itself, so that one person more or less is one record more or less.
import { createHash } from 'node:crypto';

const within = (low, high) => (x) => Math.min(Math.max(x, low), high) || 0; // NaN counts as 0
const centred = (middle, width) => (x) => within(-1, 1)((x - middle) / width);
const logarithmic = (most) => (x) => within(0, 1)(Math.log1p(x) / Math.log1p(most));

/** Columns that hold numbers, and their maps to [-1, 1]. Earnings rise until the middle of a working life and fall after. */
const numbers = [
  [0, centred(45, 45)],
  [0, (age) => within(0, 1)(Math.abs(age - 47) / 45)],
  [4, centred(9, 7)],
  [10, logarithmic(100_000)],
  [11, logarithmic(5_000)],
  [12, centred(40, 40)],
];

/** Columns that hold words. A word that is not listed, such as ? for a missing one, is none of them. */
const words = [
  [1, 'Private,Self-emp-not-inc,Self-emp-inc,Federal-gov,Local-gov,State-gov,Without-pay,Never-worked'],
  [5, 'Married-civ-spouse,Divorced,Never-married,Separated,Widowed,Married-spouse-absent,Married-AF-spouse'],
  [
    6,
    'Tech-support,Craft-repair,Other-service,Sales,Exec-managerial,Prof-specialty,Handlers-cleaners,Machine-op-inspct,' +
      'Adm-clerical,Farming-fishing,Transport-moving,Priv-house-serv,Protective-serv,Armed-Forces',
  ],
  [7, 'Wife,Own-child,Husband,Not-in-family,Other-relative,Unmarried'],
  [9, 'Female'],
].map(([column, list]) => [column, list.split(',')]);

/** The number of features: the constant, the numbers, and one for each listed word. */
export const width = words.reduce((sum, [, list]) => sum + list.length, 1 + numbers.length);

/** One row as features in [-1, 1] and a label, 1 for an income above 50,000; undefined for a line that is no row. */
export function person(line) {
  const cells = line.split(',').map((cell) => cell.trim());
  const label = { '<=50K': 0, '>50K': 1 }[cells[14]?.replace(/\.$/, '')];
  if (cells.length !== 15 || label === undefined) return undefined;
  const measured = numbers.map(([column, map]) => map(Number(cells[column])));
  const named = words.flatMap(([column, list]) => list.map((word) => (cells[column] === word ? 1 : 0)));
  return { features: [1, ...measured, ...named], label };
}

/** Records one after the other, of each only what is not 0: most of the listed words are not in a row. */
export function datasetOf(records, features = width) {
  const [starts, columns, values] = [[0], [], []];
  for (const record of records) {
    record.features.forEach((x, j) => {
      if (x === 0) return;
      columns.push(j);
      values.push(x);
    });
    starts.push(columns.length);
  }
  return {
    width: features,
    starts: Uint32Array.from(starts),
    columns: Uint16Array.from(columns),
    values: Float64Array.from(values),
    labels: Uint8Array.from(records, ({ label }) => label),
  };
}

/** Whether a row belongs to the validation part, about a quarter of all. It is told by the row alone. */
export const validates = (line) => createHash('sha256').update(line.trim()).digest()[0] < 64;

/** The records of a file. */
export const recordsOf = (lines) => lines.map(person).filter((record) => record !== undefined);

/** The text of a file as two parts that share no person. */
export function partsOf(text) {
  const [training, validation] = [[], []];
  for (const line of text.split('\n')) (validates(line) ? validation : training).push(line);
  return { training: datasetOf(recordsOf(training)), validation: datasetOf(recordsOf(validation)) };
}
