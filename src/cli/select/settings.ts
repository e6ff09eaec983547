import parseArgsStringToArgv from 'string-argv';
import { ScumbleError } from '../../errors.js';
import { shownName } from '../../quantiles/shown.js';
import type { Cost } from '../../selection/index.js';
import type { Tune } from './tune-file.js';

/** The values of the parameters in one candidate. */
export type Setting = Readonly<Record<string, string | number | boolean>>;

/** More candidates than this are a slip of a grid. */
const most = 1_000_000;

/** All settings: those listed, or the product of the grid. */
export function settingsOf({ parameters }: Tune): Setting[] {
  if (Array.isArray(parameters)) return parameters;
  const names = Object.keys(parameters);
  const count = names.reduce((product, name) => product * parameters[name]!.length, 1);
  if (count > most) throw invalid('parameters', `The grid has ${count} settings, more than ${most}.`);
  let settings: Setting[] = [{}];
  for (const name of names)
    settings = settings.flatMap((setting) => parameters[name]!.map((value) => ({ ...setting, [name]: value })));
  return settings;
}

/** The command as words with places for values, `{name}`. No shell looks at them. */
export function wordsOf({ command }: Tune): string[] {
  const words = typeof command === 'string' ? parseArgsStringToArgv(command) : [...command];
  if (words.length === 0 || words[0] === '') throw invalid('command', 'The command must name a program.');
  return words;
}

const place = /\{([A-Za-z_][\w-]*)\}/g;

/** Refuses a command that names what no setting has, or settings that the command does not use. */
export function checkPlaces(words: readonly string[], settings: readonly Setting[], run: Cost): void {
  const used = new Set(words.flatMap((word) => [...word.matchAll(place)].map(([, name]) => name!)));
  for (const name of ['epsilon', 'delta'] as const)
    if (run[name] > 0 && !used.has(name))
      throw invalid(
        'command',
        `The command does not use {${name}}, what a run may cost; without it the program cannot keep to that.`,
      );
  for (const setting of settings) {
    const names = Object.keys(setting);
    const missing = [...used].find((name) => !names.includes(name) && name !== 'epsilon' && name !== 'delta');
    if (missing)
      throw invalid(
        'command',
        `The command names {${shownName(missing)}}, which is no parameter; there are ${names.map(shownName).join(', ')}, epsilon, delta.`,
      );
    const reserved = names.find((name) => name === 'epsilon' || name === 'delta');
    if (reserved)
      throw invalid('parameters', `A parameter must not be called ${reserved}: that is the price of a run.`);
    const unused = names.find((name) => !used.has(name));
    if (unused)
      throw invalid(
        'command',
        `The command does not use the parameter ${shownName(unused)}; name it as {${shownName(unused)}}.`,
      );
  }
}

/** The words of one run. */
export function fill(words: readonly string[], values: Setting): string[] {
  return words.map((word) => word.replace(place, (_, name: string) => String(values[name])));
}

function invalid(option: string, sentence: string): ScumbleError {
  return new ScumbleError('option_invalid', sentence, { option });
}
