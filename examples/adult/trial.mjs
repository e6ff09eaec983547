// One run of the tuning: a training on one part of the people and its score on the other.
import { zcdpRho } from '../../dist/privacy/zcdp.js';
import { discreteGaussian } from '../../dist/random/discrete-gaussian.js';
import { discreteLaplace } from '../../dist/random/discrete-laplace.js';
import { noisyAccuracy, train } from './logistic.mjs';

/** About how many people there are, as the makers of the file say; a quarter of them validates. */
const people = 32_000;
export const plan = { steps: 30, units: 2 ** 16, people: (people * 3) / 4 };

/** Exact noise from a source of random bits. */
export function noiseFrom(entropy) {
  const drawn = (law) => () => law.draw(entropy);
  return {
    gaussian: (variance) => drawn(discreteGaussian(variance, 1n)),
    laplace: (s, t) => drawn(discreteLaplace(s, t)),
  };
}

/** What a run may spend for it to be (epsilon, delta)-DP: rho on a person who trains, epsilon on one who validates. */
export const priceOf = ({ epsilon, delta }) => ({ rho: zcdpRho(epsilon, delta), epsilon });

/**
 * A model and its score. A person is in one of the parts: with the training part fixed the score is epsilon-DP, with the
 * validation part fixed it is computed from the weights, which are rho-zCDP. So the two together are (epsilon, delta)-DP.
 */
export function trial({ training, validation }, settings, { rho, epsilon }, noise) {
  const weights = train(training, settings, { ...plan, rho }, noise);
  const score = noisyAccuracy(validation, weights, { epsilon, people: people / 4 }, noise);
  return { score, output: { weights: Array.from(weights, (weight) => Number(weight.toPrecision(6))) } };
}
