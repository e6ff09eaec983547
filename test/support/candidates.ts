/** A chance that is as far from p as an epsilon-DP candidate allows, upwards. */
export function raised(p: number, epsilon: number): number {
  return Math.min(Math.exp(epsilon) * p, 1 - Math.exp(-epsilon) * (1 - p));
}

/** … and downwards. */
export function lowered(p: number, epsilon: number): number {
  return 1 - raised(1 - p, epsilon);
}

/** Chances of 0 … n passing runs, each with chance p. */
export function binomial(n: number, p: number): number[] {
  const chances = [];
  let log = n * Math.log1p(-p);
  for (let k = 0; k <= n; k++) {
    chances.push(Math.exp(log));
    log += Math.log((n - k) / (k + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return chances;
}

/** Every way in which n runs fall into the cells of a law, with its chance. */
export function* multinomial(n: number, law: readonly number[]): Generator<[counts: number[], chance: number]> {
  if (law.length === 1) {
    yield [[n], 1];
    return;
  }
  const [first, ...others] = law;
  const rest = 1 - first;
  const chances = binomial(n, first);
  for (let k = 0; k <= n; k++) {
    const share = others.map((p) => p / rest);
    for (const [counts, chance] of multinomial(n - k, share)) yield [[k, ...counts], chances[k] * chance];
  }
}
