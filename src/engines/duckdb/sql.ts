/** A column or table name. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Exactly this double. A bare literal would be a DECIMAL, and `x--1.0` a comment. */
export function double(value: number): string {
  return `${text(Object.is(value, -0) ? '-0' : String(value))}::DOUBLE`;
}
