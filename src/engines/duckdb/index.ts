export type { DuckDBOptions, Format } from './options.js';
export { type DuckDBSource, openDuckDB } from './source.js';
