import * as Plot from '@observablehq/plot';
import type { GroupsRelease } from '../groups/quantiles-by-group.js';
import { picture, printable } from './plot.js';

export interface GroupsPlotRequest {
  /** The plot is made from the release alone. */
  readonly release: GroupsRelease;
  readonly column: string;
  /** The unit of the values, for the axis. */
  readonly valueUnit?: string | undefined;
}

/** So many groups differ by colour and fit into the legend; more are drawn in these colours again. */
const colours = [
  '#4269d0',
  '#ff725c',
  '#3ca951',
  '#a463f2',
  '#9c6b4e',
  '#e0a300',
  '#6cc5b0',
  '#ff8ab7',
  '#97bbf5',
  '#5b6470',
];
const mostNamed = 16;

/** The released quantile functions of all groups as one SVG element, each with its name in its colour. */
export function plotGroups({ release, column, valueUnit }: GroupsPlotRequest): string {
  const { groups, quantiles } = release;
  const order = [...new Set(quantiles)].sort((a, b) => a - b);
  const curves = groups.map(({ values }) => order.map((q) => ({ q, value: values[quantiles.indexOf(q)]! })));
  const marks = curves.flatMap((points, i) => {
    const colour = colours[i % colours.length];
    return [
      Plot.line(points, { x: 'q', y: 'value', stroke: colour, strokeWidth: 1.5 }),
      Plot.dot(points, { x: 'q', y: 'value', r: points.length > 40 ? 1.5 : 3, fill: colour }),
    ];
  });
  const names = groups.slice(0, mostNamed).map(({ group }) => printable(group, 18));
  if (groups.length > mostNamed) names.push(`and ${groups.length - mostNamed} more`);
  const legend = names.map((name, i) => {
    const fill = i < mostNamed ? colours[i % colours.length] : undefined;
    return Plot.text([name], {
      frameAnchor: 'top-right',
      textAnchor: 'start',
      dx: 14,
      dy: 17 * i,
      ...(fill && { fill }),
    });
  });
  const values = curves.flat().map(({ value }) => value);
  return picture({ release, column, valueUnit, values, legend: 150 }, [...marks, ...legend]);
}
