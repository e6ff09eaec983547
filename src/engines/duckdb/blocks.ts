import { createReadStream } from 'node:fs';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

export type Chunks = AsyncIterable<Buffer>;
/** Whole records, one a line, as text. Bytes that are no UTF-8 have become U+FFFD. */
export type Blocks = AsyncIterable<string>;

/** In a line: its bytes cannot be read, the record is malformed. */
export const unreadable = '\ufffd';

const newline = 0x0a;
const blockBytes = 2 ** 20;
/** A longer line is dropped and told as {@link unreadable}, so that no line can exhaust memory. */
const maxLineBytes = 2 ** 24;

/** The bytes of a file, uncompressed, and how much of the file was read for them. */
export function readFileChunks(file: string): { chunks: Chunks; bytesRead: () => number } {
  const stream = createReadStream(file, { highWaterMark: blockBytes });
  const bytesRead = () => stream.bytesRead;
  if (!/\.gz$/i.test(file)) return { chunks: withoutMark(stream), bytesRead };
  const gunzip = createGunzip({ chunkSize: blockBytes });
  return { chunks: withoutMark(compose(stream, gunzip)), bytesRead };
}

async function* compose(stream: Readable, transform: Transform): Chunks {
  // pipeline() hands errors of either side to the reader of the other, and closes both.
  pipeline(stream, transform, () => {});
  yield* transform;
}

/** Without the byte order mark that some programs write first. */
export async function* withoutMark(chunks: Chunks): AsyncGenerator<Buffer> {
  const mark = Buffer.from('\ufeff');
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) yield chunk;
    else if ((head = Buffer.concat([head, chunk])).length >= mark.length) {
      yield head.indexOf(mark) === 0 ? head.subarray(mark.length) : head;
      head = undefined;
    }
  }
  if (head) yield head;
}

/** Cuts bytes into blocks of whole lines. A line ends with a line feed or with the file. */
export async function* lineBlocks(chunks: Chunks): Blocks {
  let pending: Buffer[] = [];
  let size = 0;
  let overlong = false;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < blockBytes) continue;
    const bytes = Buffer.concat(pending);
    const end = bytes.lastIndexOf(newline);
    if (end >= 0) {
      yield textOf(bytes.subarray(0, end + 1), overlong);
      overlong = false;
    }
    const rest = bytes.subarray(end + 1);
    overlong ||= rest.length > maxLineBytes;
    pending = overlong ? [] : [rest];
    size = overlong ? 0 : rest.length;
  }
  if (size > 0 || overlong) yield textOf(Buffer.concat(pending), overlong);
}

/** Whole lines without the last line feed; of a line begun too long ago nothing is left. */
function textOf(lines: Buffer, overlong: boolean): string {
  const end = lines.at(-1) === newline ? lines.length - 1 : lines.length;
  if (!overlong) return lines.toString('utf8', 0, end);
  const begun = lines.indexOf(newline);
  return unreadable + (begun < 0 ? '' : lines.toString('utf8', begun, end));
}

/**
 * The elements of a JSON array, or values that follow each other, one a line. Only brackets, quotes and commas are
 * looked at: what stands in an element is its own affair.
 */
export async function* jsonLines(chunks: Chunks): Chunks {
  const [quote, backslash, comma, open, close, openBrace, closeBrace] = Buffer.from('"\\,[]{}');
  const space = 0x20;
  let begun = false;
  let array = false;
  let depth = 0;
  let quoted = false;
  let escaped = false;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === newline && (array || depth > 0 || quoted)) bytes[i] = space;
      if (quoted) {
        quoted = escaped || byte !== quote;
        escaped = !escaped && byte === backslash;
      } else if (byte === quote) quoted = true;
      else if (byte === open && !begun) {
        array = true;
        bytes[i] = space;
      } else if (byte === open || byte === openBrace) depth++;
      else if (byte === close || byte === closeBrace) {
        if (depth === 0) bytes[i] = space;
        else depth--;
      } else if (byte === comma && array && depth === 0) bytes[i] = newline;
      begun ||= byte > space;
    }
    yield bytes;
  }
}

export interface FirstLine {
  /** Without what ends it. */
  readonly line: string;
  /** All bytes after it. */
  readonly rest: AsyncGenerator<Buffer>;
}

export async function cutFirstLine(chunks: Chunks): Promise<FirstLine> {
  const iterator = chunks[Symbol.asyncIterator]();
  let bytes = Buffer.alloc(0);
  let end = -1;
  while (end < 0 && bytes.length <= maxLineBytes) {
    const next = await iterator.next();
    if (next.done) break;
    bytes = Buffer.concat([bytes, next.value]);
    end = bytes.indexOf(newline);
  }
  const line = bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
  async function* rest() {
    try {
      if (end >= 0) yield bytes.subarray(end + 1);
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { line, rest: rest() };
}
