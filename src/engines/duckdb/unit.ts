import { randomBytes } from 'node:crypto';
import { text } from './sql.js';

/**
 * At most `maxRows` rows of each unit, chosen by a hash of their content and a salt that is fresh for every release.
 * Only the value and the unit of a row matter, so rows that agree in both may stand for each other: they are numbered
 * among themselves, and what is chosen does not depend on the order in which rows are stored. Rows without a unit or a number are out before.
 */
export function chosenSql(rows: string, maxRows: number, salt = randomBytes(16).toString('hex')): string {
  return `SELECT value FROM (
    SELECT value, row_number() OVER (PARTITION BY unit ORDER BY hash(hash(${text(salt)}, unit, value, copy)), value, copy) AS place FROM (
      SELECT value, unit, row_number() OVER (PARTITION BY unit, value) AS copy FROM (${rows}) WHERE unit IS NOT NULL AND value IS NOT NULL AND NOT isnan(value)))
    WHERE place <= ${maxRows}`;
}
