import { aggTree, gaussTree, lapTree } from './agg-tree.js';
import { approximateQuantilesMethod } from './approximate-quantiles-method.js';
import { appIndExp, indExp } from './ind-exp.js';
import { jointExpMethod } from './joint-exp-method.js';
import type { Method } from './method.js';
import { smoothLaplace, smoothLogNormal } from './smooth-method.js';

/** All methods, in the order in which ties of the forecast are broken. */
export const methods = [
  jointExpMethod,
  indExp,
  appIndExp,
  approximateQuantilesMethod,
  aggTree,
  lapTree,
  gaussTree,
  smoothLaplace,
  smoothLogNormal,
] as const satisfies readonly Method[];

/** The name of a method; docs/guide.md says what each is and costs. */
export type MethodName = (typeof methods)[number]['name'];

export const methodNames: readonly MethodName[] = methods.map(({ name }) => name);
