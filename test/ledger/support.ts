import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { ScumbleError } from '../../src/errors.js';
import type { Budget, SpendRequest } from '../../src/ledger/index.js';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A path for a ledger in a directory of its own, removed after the tests of the file. */
export function freshPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'scumble-ledger-'));
  made.push(directory);
  return join(directory, 'ledger.db');
}

export const perRow = { relation: 'add-remove', unit: 'row' } as const;

export function request(epsilon: string | number, more: Partial<SpendRequest['guarantee']> = {}): SpendRequest {
  return { dataset: 'flights', guarantee: { ...perRow, epsilon, delta: 0, ...more }, mechanism: 'joint-exp' };
}

export function budget(epsilon: string | number, more: Partial<Budget> = {}): Budget {
  return { ...perRow, epsilon, ...more };
}

/** The error that a call must end with. */
export async function failure(call: Promise<unknown>): Promise<ScumbleError> {
  const outcome = await call.then(
    () => 'no error',
    (error: unknown) => error,
  );
  if (outcome instanceof ScumbleError) return outcome;
  throw new Error(`expected a ScumbleError, not ${outcome}`);
}

export interface Worker {
  /** All lines the process has said; complete once `ended` has resolved. */
  readonly lines: readonly string[];
  /** The rest of the lines that begin with this word, such as ids. */
  said(word: string): string[];
  /** Resolves when a line begins with this word. */
  until(word: string): Promise<void>;
  /** Lets the process go on: first to open the ledger, then to spend. */
  go(): void;
  kill(): void;
  readonly ended: Promise<void>;
}

/** Starts a process that spends; see worker.mjs. */
export function startWorker(file: string, epsilon: string, count: number, label: string): Worker {
  const script = fileURLToPath(new URL('worker.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, file, 'flights', epsilon, String(count), label], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  let rest = '';
  let over = false;
  let gone = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    notify();
  });
  // A killed process no longer reads.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      over = true;
      notify();
      resolve();
    });
  });
  const said = (word: string) =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length + 1));
  return {
    lines,
    said,
    until: (word) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (said(word).length > 0) resolve();
          else if (over) reject(new Error(`the process ended before it said "${word}"; is the package built?`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    go: () => {
      child.stdin.write('\n');
      if (++gone === 2) child.stdin.end();
    },
    kill: () => {
      child.kill('SIGKILL');
    },
    ended,
  };
}

/** Starts processes and lets each step happen in all of them at once. */
export async function startTogether(workers: readonly Worker[]): Promise<void> {
  for (const word of ['ready', 'open']) {
    await Promise.all(workers.map((worker) => worker.until(word)));
    for (const worker of workers) worker.go();
  }
}
