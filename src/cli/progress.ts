import type { Terminal } from './terminal.js';

const width = 24;
const block = 6;
const clearLine = '\r\u001b[2K';

/**
 * A bar on standard error for work that takes longer than a moment; only on a terminal and not when quiet. It fills with the
 * first pass over the data and then swings by the clock: how many more passes there are depends on private values.
 */
export class Progress {
  #fraction = 0;

  /** @param then what follows the first pass, in nine letters. */
  constructor(
    private readonly terminal: Terminal,
    private readonly then = 'releasing',
  ) {}

  /** Takes the fraction done of the first pass, from 0 to 1. */
  readonly report = (fraction: number): void => {
    this.#fraction = fraction;
  };

  /** Shows the bar while `work` runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const { terminal } = this;
    if (terminal.quiet || !terminal.stderr.isTTY) return work();
    const start = Date.now();
    const timer = setInterval(() => {
      const seconds = (Date.now() - start) / 1000;
      const done = this.#fraction >= 1;
      const bar = done ? swingingBar(seconds) : filledBar(this.#fraction);
      terminal.stderr.write(`\r${(done ? this.then : 'reading').padEnd(9)} ${terminal.style('cyan', bar)}`);
    }, 100);
    terminal.onRestore(() => {
      clearInterval(timer);
      terminal.stderr.write(clearLine);
    });
    try {
      return await work();
    } finally {
      terminal.restore();
    }
  }
}

export function filledBar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** A block that goes from end to end and back in four seconds. */
export function swingingBar(seconds: number): string {
  const phase = (seconds / 2) % 2;
  const at = Math.round((phase < 1 ? phase : 2 - phase) * (width - block));
  return '░'.repeat(at) + '█'.repeat(block) + '░'.repeat(width - block - at);
}
