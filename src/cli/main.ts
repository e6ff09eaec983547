#!/usr/bin/env node
import { Terminal } from './terminal.js';

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
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` that has seen enough is no failure.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const { run } = await import('./program.js');
process.exitCode = await run(process.argv.slice(2), terminal);
if (interrupt.signal.aborted) stop();
