import { unreadable } from './blocks.js';
import { identifier, text } from './sql.js';

/** How a line of text becomes the fields of a row. */
export type RecordFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'csv';
      readonly delimiter: string;
      /** Empty for none. */
      readonly quote: string;
      /** The header; undefined where the file has none. */
      readonly columns: readonly string[] | undefined;
    };

/** One row a line of the parameter `$1`, with these columns as VARCHAR. */
export function recordsSql(format: RecordFormat, columns: readonly string[]): string {
  const lines = `SELECT unnest(string_split($1, chr(10))) AS line`;
  return format.kind === 'json' ? jsonSql(columns, lines) : csvSql(format, columns, lines);
}

function jsonSql(columns: readonly string[], lines: string): string {
  const sound = `json_valid(line) AND NOT contains(line, ${text(unreadable)})`;
  const member = (name: string) => text(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const fields = columns.map(
    (name) => `CASE WHEN sound THEN json_extract_string(line, ${member(name)}) END AS ${identifier(name)}`,
  );
  return `SELECT ${fields.join(', ')} FROM (SELECT line, ${sound} AS sound FROM (${lines}) WHERE trim(line, ${space}) <> '')`;
}

const space = `chr(32) || chr(9) || chr(13)`;

type CsvFormat = Extract<RecordFormat, { kind: 'csv' }>;

/** A row that has not just the fields of the header, or that breaks the rules of quoting, is a row of nulls. */
function csvSql(format: CsvFormat, columns: readonly string[], lines: string): string {
  const { quote } = format;
  const sound = `NOT contains(line, ${text(unreadable)})${format.columns ? ` AND len(fields) = ${format.columns.length}` : ''}`;
  const field = (name: string) => {
    const place = format.columns ? format.columns.indexOf(name) : positionOf(name)!;
    const raw = `fields[${place + 1}]`;
    const plain =
      quote === '' ? raw : `CASE WHEN starts_with(${raw}, ${text(quote)}) THEN ${unquoted(raw, quote)} ELSE ${raw} END`;
    return `CASE WHEN sound THEN nullif(${plain}, '') END AS ${identifier(name)}`;
  };
  return `SELECT ${columns.map(field).join(', ')} FROM (SELECT fields, ${sound} AS sound FROM (
    SELECT line, ${fieldsSql(format)} AS fields FROM (SELECT rtrim(line, chr(13)) AS line FROM (${lines}))))`;
}

/** The fields of `line` as they stand there; null where its quotes are broken. */
export function fieldsSql({ delimiter, quote }: Pick<CsvFormat, 'delimiter' | 'quote'>): string {
  const split = `string_split(line, ${text(delimiter)})`;
  if (quote === '') return split;
  const [q, d] = [quote, delimiter].map((c) => `\\x{${c.codePointAt(0)!.toString(16)}}`);
  const all = `regexp_extract_all(line || ${text(delimiter)}, ${text(`(${q}(?:[^${q}]|${q}${q})*${q}|[^${q}${d}]*)${d}`)}`;
  const whole = `array_to_string(${all}), '') = line || ${text(delimiter)}`;
  return `CASE WHEN NOT contains(line, ${text(quote)}) THEN ${split} WHEN ${whole} THEN ${all}, 1) END`;
}

export function unquoted(field: string, quote: string): string {
  return `replace(substr(${field}, 2, len(${field}) - 2), ${text(quote + quote)}, ${text(quote)})`;
}

/** The place of `column0`, `column1`, …, the names where there is no header. */
export function positionOf(name: string): number | undefined {
  const digits = /^column(0|[1-9]\d{0,3})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
