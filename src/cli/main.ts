#!/usr/bin/env node
import { Terminal, unexpected } from './terminal.js';

// The signal is caught before anything heavy is loaded, so that an interrupt always ends with code 130.
const interrupt = new AbortController();
const terminal = new Terminal(process.stdout, process.stderr, interrupt.signal);
/** How long the engine may take to stop, in milliseconds. */
const patience = 3000;

function stop(): void {
  terminal.restore();
  process.exit(130);
}

process.on('SIGINT', () => {
  if (interrupt.signal.aborted) stop();
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
