/** An enum with its values, or a quoted name, in which nothing is looked for. Values stand in quotes, doubled inside. */
const enums = /"[^"]*"|ENUM\((?:'[^']*'|[^')])*\)/g;

/**
 * A type as people may see it and as decisions may depend on it: `ENUM` without its values, which may have been collected
 * from the records.
 *
 * @param sqlType as DuckDB describes it.
 */
export function publicType(sqlType: string): string {
  return sqlType.replace(enums, (found) => (found.startsWith('"') ? found : 'ENUM'));
}

/** Whether values of the type have parts of their own: lists, arrays, structs, maps and the like. */
export function isNested(type: string): boolean {
  return /\]$|^(STRUCT|MAP|UNION)\(|^VARIANT$/.test(type);
}
