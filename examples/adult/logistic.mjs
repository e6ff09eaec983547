// Logistic regression under zero-concentrated differential privacy, and its accuracy under pure differential privacy.
// Neighbours: one record more or less. The number of records is private, so that a public guess stands for it throughout.

/** Covers the roundings of the doubles that scale a gradient: fewer than 1000 of 2^-53 each. */
const shrink = 1 - 2 ** -30;

const chance = (logit) => 1 / (1 + Math.exp(-logit));

/** The logit that the weights give to record i. */
function logit({ starts, columns, values }, weights, i) {
  let sum = 0;
  for (let at = starts[i]; at < starts[i + 1]; at++) sum += weights[columns[at]] * values[at];
  return sum;
}

/**
 * The sum over records of their clipped gradients, in whole numbers: `units` stands for a gradient of norm `clip`.
 *
 * Adding or removing a record changes the sum by a whole vector of Euclidean norm at most `units`, whatever the weights, for
 * these are fixed and each term depends on its own record alone. Why: the gradient g = (chance - label)*x is multiplied by
 * shrink*units/max(clip, |g|), so its norm is at most shrink*units in real numbers, and at most units with the
 * roundings of the doubles (a square that underflows belongs to a coordinate of 0 units). Cutting off the fractions then
 * moves no coordinate away from 0: the norm cannot grow. Sums of 2^33 records of 2^20 units are exact.
 *
 * @param data as people.mjs makes it: features in [-1, 1], labels 0 or 1.
 * @param weights finite.
 * @param scale `clip` of at least 1e-6, `units` of at most 2^20.
 */
export function gradientSum(data, weights, { clip, units }) {
  const { width, starts, columns, values, labels } = data;
  const sums = new Float64Array(width);
  for (let i = 0; i < labels.length; i++) {
    const error = chance(logit(data, weights, i)) - labels[i];
    let squares = 0;
    for (let at = starts[i]; at < starts[i + 1]; at++) squares += values[at] * values[at];
    const scale = (error * shrink * units) / Math.max(clip, Math.abs(error) * Math.sqrt(squares));
    for (let at = starts[i]; at < starts[i + 1]; at++) sums[columns[at]] += Math.trunc(scale * values[at]);
  }
  return sums;
}

/**
 * The parameter sigma^2 of the discrete Gaussian noise of each coordinate in each step. A sum that a record changes by a whole vector
 * of norm at most `units` costs units^2/(2*sigma^2) in zCDP (Canonne, Kamath, Steinke 2020, Theorem 14), and the costs
 * of steps add up, also when each depends on what the earlier ones gave (Bun, Steinke 2016). Rounded up.
 */
export function stepVariance({ rho, steps, units }) {
  return BigInt(Math.ceil(((units * units * steps) / (2 * rho)) * (1 + 2 ** -40)));
}

/**
 * Weights by gradient descent on all records, rho-zCDP: all that the steps learn of the records are noisy sums.
 *
 * @param settings `rate`, `clip` (the largest norm of a record's gradient) and `ridge` (the weight of the squared norm).
 * @param plan `rho`; `steps`; `units`; `people`, a public guess of the number of records.
 * @param noise `gaussian(variance)` gives a function that draws; see noiseFrom in trial.mjs.
 */
export function train(data, { rate, clip, ridge }, { rho, steps, units, people }, noise) {
  const draw = noise.gaussian(stepVariance({ rho, steps, units }));
  const weights = new Float64Array(data.width);
  for (let step = 0; step < steps; step++) {
    const sums = gradientSum(data, weights, { clip, units });
    for (let j = 0; j < weights.length; j++) {
      const gradient = ((sums[j] + draw()) * clip) / units / people;
      weights[j] -= rate * (gradient + ridge * weights[j]);
    }
  }
  return weights;
}

/** How many records more are told right than wrong. Adding or removing one changes it by 1. */
function excess(data, weights) {
  let sum = 0;
  for (let i = 0; i < data.labels.length; i++) sum += logit(data, weights, i) > 0 === (data.labels[i] === 1) ? 1 : -1;
  return sum;
}

/** The exact share of records that are told right; not private. */
export const accuracy = (data, weights) => (1 + excess(data, weights) / data.labels.length) / 2;

/**
 * About the share of records that are told right, from 0 to 1; epsilon-DP. The whole number right - wrong gets discrete
 * Laplace noise of at least the scale 1/epsilon, and the rest uses public numbers alone. Cut off at 0 and 1, so that no noise
 * takes a score out of its range and makes the run a failed one.
 *
 * @param people a public guess of the number of records.
 */
export function noisyAccuracy(data, weights, { epsilon, people }, noise) {
  const t = 2 ** 30;
  const draw = noise.laplace(Math.floor(epsilon * t), t); // exp(-|x|*s/t) with s/t <= epsilon
  const share = (1 + (excess(data, weights) + draw()) / people) / 2;
  return Math.min(Math.max(share, 0), 1);
}
