import { type Lattice, latticeIndex } from '../../lattice/lattice.js';

/**
 * The least double whose lattice index is `index` or greater, found by bisection: the index never falls as the value
 * rises. An index of 0 or less has -Infinity.
 */
export function leastValue(lattice: Lattice, index: number): number {
  if (index <= 0) return Number.NEGATIVE_INFINITY;
  let low = ordinal(Number.NEGATIVE_INFINITY);
  let high = ordinal(Number.POSITIVE_INFINITY);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (latticeIndex(lattice, atOrdinal(middle)) >= index) high = middle;
    else low = middle;
  }
  return atOrdinal(high);
}

const view = new DataView(new ArrayBuffer(8));

/** The place of a double among all doubles in ascending order. */
function ordinal(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  return bits >= 0n ? bits : -(bits & 0x7fff_ffff_ffff_ffffn);
}

function atOrdinal(place: bigint): number {
  view.setBigInt64(0, place >= 0n ? place : -place | -0x8000_0000_0000_0000n);
  return view.getFloat64(0);
}
