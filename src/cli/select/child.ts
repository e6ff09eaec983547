import { spawn } from 'node:child_process';

/** Of a child's output the end is kept, where the answer is. */
const keptBytes = 2 ** 24;
/** What a child wrote before it ended is read for so many milliseconds more, if something holds its output open. */
const grace = 500;

export interface ChildOptions {
  /** Seconds. */
  readonly timeout: number | undefined;
  readonly signal: AbortSignal;
  /** Whether what the child says on standard error is shown. It may tell of private data. */
  readonly unsafeReport: boolean;
}

/**
 * Runs a program and returns the last line of its standard output. It and the processes of its group
 * are killed when it takes too long or is no longer needed; one that has left the group is not waited for.
 *
 * @throws when it cannot be started, does not end with code 0, or is killed.
 */
export function lastLineOf(words: readonly string[], options: ChildOptions): Promise<string> {
  const { timeout, signal, unsafeReport } = options;
  return new Promise((resolve, reject) => {
    const [program, ...args] = words;
    // A group of its own can be killed as a whole, and hears nothing of a terminal's interrupt before we do.
    const child = spawn(program!, args, {
      stdio: ['ignore', 'pipe', unsafeReport ? 'inherit' : 'ignore'],
      detached: true,
    });
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const timer = timeout === undefined ? undefined : setTimeout(kill, timeout * 1000);
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    let end = Buffer.alloc(0);
    child.stdout.on('data', (data: Buffer) => {
      end = Buffer.concat([end, data]).subarray(-keptBytes);
    });
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    };
    child.on('error', (error) => {
      done();
      reject(error);
    });
    // A grandchild may hold the output open after its parent has ended; it belongs to the run no longer.
    child.on('exit', () => {
      kill();
      setTimeout(() => child.stdout.destroy(), grace).unref();
    });
    child.on('close', (code) => {
      done();
      if (code === 0) resolve(end.toString('utf8').trimEnd().split('\n').at(-1) ?? '');
      else reject(new Error('The run failed.'));
    });
  });
}
