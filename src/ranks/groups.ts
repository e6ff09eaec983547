import type { BinList, FineCounts } from './source.js';

/** A dense table of counts, one row of 2^(within.shift - shift) groups for each listed bin. */
export function groupTable(shift: number, within: BinList) {
  const { bins } = within;
  const perBin = 2 ** (within.shift - shift);
  const lowest = bins[0];
  const row = new Int32Array(bins[bins.length - 1] - lowest + 1);
  for (let r = 0; r < bins.length; r++) row[bins[r] - lowest] = r;
  const counts = new Float64Array(bins.length * perBin);
  const only = new Float64Array(bins.length * perBin);
  const base = lowest * 2 ** within.shift;
  return {
    /** Counts indices, each of which lies in a listed bin. */
    add: (indices: Float64Array) => addToTable(indices, base, 2 ** -shift, perBin, row, counts, only),
    result(): FineCounts {
      const list = fineList(counts.length);
      for (let at = 0; at < counts.length; at++)
        if (counts[at] > 0) list.add(bins[Math.floor(at / perBin)] * perBin + (at % perBin), counts[at], only[at]);
      return list.done();
    },
  };
}

function addToTable(
  indices: Float64Array,
  base: number,
  scale: number,
  perBin: number,
  row: Int32Array,
  counts: Float64Array,
  only: Float64Array,
): void {
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    const group = Math.floor((index - base) * scale);
    const bin = Math.floor(group / perBin);
    const at = row[bin] * perBin + (group - bin * perBin);
    if (counts[at]++ === 0) only[at] = index;
    else if (only[at] !== index) only[at] = -1;
  }
}

/** Counts sorted indices per bin at the shift; those outside the listed bins are passed over. */
export function runs(sorted: Float64Array, shift: number, within: BinList): FineCounts {
  const list = fineList(sorted.length);
  const width = 2 ** shift;
  const perBin = 2 ** (within.shift - shift);
  let listed = 0;
  let next = 0;
  for (let i = 0; i < sorted.length; i = next) {
    const group = Math.floor(sorted[i] / width);
    const end = (group + 1) * width;
    next = i + 1;
    while (next < sorted.length && sorted[next] < end) next++;
    const bin = Math.floor(group / perBin);
    while (listed < within.bins.length && within.bins[listed] < bin) listed++;
    if (within.bins[listed] === bin) list.add(group, next - i, sorted[i] === sorted[next - 1] ? sorted[i] : -1);
  }
  return list.done();
}

function fineList(capacity: number) {
  const bins = new Float64Array(capacity);
  const counts = new Float64Array(capacity);
  const only = new Float64Array(capacity);
  let length = 0;
  return {
    add(bin: number, count: number, index: number): void {
      bins[length] = bin;
      counts[length] = count;
      only[length++] = index;
    },
    done: (): FineCounts => ({
      bins: bins.slice(0, length),
      counts: counts.slice(0, length),
      only: only.slice(0, length),
    }),
  };
}
