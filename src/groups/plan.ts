import { ScumbleError } from '../errors.js';
import { leastKeeping, leastPlanned } from '../quantiles/epsilon-for.js';
import { planQuantilesOn } from '../quantiles/forecast-on.js';
import type { MethodName } from '../quantiles/methods.js';
import { checked, leastDelta, maxEpsilon } from '../quantiles/options.js';
import { checkEpsilon, checkedUnit, type Plan, type Prepared, prepare, type SourceFacts } from '../quantiles/plan.js';
import type { Reference } from '../quantiles/reference.js';
import { checkGroups, type GroupsOptions } from './options.js';
import { type PartitionSelection, partitionSelection } from './partition-selection.js';

/** The cost and the expected errors of releases by group, from public facts alone; each group has the same. */
export interface GroupsPlan extends Plan {
  /** As declared; absent where groups are to be found. */
  readonly groups?: readonly string[];
  /** Where groups are to be found: how. */
  readonly selection?: {
    /** The part of epsilon that finding them takes. */
    readonly epsilon: number;
    /** A group is listed where its number of records or units, with noise, is at least this. */
    readonly threshold: number;
  };
}

/** The part of epsilon that finding groups takes; the rest is for what is released of them. */
export const selectionShare = 0.1;

/** Covers the rounding of a few operations. */
const safely = 1 - 2 ** -50;

/**
 * Plans releases by group, as `planQuantiles` does for all records.
 *
 * @throws ScumbleError of group `usage`, naming the option, what was wrong and what is allowed.
 */
export function planByGroup(options: GroupsOptions, facts: SourceFacts = {}): GroupsPlan {
  return prepareByGroup(options, facts).plan;
}

/** Whatever is wrong with what is left of an epsilon is wrong with the epsilon that was given. */
function ofGroup(plan: () => Prepared, epsilon: number): Prepared {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ScumbleError) || error.code !== 'epsilon_invalid') throw error;
    throw new ScumbleError(
      'epsilon_invalid',
      `Of the epsilon ${epsilon} too little is left for each group by itself. ${error.message}`,
      { epsilon },
    );
  }
}

/** Sizes of groups are private, also where their sum is public. */
function checkMethod(method: MethodName | 'auto'): void {
  if (method === 'smooth' || method === 'csmooth')
    throw new ScumbleError(
      'method_invalid',
      `The method ${method} cannot release by group, because it needs the number of records to be public, and that of a group never is; joint-exp and the other methods can.`,
      { method },
    );
}

/**
 * Plans releases by group with the forecast, and with `auto` the choice, on a public reference; see `forecastQuantiles`.
 *
 * @param reference what each group by itself is believed to look like.
 */
export async function planByGroupOn(
  reference: Reference,
  options: GroupsOptions,
  facts: SourceFacts = {},
): Promise<GroupsPlan> {
  const { each, whole } = shared(options, facts);
  return whole(await planQuantilesOn(reference, each, facts));
}

/**
 * The privacy cost that a wanted accuracy in each group needs, as `epsilonFor`.
 *
 * @throws ScumbleError `option_invalid` when even the largest epsilon would not do, and what `planByGroup` throws.
 */
export function epsilonByGroup(
  options: Omit<GroupsOptions, 'epsilon'>,
  rankError: number,
  facts: SourceFacts = {},
): number {
  const { each } = shared({ ...options, epsilon: maxEpsilon }, facts);
  const least = (leastPlanned(options, facts) * maxEpsilon) / each.epsilon;
  return leastKeeping((epsilon) => planByGroup({ ...options, epsilon }, facts), least / safely, rankError);
}

export interface PreparedGroups {
  readonly plan: GroupsPlan;
  /** The release of one group. */
  readonly each: Prepared;
  readonly selection: PartitionSelection | undefined;
}

export function prepareByGroup(given: GroupsOptions, facts: SourceFacts = {}): PreparedGroups {
  const { each: options, selection, whole } = shared(given, facts);
  const each = ofGroup(() => prepare(options, facts), given.epsilon);
  return { plan: whole(each.plan), each, selection };
}

/**
 * Under add-remove a record, or a unit, is in one group at most, so all groups together cost what one of them does
 * (parallel composition, McSherry 2009). Finding the groups takes its part of epsilon first; see {@link partitionSelection}.
 *
 * Under swap the sizes of groups are private although their sum is public. All of the above is done under add-remove with
 * e = epsilon/2 and d = delta/(1 + exp(epsilon/2)). A swap is a removal and then an addition, over the data set D0 without
 * either record: P(D) <= exp(e)*P(D0) + d <= exp(e)*(exp(e)*P(D') + d) + d = exp(epsilon)*P(D') + delta. That is so whether both
 * records are in one group, in two, or one of them in none; where they are in two declared groups, each of the two releases
 * differs by one record, and (2e, 2d) would do.
 */
function shared(given: GroupsOptions, facts: SourceFacts) {
  const { groups: asked, ...options } = given ?? {};
  const groups = asked === undefined ? undefined : checkGroups(asked);
  const { epsilon, delta, relation, method } = checked(options);
  const unit = checkedUnit(facts.unit ?? 'row', relation);
  checkEpsilon(epsilon, 1);
  checkMethod(method);
  if (!groups && delta === 0)
    throw new ScumbleError(
      'groups_invalid',
      'The groups must be declared, or a delta greater than 0 must be allowed, by which they can be found.',
      { option: 'groups' },
    );
  const steps = relation === 'swap' ? 2 : 1;
  const cost =
    steps === 1 ? { epsilon, delta } : { epsilon: epsilon / 2, delta: (delta / (1 + Math.exp(epsilon / 2))) * safely };
  if (cost.delta > 0 && cost.delta < leastDelta)
    throw new ScumbleError(
      'delta_invalid',
      `The delta is too small for groups under swap, which pay twice: ${delta}.`,
      {
        delta,
      },
    );
  const share = groups ? 0 : cost.epsilon * selectionShare;
  const selection = groups ? undefined : partitionSelection(share, cost.delta);
  const left = groups ? cost.epsilon : (cost.epsilon - share) * safely;
  return {
    /** What is asked of each group by itself. */
    each: { ...options, ...cost, epsilon: left, relation: 'add-remove' as const },
    selection,
    /** What all groups together cost, by the plan of each. */
    whole(plan: Plan): GroupsPlan {
      const spent = selection || plan.guarantee.delta > 0 ? delta : 0;
      return Object.freeze({
        ...(groups && { groups }),
        ...plan,
        guarantee: Object.freeze({ relation, unit, epsilon, delta: spent }),
        ...(selection && {
          selection: Object.freeze({ epsilon: steps * share, threshold: selection.threshold }),
        }),
      });
    },
  };
}
