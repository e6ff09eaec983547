import type { Relation } from '../privacy/guarantee.js';
import { sensitivity } from './joint-exp.js';
import { gridQuantile } from './targets.js';
import { optimalBranching, treeDepth } from './tree-plan.js';

/**
 * Proven bounds on rank errors, in records, each true with probability at least 1 - beta. U is a prediction error, in nats
 * (see `predictionError` and `totalPredictionError`), or a bound on one; `spacing` is the smallest distance between two
 * records, or a record and an end of the range. The epsilons of trees are those under add-remove, with weights
 * exp(-epsilon_i/2 * gap); under swap a tree does at least as well as these say at half the epsilon.
 */

/** What a bound on a tree of exponential mechanisms is made of. */
export interface TreeBound {
  /** Quantiles. */
  readonly m: number;
  /** Of the whole tree. */
  readonly epsilon: number;
  /** The chance that the bound fails, strictly between 0 and 1. */
  readonly beta: number;
  /** The U of all of them together, or what the function says. */
  readonly error: number;
}

/**
 * One exponential mechanism: gap <= 2/epsilon * (ln(1/beta) + U), since P[gap >= g] <= exp(-epsilon*g/2)/Psi (Lemma A.1 of
 * Khodak et al.; with a bound of U below, their Corollary 3.1).
 */
export function gapBound(epsilon: number, beta: number, error: number): number {
  return (2 / epsilon) * (error - Math.log(beta));
}

/** U of a uniform prior on a range of this width: at most ln(width/spacing). */
export function uniformErrorBound(width: number, spacing: number): number {
  return Math.log(width / spacing);
}

/**
 * U of a Cauchy prior whose scale is half the width, for records within `radius` of its location: at most
 * ln(pi*(width^2 + 4*radius^2)/(2*width*spacing)), so the price of a wrong guess grows with its logarithm (Corollary 3.1). A
 * one-sided prior has twice the density.
 */
export function cauchyErrorBound(width: number, spacing: number, radius: number, oneSided = false): number {
  const density = (2 * width) / (Math.PI * (width ** 2 + 4 * radius ** 2));
  return -Math.log((oneSided ? 2 : 1) * density * spacing);
}

/**
 * U of a mixture of `share` of a prior and the rest of a robust one: U is -ln of a mean, so at most -ln(share) more than
 * that of the prior (consistency) and -ln(1 - share) more than that of the robust one (robustness).
 */
export function mixtureError(share: number, error: number, robustError: number): number {
  const [a, b] = [Math.log(share) - error, Math.log1p(-share) - robustError];
  const most = Math.max(a, b);
  return -most - Math.log(Math.exp(a - most) + Math.exp(b - most));
}

/**
 * The largest gap of the binary tree with priors conditioned on each node's interval: D*(2D/epsilon * ln(m/(beta*Psi)) + 2)
 * for D levels (Lemma A.2).
 *
 * @param bound with `error` the largest U that a draw meets *in its node*: a harmonic mean of those would be random, and
 *   a union bound over it is not valid.
 */
export function conditionalGapBound({ m, epsilon, beta, error }: TreeBound): number {
  const depth = treeDepth(m, 2);
  return depth * (gapBound(epsilon / depth, beta / m, error) + 2);
}

/**
 * The same from U before any release, as of `cauchyErrorBound` or `uniformErrorBound` (Corollary A.1): an end of the
 * interval may cut the best cell, and then the next one is whole, or half of all there is, for one rank more.
 */
export function densityGapBound({ m, epsilon, beta, error }: TreeBound): number {
  const depth = treeDepth(m, 2);
  return depth * (gapBound(epsilon / depth, beta / m, Math.max(error, Math.LN2)) + 3);
}

/**
 * The largest gap of the binary tree with edge-based adaptation (Theorem 3.2, with its constants): a node's targets are off
 * by what the ends of its interval are, and of evenly spaced m = 2^D - 1 quantiles one end is the parent's and the other
 * older, so errors grow like Fibonacci numbers; else they may double at each level.
 */
export function edgeGapBound({ m, epsilon, beta, error }: TreeBound): number {
  const depth = treeDepth(m, 2);
  const growth = m + 1 === 2 ** depth ? fibonacci(depth + 2) - 1 : 2 ** depth - 1;
  return growth * (gapBound(epsilon / depth, beta, error) + 4);
}

/**
 * The largest gap of the tree with K(m) children, power 2 and edge-based adaptation (Theorem 3.3):
 * 4*pi^2/epsilon * exp(2*sqrt(ln(2)*ln(m + 1))) * ln(m/(beta*Psi)) and 4*(2^D - 1) for the rounding of targets. Twice the
 * printed constant: the depth D is a whole number.
 */
export function branchingGapBound({ m, epsilon, beta, error }: TreeBound): number {
  return factor(m, epsilon) * (error - Math.log(beta)) + rounding(m);
}

/**
 * The expectation of the same over n records, with U fixed or its expectation (the paper's equation 7): the bound at the
 * beta that costs beta*n as much as it saves.
 */
export function expectedBranchingGapBound({ m, epsilon, error }: Omit<TreeBound, 'beta'>, n: number): number {
  const beta = Math.min(1, factor(m, epsilon) / n);
  return branchingGapBound({ m, epsilon, beta, error }) + beta * n;
}

function factor(m: number, epsilon: number): number {
  return ((4 * Math.PI ** 2) / epsilon) * Math.exp(2 * Math.sqrt(Math.LN2 * Math.log(m + 1)));
}

function rounding(m: number): number {
  return 4 * (2 ** treeDepth(m, optimalBranching(m)) - 1);
}

/**
 * JointExp on n records of which all cells are equally wide: the sum over neighbouring quantiles of how far the records
 * between them are from what they should be exceeds the least possible by at most 2*Delta/epsilon * ln((n + 1)^m/beta), an
 * exponential mechanism over that many sequences of ranks (Gillenwater, Joseph, Kulesza 2021).
 */
export function jointExpCostBound(
  quantiles: readonly number[],
  n: number,
  { epsilon, beta, relation }: { epsilon: number; beta: number; relation: Relation },
): number {
  const delta = sensitivity(quantiles.map(gridQuantile), relation);
  return ((2 * delta) / epsilon) * (quantiles.length * Math.log(n + 1) - Math.log(beta));
}

/** 1, 1, 2, 3, 5, … */
function fibonacci(i: number): number {
  let [a, b] = [0, 1];
  for (let k = 0; k < i; k++) [a, b] = [b, a + b];
  return a;
}
