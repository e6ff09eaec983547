import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDuckDB } from '../../src/engines/duckdb/index.js';
import { latticeIndex } from '../../src/lattice/lattice.js';
import { planQuantiles } from '../../src/quantiles/plan.js';
import { quantiles } from '../../src/quantiles/quantiles.js';

const data = process.env.SCUMBLE_DATA;

/** Real columns: what the file is, where the naive reader finds the number, and the bounds that one would declare. */
const columns = [
  { file: 'adult/adult.data', column: 'column0', header: false, field: 0, format: 'csv', bounds: [0, 120], step: 1 },
  { file: 'adult/adult.data', column: 'column12', header: false, field: 12, format: 'csv', bounds: [0, 168], step: 1 },
  { file: 'goodreads/books_numeric.csv', column: 'average_rating', field: 1, bounds: [0, 5], step: 0.01 },
  { file: 'goodreads/books_numeric.csv', column: 'num_pages', field: 2, bounds: [0, 10_000], step: 1 },
  { file: 'latency/azure_postgres_rw25_D8s_v5_ms.csv', column: 'value', field: 0, bounds: [0, 1000], step: undefined },
  { file: 'llm-tokens/azure_llm_2023_conv.csv', column: 'GeneratedTokens', field: 2, bounds: [0, 1e5], step: 1 },
  { file: 'reddit/comments.csv.gz', column: 'flesch', field: 2, bounds: [-1000, 1000], step: 0.1 },
  { file: 'citibike/jc_trip_durations.csv.gz', column: 'duration_s', field: 1, bounds: [0, 86_400], step: 1 },
] as const;

describe('deciles of real data', () => {
  for (const { file, column, field, bounds, step, ...options } of columns) {
    const path = join(data ?? '', file);
    // What is absent is skipped by name; on a build server everything has to be there.
    const absent = data === undefined || !existsSync(path);
    it.skipIf(absent && !process.env.CI)(`${file} ${column}: every rank is about where it should be`, async () => {
      expect(absent, `${file} is missing: set SCUMBLE_DATA`).toBe(false);
      const request = { quantiles: 'deciles', bounds, step, epsilon: 1, unsafeSeed: 1 } as const;
      const source = await openDuckDB({ file: path, column, ...options });
      const { lattice, forecast, ...plan } = planQuantiles(request, source);
      const release = await quantiles(source, request);
      await source.close();

      const bytes = readFileSync(path);
      const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      const cells = text
        .split('\n')
        .slice('header' in options ? 0 : 1)
        .map((line) => line.split(',')[field]?.trim())
        .filter((value) => value)
        .map((value) => latticeIndex(lattice, Number(value)))
        .filter((k) => !Number.isNaN(k));
      plan.quantiles.forEach((q, j) => {
        const k = latticeIndex(lattice, release.values[j]);
        const below = cells.filter((x) => x < k).length;
        const upTo = cells.filter((x) => x <= k).length;
        // The rank of a tied value is an interval; a target inside it is hit.
        const target = q * cells.length;
        const missed = Math.max(0, below - target, target - upTo);
        expect(missed).toBeLessThan(4 * forecast.rankError95[j]);
      });
    });
  }
});
