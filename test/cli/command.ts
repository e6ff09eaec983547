import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { run } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';

/** The built command. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command as a process of its own. */
export function start(args: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  return spawn(process.execPath, [main, ...args], { env, ...options });
}

/** Runs the built command to its end in `cwd`. */
export function command(args: readonly string[], cwd: string, input = ''): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = start(args, { cwd });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
    // The command may end without reading its input.
    child.stdin.on('error', () => {}).end(input);
  });
}

/** Runs a command line inside this process: quick, for what needs no process of its own. */
export async function inProcess(args: readonly string[], signal = new AbortController().signal): Promise<Result> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const code = await run(args, new Terminal(stdout, stderr, signal));
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A directory that goes with the test, holding files of these names and texts. */
export function directory(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'scumble-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** Keeps what is written to it. */
export class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
