import { ScumbleError } from '../errors.js';
import type { Method, MethodOption, TreeOptions } from './method.js';
import { type MethodName, methods } from './methods.js';

/** The options of trees that were given, out of all options. */
export function treeOptions({ branching, height, power, adaptation }: TreeOptions): TreeOptions | undefined {
  const given = Object.entries({ branching, height, power, adaptation }).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/**
 * Refuses options that the method does not take, and a branching that is too large for it.
 *
 * @param given the names of the options that were given.
 * @throws ScumbleError `option_invalid`.
 */
export function checkMethodOptions(
  name: MethodName | 'auto',
  given: readonly MethodOption[],
  branching: number | undefined,
  quantiles: number,
): void {
  const method: Method | undefined = methods.find((one) => one.name === name);
  for (const option of given) {
    if (method?.takes?.includes(option)) continue;
    const able = methods.filter(({ takes }: Method) => takes?.includes(option)).map((one) => one.name);
    const why = method ? `the method ${name} does not take it` : 'name the method that is to take it';
    throw new ScumbleError('option_invalid', `The option ${option} is for ${able.join(', ')}; ${why}.`, {
      option,
      method: name,
      methods: able,
    });
  }
  const most = method?.mostBranching?.(quantiles);
  if (branching !== undefined && most !== undefined && branching > most)
    throw new ScumbleError(
      'option_invalid',
      `The option branching must be from 2 to ${most} for ${name} with ${quantiles} ${quantiles === 1 ? 'quantile' : 'quantiles'}, not ${branching}.`,
      { option: 'branching', method: name, most },
    );
}
