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
  let ended: Buffer[] = [];
  let size = 0;
  let begun: Buffer[] = [];
  let length = 0;
  const keep = (bytes: Buffer) => {
    ended.push(bytes);
    size += bytes.length;
  };
  const begin = (bytes: Buffer) => {
    length += bytes.length;
    begun = length > maxLineBytes ? [] : [...begun, bytes];
  };
  const end = () => {
    for (const bytes of length > maxLineBytes ? [Buffer.from(unreadable)] : begun) keep(bytes);
    begun = [];
    length = 0;
  };
  for await (const chunk of chunks)
    for (const bytes of pieces(chunk)) {
      const first = bytes.indexOf(newline);
      begin(first < 0 ? bytes : bytes.subarray(0, first));
      if (first < 0) continue;
      end();
      const last = bytes.lastIndexOf(newline);
      keep(bytes.subarray(first, last + 1));
      begin(bytes.subarray(last + 1));
      if (size < blockBytes) continue;
      yield textOf(ended);
      ended = [];
      size = 0;
    }
  if (length > 0) {
    end();
    keep(Buffer.of(newline));
  }
  if (size > 0) yield textOf(ended);
}

/** So short that a line inside of one cannot be overlong: how a file comes in chunks must not matter. */
function* pieces(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += blockBytes) yield chunk.subarray(at, at + blockBytes);
}

/** Without the last line feed. */
function textOf(lines: readonly Buffer[]): string {
  const bytes = Buffer.concat(lines);
  return bytes.toString('utf8', 0, bytes.length - 1);
}

/**
 * The records of a JSON file, one a line: the elements of an array or, where the file starts with anything else, its
 * lines. Of an array only brackets, quotes, commas and line feeds are looked at. Its records are the elements of a
 * well-formed document: where brackets do not match, what follows belongs to the same element.
 */
export async function* jsonLines(chunks: Chunks): Chunks {
  const [quote, backslash, comma, open, close, openBrace, closeBrace] = Buffer.from('"\\,[]{}');
  const space = 0x20;
  let array: boolean | undefined;
  let depth = 0;
  let quoted = false;
  let escaped = false;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    for (let i = 0; i < bytes.length && array !== false; i++) {
      const byte = bytes[i];
      if (array === undefined) {
        if (byte > space) array = byte === open;
        if (array !== false) bytes[i] = space;
      } else if (byte === newline) {
        // No string goes on behind it, so none that is left open takes other records along.
        quoted = escaped = false;
        bytes[i] = space;
      } else if (quoted) {
        quoted = escaped || byte !== quote;
        escaped = !escaped && byte === backslash;
      } else if (byte === quote) quoted = true;
      else if (byte === open || byte === openBrace) depth++;
      else if (byte === close || byte === closeBrace) {
        if (depth === 0) bytes[i] = space;
        else depth--;
      } else if (byte === comma && depth === 0) bytes[i] = newline;
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
