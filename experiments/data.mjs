// The data of the figures: generated from a seed, or read from SCUMBLE_DATA.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unsafeSeededEntropy } from '../dist/random/entropy.js';

const unit = (entropy) => (entropy.word() + 0.5) / 2 ** 32;

export function uniform(n, seed, low = -5, high = 5) {
  const entropy = unsafeSeededEntropy(seed);
  return Float64Array.from({ length: n }, () => low + (high - low) * unit(entropy));
}

export function gaussian(n, seed, deviation = 5) {
  const entropy = unsafeSeededEntropy(seed);
  const draw = () => Math.sqrt(-2 * Math.log(unit(entropy))) * Math.cos(2 * Math.PI * unit(entropy));
  return Float64Array.from({ length: n }, () => deviation * draw());
}

/** A column of a CSV file without quoted commas below SCUMBLE_DATA, by its name in the header or, without one, by its
 * position; undefined where the file is absent. */
export function column(file, which) {
  const path = join(process.env.SCUMBLE_DATA ?? '', file);
  if (!process.env.SCUMBLE_DATA || !existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const at = typeof which === 'number' ? which : lines.shift().split(',').indexOf(which);
  return Float64Array.from(lines, (line) => Number(line.split(',')[at]));
}

/** n values drawn without replacement. */
export function sample(values, n, seed) {
  const entropy = unsafeSeededEntropy(seed);
  const pool = Float64Array.from(values);
  for (let i = 0; i < n; i++) {
    const j = i + Math.floor(unit(entropy) * (pool.length - i));
    [pool[i], pool[j]] = [pool[j], pool[i]];
  }
  return pool.subarray(0, n);
}
