import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { escaped } from '../quantiles/shown.js';

type Style = Parameters<typeof styleText>[0];
type Stream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'hasColors' | 'columns'>>;

/** Control and format characters, but for line breaks and tabs. */
const steering = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const indent = ' '.repeat(11);

/** All that is said of an error that this package did not write: its own text may quote data. */
export const unexpected = 'The command stopped on an unexpected error; its text is withheld because it may quote data.';

/** Where a command speaks: the answer goes to standard output, talk about it to standard error. */
export class Terminal {
  /** Set by `--quiet`: errors only. */
  quiet = false;
  #cleanup: (() => void) | undefined;

  constructor(
    readonly stdout: Stream,
    readonly stderr: Stream,
    /** Fires on an interrupt. */
    readonly signal: AbortSignal,
  ) {}

  answer(text: string): void {
    // Names that come from data could steer a terminal; a program that reads them gets them as they are.
    this.stdout.write(this.stdout.isTTY ? text.replace(steering, '\ufffd') : text);
  }

  /** Resolves when what was answered is out of this process's hands. */
  written(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.stdout.write('', (error) => (error ? reject(error) : resolve()));
    });
  }

  /** A sentence of talk under a short label. */
  say(label: string, text: string): void {
    if (this.quiet) return;
    const width = this.stderr.isTTY
      ? Math.min(this.stderr.columns || 80, 100) - indent.length
      : Number.POSITIVE_INFINITY;
    const lines = wrap(escaped(text), width).join(`\n${indent}`);
    this.stderr.write(`${this.style('bold', label.padEnd(indent.length))}${lines}\n`);
  }

  fail(text: string): void {
    this.restore();
    this.stderr.write(`${this.style('red', 'scumble:')} ${escaped(text)}\n`);
  }

  /** Styled where standard error is a terminal with colours; NO_COLOR and FORCE_COLOR are Node's to judge. */
  style(style: Style, text: string): string {
    return this.stderr.isTTY && this.stderr.hasColors?.() ? styleText(style, text) : text;
  }

  /** What must happen before anything else is written or the process ends, such as clearing a progress bar. */
  onRestore(cleanup: () => void): void {
    this.#cleanup = cleanup;
  }

  restore(): void {
    this.#cleanup?.();
    this.#cleanup = undefined;
  }
}

/** Lines of at most `width` characters, where no word is longer than that. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
