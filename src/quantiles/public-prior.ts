import { ScumbleError } from '../errors.js';
import type { Lattice } from '../lattice/lattice.js';
import type { Prior } from '../lattice/prior.js';
import { locate, type RankProfile } from '../ranks/locate.js';
import { guarded } from './draw.js';
import { type Reference, sourceFor } from './reference.js';

/**
 * A prior from public records: their histogram by bins that hold about as many each, twice the cube root of their number of
 * bins (Rice's rule); a value that fills a bin is one by itself. It gives next to nothing outside the range of the records,
 * so mix it with a wide one (`family: 'mixture'`) where the data may lie elsewhere.
 *
 * @param records public records in the column's unit; see {@link Reference}. They show in the releases and are NOT protected:
 *   a prior from the data that are to be protected would make a release no longer private.
 * @param lattice the points that can be released, of which the edges do not cut any.
 * @returns a piecewise constant prior.
 * @throws ScumbleError `option_invalid` when there is no lattice, `values_invalid` when there are no records, `aborted`, `engine_failed`, and what the records' source throws.
 */
export async function publicPrior(records: Reference, lattice: Lattice, signal?: AbortSignal): Promise<Prior> {
  if (!(Number.isSafeInteger(lattice?.size) && Number.isFinite(lattice.lower) && lattice.step > 0))
    throw new ScumbleError('option_invalid', 'The lattice of a public prior must be one that createLattice makes.', {
      option: 'lattice',
    });
  return guarded(signal, async () => {
    const source = await sourceFor(records, signal);
    const view = await source.open({ lattice, nulls: 'drop', ...(signal && { signal }) });
    try {
      const profile = await locate(view, lattice, { low: 0, high: 1 }, signal);
      if (profile.n === 0) throw new ScumbleError('values_invalid', 'A public prior needs at least one record.');
      const edges = await edgesOf(profile, lattice);
      const ranks = await profile.ranksAt(edges.map(({ cell }) => cell));
      return {
        family: 'piecewise',
        edges: edges.map(({ value }) => value),
        weights: edges.slice(1).map((_, i) => ranks[i + 1] - ranks[i]),
      };
    } finally {
      await view.close();
    }
  });
}

/** The first cell of each bin and the one after the last, with the value between it and the cell before. */
async function edgesOf(profile: RankProfile, { lower, step }: Lattice) {
  const bins = Math.min(profile.n, Math.ceil(2 * Math.cbrt(profile.n)));
  const ranks = Array.from({ length: bins + 1 }, (_, k) => Math.min(profile.n - 1, Math.floor((k * profile.n) / bins)));
  const firsts = await cellsAt(profile, ranks);
  const tied = firsts.filter((cell, k) => cell === firsts[k - 1]);
  const cells = [...new Set([...firsts, ...tied.map((cell) => cell + 1), firsts[bins] + 1])].sort((a, b) => a - b);
  const edges = cells.map((cell) => ({ cell, value: lower + (cell - 0.5) * step }));
  // Far from 0 there may be no double between two cells.
  return edges.filter(({ value }, i) => i === 0 || value > edges[i - 1].value);
}

/** The cells of the records of these ranks, counted from 0 and ascending. */
async function cellsAt(profile: RankProfile, ranks: readonly number[]): Promise<number[]> {
  const cells: number[] = [];
  for (const { rank, index, count } of await profile.around(ranks.map((r) => ({ low: r + 0.5, high: r + 0.5 })))) {
    let before = rank;
    for (const [i, cell] of index.entries()) {
      while (cells.length < ranks.length && ranks[cells.length] < before + count[i]) cells.push(cell);
      before += count[i];
    }
  }
  return cells;
}
