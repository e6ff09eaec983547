/** An argument as an error message shows it: short, on one line, and whatever it is. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return value.length <= 3 ? `[${value.map(brief).join(', ')}]` : 'a longer list';
  return brief(value);
}

function brief(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
