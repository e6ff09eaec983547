import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/cli/progress.js';
import { Terminal } from '../../src/cli/terminal.js';
import { directory, inProcess, start } from './command.js';

const args = ['quantiles', '-', '--dataset=x', '--column=x', '--bounds=0,9', '--quantiles=median', '--epsilon=1'];

/** What the ledger of a directory says. */
async function spends(cwd: string): Promise<{ status: string }[]> {
  return JSON.parse((await inProcess(['ledger', `--ledger=${join(cwd, '.scumble', 'ledger.db')}`, '--json'])).stdout)
    .spends;
}

describe.skipIf(process.platform === 'win32')('an interrupt', () => {
  it('while names are read is code 130 and nothing is spent', async () => {
    const cwd = directory();
    let [code, wait]: [number | null, number] = [null, 500];
    // On a busy machine the command may not even have started: then no code is its own.
    while (code === null) {
      const child = start(args, { cwd });
      await sleep((wait *= 2));
      child.kill('SIGINT');
      [code] = await once(child, 'close');
    }
    expect(code).toBe(130);
    expect(await spends(cwd)).toEqual([]);
  });

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s while rows are read is code %i, the spend stays and no file is left', async (signal, code) => {
    const [cwd, spill] = [directory(), directory()];
    const child = start(args, { cwd, env: { ...process.env, NO_COLOR: '1', TMPDIR: spill } });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    child.stdin.write('x\n1\n2\n');
    while ((await spends(cwd)).length === 0) await sleep(20);
    expect(readdirSync(spill)).toHaveLength(1);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(readdirSync(spill)).toEqual([]);
    expect(stderr).toBe('scumble: Interrupted; what was reserved stays spent.\n');
    expect(await spends(cwd)).toMatchObject([{ status: 'reserved' }]);
  });

  /** The code of a command that is interrupted now, and that it took no longer than two seconds. */
  async function interrupted(child: ReturnType<typeof start>): Promise<number | null> {
    expect(child.exitCode).toBeNull();
    const asked = performance.now();
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(performance.now() - asked).toBeLessThan(2000);
    return code;
  }

  it('of a long release ends it', async () => {
    const cwd = directory({ 'x.csv': `x\n${Array.from({ length: 40_000 }, (_, i) => `${i / 5000}\n`).join('')}` });
    const long = ['--column=x', '--bounds=0,9', '--quantiles=count:300', '--epsilon=0.001', '--method=joint-exp'];
    const child = start(['quantiles', 'x.csv', ...long], { cwd });
    while ((await spends(cwd)).length === 0) await sleep(20);
    await sleep(1500);
    expect(await interrupted(child)).toBe(130);
  });

  it('of a long audit ends it', async () => {
    const long = ['--records=7', '--lattice=9', '--quantiles=0.3,0.5,0.7', '--epsilon=1'];
    let [code, wait]: [number | null, number] = [null, 1500];
    while (code === null) {
      const child = start(['audit', 'joint-exp', ...long], { cwd: directory() });
      await sleep((wait *= 2));
      code = await interrupted(child);
    }
    expect(code).toBe(130);
  });

  it('before the start is code 130', async () => {
    const cwd = directory({ 'x.csv': 'x\n1\n' });
    const line = ['quantiles', join(cwd, 'x.csv'), `--ledger=${join(cwd, 'l.db')}`, ...args.slice(3)];
    expect((await inProcess(line, AbortSignal.abort())).code).toBe(130);
    expect(existsSync(join(cwd, 'l.db'))).toBe(false);
  });
});

it('ends silently when the reader of its answer has gone', async () => {
  const child = start(['--help'], { cwd: directory() });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  child.stdout.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(stderr).toBe('');
});

describe('the progress bar', () => {
  /** A terminal that remembers what was written. */
  class Screen extends Writable {
    readonly isTTY = true;
    readonly columns = 80;
    text = '';

    hasColors(): boolean {
      return false;
    }

    override _write(chunk: Buffer, _encoding: string, done: () => void): void {
      this.text += chunk.toString();
      done();
    }
  }

  async function watch(quiet: boolean, work: () => Promise<void>): Promise<string> {
    const screen = new Screen();
    const terminal = new Terminal(new Screen(), screen, new AbortController().signal);
    terminal.quiet = quiet;
    const progress = new Progress(terminal);
    progress.report(0.5);
    await progress.during(work).catch(() => {});
    return screen.text;
  }

  it('shows no number and leaves the terminal as it was', async () => {
    const text = await watch(false, () => sleep(250));
    expect(text).toContain('█'.repeat(12) + '░'.repeat(12));
    expect(text.replaceAll('\u001b[2K', '')).not.toMatch(/\d/);
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('leaves the terminal as it was when the work fails', async () => {
    const text = await watch(false, async () => {
      await sleep(250);
      throw new Error();
    });
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('is not shown when quiet', async () => {
    expect(await watch(true, () => sleep(250))).toBe('');
  });
});
