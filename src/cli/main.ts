#!/usr/bin/env node
import { Terminal, unexpected } from './terminal.js';

// Signals are caught before anything heavy is loaded, so that an interrupt always ends with its code.
const interrupt = new AbortController();
const terminal = new Terminal(process.stdout, process.stderr, interrupt.signal);
/** How long the engine may take to stop, in milliseconds. */
const patience = 3000;

/** By convention 128 and the number of the signal. */
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
let code = codes.SIGINT;

function stop(): void {
  terminal.restore();
  process.exit(code);
}

for (const name of Object.keys(codes) as (keyof typeof codes)[])
  process.on(name, () => {
    if (interrupt.signal.aborted) stop();
    code = codes[name];
    interrupt.abort();
    // Whoever waits for more input need not.
    process.stdin.destroy();
    setTimeout(stop, patience).unref();
  });
process.on('uncaughtException', () => {
  if (interrupt.signal.aborted) stop();
  terminal.fail(unexpected);
  process.exit(1);
});
process.stderr.on('error', () => {
  // Nobody listens to the talk; the answer may still be wanted.
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` that has seen enough is no failure.
  if (error.code === 'EPIPE') return;
  terminal.fail('The answer could not be written to standard output.');
  process.exit(1);
});

const { run } = await import('./program.js');
process.exitCode = await run(process.argv.slice(2), terminal);
if (interrupt.signal.aborted) stop();
