// Tied data: deciles of the integer ages of Adult, with interpolated ranks and with plain ones.
import { wholeProfile } from '../dist/audit/joint-exp.js';
import { jointExp, jointExpSettings } from '../dist/quantiles/joint-exp.js';
import { defaultInterpolation, plainRanks } from '../dist/quantiles/states.js';
import { gridQuantile } from '../dist/quantiles/targets.js';
import { unsafeSeededEntropy } from '../dist/random/entropy.js';
import { column } from './data.mjs';
import { writeFigure } from './figure.mjs';
import { evenly } from './metrics.mjs';

const size = 121;
const draws = 200;

/** How far a target lies outside the ranks that a value covers. */
function rankError(sorted, q, value) {
  const below = sorted.filter((x) => x < value).length;
  const upTo = sorted.filter((x) => x <= value).length;
  return Math.max(0, below - q * sorted.length, q * sorted.length - upTo);
}

export async function ties() {
  const ages = column('adult/adult.data', 0);
  if (!ages) throw new Error('adult/adult.data is absent: set SCUMBLE_DATA');
  const sorted = Array.from(ages).sort((a, b) => a - b);
  const rows = [];
  for (const [method, interpolation] of Object.entries({ interpolated: defaultInterpolation, plain: plainRanks }))
    for (const m of [1, 3, 5, 9, 19]) {
      const list = evenly(m);
      const cost = { quantiles: list.map(gridQuantile), epsilon: 1, relation: 'swap', rowsPerUnit: 1 };
      const law = await jointExp(wholeProfile(sorted, size), jointExpSettings(cost, interpolation));
      const entropy = unsafeSeededEntropy(m);
      let sum = 0;
      for (let i = 0; i < draws; i++)
        for (const [j, value] of law.sample(entropy).entries()) sum += rankError(sorted, list[j], value);
      rows.push({ data: 'ages of Adult', method, m, error: sum / draws / m });
      console.error(`${method} ranks, ${m} quantiles: rank error ${(sum / draws / m).toFixed(2)} on average`);
    }
  writeFigure('ties', rows, {
    title: 'Tied data: interpolated ranks against plain ones',
    subtitle: `32,561 ages, step 1, epsilon 1, swap, ${draws} draws`,
    x: { key: 'm', label: 'quantiles' },
    y: { key: 'error', label: 'rank error outside the tie, in records' },
    series: 'method',
    facet: 'data',
  });
}
