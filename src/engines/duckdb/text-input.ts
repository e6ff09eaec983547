import { statSync } from 'node:fs';
import { ScumbleError } from '../../errors.js';
import {
  type Blocks,
  type Chunks,
  cutFirstLine,
  type FirstLine,
  jsonLines,
  lineBlocks,
  readFileChunks,
  withoutMark,
} from './blocks.js';
import { type DuckDBOptions, type Format, invalid } from './options.js';
import { headerFields, maxQuotedColumns, positionOf, type RecordFormat } from './records.js';
import type { ColumnOption } from './scan.js';

/** Text files whose header was read, and nothing else. */
export interface TextInput {
  readonly format: RecordFormat;
  /** All records, with the fraction of the input read so far; undefined where its length is unknown. */
  blocks(): AsyncGenerator<{ block: string; fraction: number | undefined }>;
  /** Checks that a row can have this column. @throws ScumbleError `column_not_found`. */
  check(column: string, option?: ColumnOption): void;
}

export async function jsonInput(files: readonly string[], format: Format): Promise<TextInput> {
  const lines = (chunks: Chunks) => lineBlocks(format === 'json' ? jsonLines(chunks) : chunks);
  return { format: { kind: 'json' }, blocks: () => fileBlocks(files, lines), check: () => {} };
}

/** @param files undefined for standard input. */
export async function csvInput(
  files: readonly string[] | undefined,
  options: DuckDBOptions,
  format: Format,
): Promise<TextInput> {
  const { header = true, delimiter = format === 'tsv' ? '\t' : ',', quote = '"' } = options;
  if (!header) {
    const blocks = files ? () => fileBlocks(files, lineBlocks) : () => streamBlocks(withoutMark(process.stdin));
    return { format: { kind: 'csv', delimiter, quote, columns: undefined }, blocks, check: checkPosition };
  }
  const { line, rest } = files ? await fileHeader(files[0]) : await cutFirstLine(withoutMark(process.stdin));
  const columns = headerOf(line, delimiter, quote);
  for (const file of files?.slice(1) ?? []) {
    if ((await fileHeader(file)).line !== line)
      throw new ScumbleError('column_not_found', `The file ${file} has not the same header as ${files![0]}.`, { file });
  }
  async function* body(chunks: Chunks) {
    yield* lineBlocks((await cutFirstLine(chunks)).rest);
  }
  return {
    format: { kind: 'csv', delimiter, quote, columns },
    blocks: files ? () => fileBlocks(files, body) : () => streamBlocks(rest),
    check: (column, option) => checkHeader(columns, column, option),
  };
}

/** Where the file has no header after all, this is its first record: nothing of it is told. */
function checkHeader(columns: readonly string[], column: string, option?: ColumnOption): void {
  const found = columns.filter((name) => name === column).length;
  if (found === 1) return;
  const what = found === 0 ? 'There is no column' : 'There is more than one column';
  throw new ScumbleError(
    'column_not_found',
    `${what} ${column} in the first line of the file; if that is no header give --no-header, if another character cuts it --delimiter.`,
    { column, option },
  );
}

async function fileHeader(file: string): Promise<FirstLine> {
  try {
    const header = await cutFirstLine(readFileChunks(file).chunks);
    await header.rest.return(undefined);
    return header;
  } catch {
    throw new ScumbleError('file_unreadable', `The header of the file ${file} cannot be read.`, { file });
  }
}

function checkPosition(column: string, option?: ColumnOption): void {
  if (positionOf(column) === undefined)
    throw new ScumbleError('column_not_found', `Without a header the columns are column0, column1, …, not ${column}.`, {
      column,
      option,
    });
}

function headerOf(line: string, delimiter: string, quote: string): string[] {
  const text = line.replace(/\r+$/, '');
  const columns = text === '' ? undefined : headerFields(text, delimiter, quote);
  if (!columns)
    throw new ScumbleError(
      'column_not_found',
      'The first line is no header that names the columns; without one, say so by --no-header.',
      { option: 'header' },
    );
  if (quote !== '' && columns.length > maxQuotedColumns)
    throw invalid('quote', `empty for more than ${maxQuotedColumns} columns`);
  return columns;
}

async function* fileBlocks(files: readonly string[], cut: (chunks: Chunks) => Blocks) {
  const sizes = files.map((file) => statSync(file).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [i, file] of files.entries()) {
    const { chunks, bytesRead } = readFileChunks(file);
    for await (const block of cut(chunks)) yield { block, fraction: Math.min(1, (before + bytesRead()) / total) };
    before += sizes[i];
  }
}

async function* streamBlocks(chunks: Chunks) {
  for await (const block of lineBlocks(chunks)) yield { block, fraction: undefined };
}
