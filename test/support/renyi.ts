import { approximateQuantilesLaw } from '../../src/audit/approximate-quantiles-law.js';
import { wholeProfile } from '../../src/audit/joint-exp.js';
import { multisets } from '../../src/audit/multisets.js';
import type { ApproximateQuantilesSettings } from '../../src/quantiles/approximate-quantiles.js';
import type { TreeCase } from './tree-cases.js';

/** Where D_order/order is largest depends on the law. */
const orders = [1.01, 1.5, 2, 3, 5, 10, 30, 100];

/** The Rényi divergence of two laws, given as logarithms, by its definition. */
export function renyi(p: Float64Array, q: Float64Array, order: number): number {
  let sum = 0;
  p.forEach((log, i) => {
    if (log > Number.NEGATIVE_INFINITY) sum += Math.exp(order * log - (order - 1) * q[i]);
  });
  return Math.log(sum) / (order - 1);
}

/** The least rho that holds for all neighbours among the data sets of up to so many records: the largest D_order/order. */
export async function rhoOf(
  { size, quantiles, relation, rowsPerUnit = 1 }: TreeCase,
  records: number,
  settings: ApproximateQuantilesSettings,
): Promise<number> {
  const outputs = [...multisets(size, quantiles.length)];
  const laws: { data: number[]; logs: Float64Array }[] = [];
  for (let n = 0; n <= records; n++)
    for (const data of multisets(size, n)) {
      const law = await approximateQuantilesLaw(wholeProfile(data, size), settings);
      laws.push({ data, logs: Float64Array.from(outputs, law) });
    }
  let rho = 0;
  for (const a of laws)
    for (const b of laws) {
      const more = extra(a.data, b.data);
      const less = extra(b.data, a.data);
      const neighbours = relation === 'swap' ? more === 1 && less === 1 : less === 0 && more <= rowsPerUnit;
      if (!neighbours) continue;
      for (const order of orders)
        rho = Math.max(rho, renyi(a.logs, b.logs, order) / order, renyi(b.logs, a.logs, order) / order);
    }
  return rho;
}

/** How many records b has that a has not. */
function extra(a: readonly number[], b: readonly number[]): number {
  const left = [...a];
  return b.filter((x) => {
    const i = left.indexOf(x);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  }).length;
}
