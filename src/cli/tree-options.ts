import type { Command } from 'commander';
import { adaptations, type TreeOptions } from '../quantiles/method.js';
import { parseChoice, parseNumberOption, parseWholeOption } from './parse.js';

/** What each option is for and how its text is read; the library checks ranges. */
const options = {
  branching: {
    flags: '--branching <count>',
    text: 'children of a node, for approximate-quantiles (default: 2) and the trees of counts (default: 16)',
    parse: (text: string) => parseWholeOption('--branching', text, 2),
  },
  height: {
    flags: '--height <levels>',
    text: 'the most levels, for the trees of counts (default: 4)',
    parse: (text: string) => parseWholeOption('--height', text, 1),
  },
  power: {
    flags: '--power <number>',
    text: 'level d of approximate-quantiles gets a share of epsilon in proportion to d^-power (default: 0)',
    parse: (text: string) => parseNumberOption('--power', text, 'a number from 0 to 8'),
  },
  adaptation: {
    flags: '--adaptation <kind>',
    text: 'of the prior between two answers of approximate-quantiles, conditional (default) or edge',
    parse: (text: string) => parseChoice('--adaptation', text, adaptations),
  },
} satisfies Record<keyof TreeOptions, object>;

/** Adds these of the options of trees. */
export function addTreeOptions(command: Command, names = Object.keys(options) as (keyof TreeOptions)[]): Command {
  for (const name of names) {
    const { flags, text, parse } = options[name];
    command.option<unknown>(flags, text, parse);
  }
  return command;
}
