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

/** A quoted line is taken apart by a regular expression, whose repetitions are limited. */
export const maxQuotedColumns = 1000;

/** A row that has not just the fields of the header, or that breaks the rules of quoting, is a row of nulls. */
function csvSql(format: CsvFormat, columns: readonly string[], lines: string): string {
  const { delimiter, quote, columns: header } = format;
  const pattern = quotedPattern(delimiter, quote);
  const ifQuoted = (then: string, otherwise: string) =>
    quote === '' ? otherwise : `CASE WHEN contains(line, ${text(quote)}) THEN ${then} ELSE ${otherwise} END`;
  const split = `string_split(line, ${text(delimiter)})`;
  const rules = ifQuoted(
    `regexp_full_match(line, ${text(pattern.line(header?.length))})`,
    header ? `len(${split}) = ${header.length}` : 'true',
  );
  const field = (name: string) => {
    const place = header ? header.indexOf(name) : positionOf(name)!;
    return ifQuoted(
      unquoted(`regexp_extract(line, ${text(pattern.field(place))}, 1)`, quote),
      `${split}[${place + 1}]`,
    );
  };
  const sound = `NOT contains(line, ${text(unreadable)}) AND ${rules}`;
  const fields = columns.map((name) => `CASE WHEN sound THEN nullif(${field(name)}, '') END AS ${identifier(name)}`);
  return `SELECT ${fields.join(', ')} FROM (
    SELECT line, ${sound} AS sound FROM (SELECT rtrim(line, chr(13)) AS line FROM (${lines})))`;
}

/** Regular expressions for a line with quotes: a field is quoted as a whole or has none. */
function quotedPattern(delimiter: string, quote: string) {
  const [q, d] = [quote, delimiter].map((c) => (c === '' ? '' : `\\x{${c.codePointAt(0)!.toString(16)}}`));
  const field = `(?:${q}(?:[^${q}]|${q}${q})*${q}|[^${q}${d}]*)`;
  return {
    line: (fields: number | undefined) => `(?:${field}${d})${fields === undefined ? '*' : `{${fields - 1}}`}${field}`,
    field: (place: number) => `^(?:${field}${d}){${place}}(${field})(?:${d}|$)`,
  };
}

function unquoted(field: string, quote: string): string {
  return `CASE WHEN starts_with(${field}, ${text(quote)}) THEN replace(substr(${field}, 2, len(${field}) - 2), ${text(quote + quote)}, ${text(quote)}) ELSE ${field} END`;
}

/** The fields of a header by the rules of the rows, or undefined where its quotes are broken. */
export function headerFields(line: string, delimiter: string, quote: string): string[] | undefined {
  if (quote === '') return line.split(delimiter);
  const [q, d] = [quote, delimiter].map((c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
  const next = new RegExp(`(?:${q}((?:[^${q}]|${q}${q})*)${q}|([^${q}${d}]*))(${d}|$)`, 'uy');
  const fields: string[] = [];
  for (let end = false; !end; ) {
    const match = next.exec(line);
    if (!match) return undefined;
    fields.push(match[1]?.replaceAll(quote + quote, quote) ?? match[2]);
    end = match[3] === '';
  }
  return fields;
}

/** The place of `column0`, `column1`, …, the names where there is no header. */
export function positionOf(name: string): number | undefined {
  const digits = /^column(0|[1-9]\d{0,2})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
