import type { DuckDBConnection } from '@duckdb/node-api';

/** Tells the fraction done of one pass over the data, in equal steps, once, and nothing about later passes. */
export interface Progress {
  report(fraction: number): void;
  /** Follows one statement. */
  during<T>(connection: DuckDBConnection, statement: Promise<T>): Promise<T>;
}

const everyMs = 100;
const step = 1 / 16;

export function progressTo(onProgress: ((fraction: number) => void) | undefined): Progress {
  let reached = 0;
  const report = (fraction: number) => {
    // Every step is told in its turn: which ones a block of the file leaps over would tell how large the file is.
    while (reached + step <= fraction && reached < 1) {
      reached += step;
      onProgress?.(reached);
    }
  };
  return {
    report,
    async during(connection, statement) {
      if (!onProgress || reached === 1) return statement;
      const timer = setInterval(() => report(Math.min(0.99, connection.progress.percentage / 100)), everyMs);
      try {
        return await statement;
      } finally {
        clearInterval(timer);
        report(1);
      }
    },
  };
}
