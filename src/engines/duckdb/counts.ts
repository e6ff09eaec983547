import { mostRecords } from '../../ranks/counted.js';
import { double } from './sql.js';

/**
 * Rows of counted data: from SQL for rows with a DOUBLE `amount`, the rows that stand for at least one record, with the
 * number of records as a BIGINT `amount`, which sums exactly. The rule is that of {@link recordsOf}, letter by letter; it
 * looks at the row alone and cannot fail. NaN is greater than infinity in DuckDB.
 */
export function countedSql(rows: string): string {
  const most = double(mostRecords);
  const infinity = double(Number.POSITIVE_INFINITY);
  const records = `CASE WHEN amount >= ${most} AND amount <= ${infinity} THEN ${mostRecords}::BIGINT
    WHEN amount >= ${double(1)} AND amount < ${most} THEN TRY_CAST(floor(amount) AS BIGINT) ELSE 0::BIGINT END`;
  return `SELECT * FROM (SELECT * REPLACE (${records} AS amount) FROM (${rows})) WHERE amount > 0`;
}
