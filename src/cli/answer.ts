import type { Forecast } from '../quantiles/forecast.js';
import { formatErrors, formatQuantile, formatShares } from './numbers.js';
import { type Column, formatTable } from './table.js';

/** What the table and the CSV show of a release; a plan has no values yet. */
export interface Answer {
  /** The group of each entry of the lists below, where there are groups. */
  readonly groups?: readonly string[];
  readonly quantiles: readonly number[];
  /** The values as text, with the decimals of the step. */
  readonly values?: readonly string[];
  /** The ends of the confidence intervals, where they were asked for. */
  readonly intervals?: readonly (readonly string[])[] | undefined;
  readonly forecast: Forecast;
}

/** The answer for people: aligned columns, errors also as shares of the rows where their number was declared. */
export function answerTable({ groups, quantiles, values, intervals, forecast }: Answer, valueUnit?: string): string {
  const { expectedRankError, rankError95, expectedRankErrorShare, rankError95Share } = forecast;
  const columns: Column[] = groups ? [{ title: 'group', cells: groups.map(printable), align: 'left' }] : [];
  columns.push({ title: 'quantile', cells: quantiles.map(formatQuantile), align: 'left' });
  if (values) columns.push({ title: valueUnit === undefined ? 'value' : `value (${valueUnit})`, cells: values });
  if (intervals) {
    columns.push({ title: 'from', cells: intervals.map(([low]) => low) });
    columns.push({ title: 'to', cells: intervals.map(([, high]) => high) });
  }
  columns.push({ title: 'rank error', cells: formatErrors(expectedRankError) });
  columns.push({ title: 'in 95 %', cells: formatErrors(rankError95) });
  if (expectedRankErrorShare && rankError95Share) {
    columns.push({ title: 'of rows', cells: formatShares(expectedRankErrorShare) });
    columns.push({ title: 'in 95 %', cells: formatShares(rankError95Share) });
  }
  return formatTable(columns);
}

/** The answer for programs, one line for each quantile; a plan has no `value` column. */
export function answerCsv({ groups, quantiles, values, intervals, forecast }: Answer): string {
  const header = [
    ...(groups ? ['group'] : []),
    'quantile',
    ...(values ? ['value'] : []),
    'rank_error',
    'rank_error_95',
    ...(intervals ? ['from', 'to'] : []),
  ];
  const rows = quantiles.map((q, i) => [
    ...(groups ? [csvField(groups[i])] : []),
    q,
    ...(values ? [values[i]] : []),
    forecast.expectedRankError[i],
    forecast.rankError95[i],
    ...(intervals?.[i] ?? []),
  ]);
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

/** Names of groups come from the data: they must not steer a terminal. */
function printable(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** RFC 4180. */
function csvField(name: string): string {
  return /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
