/** The least whole number >= 1 that holds, for what holds from some point on. */
export function leastCap(holds: (cap: number) => boolean): number {
  let high = 1;
  while (!holds(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const mid = Math.floor((low + high) / 2);
    if (holds(mid)) high = mid;
    else low = mid;
  }
  return high;
}
