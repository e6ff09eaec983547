import { formatOfName, realPathOf } from '../engines/duckdb/paths.js';

/** How the commands describe a name of a data set. */
export const datasetHelp = 'name of the data set; an existing file or a glob means its real path';

/**
 * The name under which a data set is accounted: an existing file or a glob means its real path, so that one file is one
 * data set however it is spelt; any other name stands for itself.
 */
export function datasetName(name: string): string {
  return realPathOf(name) ?? name;
}

/** Whether a name that stands for itself was probably meant as a file. */
export function isMissingFile(name: string): boolean {
  return realPathOf(name) === undefined && (/[/\\]/.test(name) || formatOfName(name) !== undefined);
}
