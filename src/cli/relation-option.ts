import { Option } from 'commander';
import { relations } from '../privacy/guarantee.js';
import { parseChoice } from './parse.js';

/** `--relation`, the same for every command. */
export function relationOption(help: string): Option {
  return new Option(
    '--relation <relation>',
    `${help}: ${relations.join(' or ')}; under swap the number of rows is public`,
  )
    .default('add-remove')
    .argParser((text) => parseChoice('--relation', text, relations, 'relation_invalid'));
}
