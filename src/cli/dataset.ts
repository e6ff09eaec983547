import { realpathSync, statSync } from 'node:fs';

/**
 * The name under which a data set is accounted: a name that is an existing file means that file's real path, so that
 * one file is one data set however it is spelt; any other name stands for itself.
 */
export function datasetName(name: string): string {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ? realpathSync(name) : name;
}
