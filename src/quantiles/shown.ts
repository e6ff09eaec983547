/** Control and format characters, of which some steer a terminal. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const mostCharacters = 40;

/** An argument as an error message shows it: short, on one line, and whatever it is. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length <= 3 ? `[${value.map(brief).join(', ')}]` : 'a longer list';
  return brief(value);
}

function brief(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return escaped(JSON.stringify(cut(value)));
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'function' ? 'a function' : escaped(cut(String(value)));
}

/** A name that its user chose, without quotes: short and on one line. */
export function shownName(name: string): string {
  return escaped(cut(name));
}

/** The text with what could steer a terminal or break its line written as in JSON, such as `\u001b`. */
export function escaped(text: string): string {
  return text.replace(steering, (found) => {
    const units = Array.from({ length: found.length }, (_, i) => found.charCodeAt(i));
    return found === '\n' ? '\\n' : units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}
