export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly align?: 'left' | 'right';
}

/** Lines of aligned columns, two blanks apart, without trailing blanks. */
export function formatTable(columns: readonly Column[]): string {
  const padded = columns.map(({ title, cells, align = 'right' }) => {
    const width = Math.max(...[title, ...cells].map((text) => text.length));
    return [title, ...cells].map((text) => (align === 'left' ? text.padEnd(width) : text.padStart(width)));
  });
  const lines = padded[0]!.map((_, row) =>
    padded
      .map((column) => column[row])
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
