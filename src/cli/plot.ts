import * as Plot from '@observablehq/plot';
import { DOMParser } from 'linkedom';
import type { QuantilesRelease } from '../quantiles/quantiles.js';
import { formatShares } from './numbers.js';
import { guaranteeInShort } from './words.js';

export interface PlotRequest {
  /** The plot is made from the release alone. */
  readonly release: QuantilesRelease;
  /** The released values as text, in the release's order. */
  readonly texts: readonly string[];
  readonly column: string;
  /** The unit of the values, for the axis. */
  readonly valueUnit?: string | undefined;
}

interface Point {
  readonly q: number;
  readonly value: number;
  readonly text: string;
  /** Where the value's true rank lies in 95 % of releases, as quantiles; `q` itself without a declared size. */
  readonly from: number;
  readonly to: number;
}

const size = { width: 760, height: 460, marginTop: 124, marginRight: 24, marginBottom: 56, marginLeft: 72 };
const plotWidth = size.width - size.marginLeft - size.marginRight;
const ink = '#1f2933';
const accent = '#1f5fa8';

/** The released quantile function as one SVG element: a point for each quantile, joined by a line. */
export function plotQuantiles({ release, texts, ...names }: PlotRequest): string {
  const points = pointsOf(release, texts);
  const band = { y: 'value', x1: 'from', x2: 'to', fill: accent, fillOpacity: 0.2, stroke: accent, strokeOpacity: 0.2 };
  const labels = {
    x: 'q',
    y: 'value',
    text: 'text',
    dx: -7,
    dy: -9,
    textAnchor: 'end',
    stroke: 'white',
    strokeWidth: 4,
  };
  return picture({ release, ...names, values: points.map(({ value }) => value) }, [
    ...(release.forecast.rankError95Share ? [Plot.areaX(points, band)] : []),
    Plot.line(points, { x: 'q', y: 'value', stroke: accent, strokeWidth: 1.5 }),
    Plot.dot(points, { x: 'q', y: 'value', r: points.length > 40 ? 1.5 : 3.5, fill: accent }),
    ...(labelsFit(points) ? [Plot.text(points, { ...labels, fill: ink } as Plot.TextOptions)] : []),
    Plot.text(bandText(release), { ...heading, dy: -66 }),
  ]);
}

const heading = { frameAnchor: 'top-left', dx: 20 - size.marginLeft } as const;

/** What a picture says of a release, beside its curves. */
export interface PictureRequest extends Pick<PlotRequest, 'column' | 'valueUnit'> {
  readonly release: Pick<QuantilesRelease, 'guarantee' | 'lattice' | 'unsafeSeed'>;
  /** All that are drawn. */
  readonly values: readonly number[];
  /** Room for a legend on the right, in pixels. */
  readonly legend?: number;
}

/** The title, the guarantee and the axes around the marks, as a file of its own. */
export function picture({ release, values, column, valueUnit, legend }: PictureRequest, marks: Plot.Markish[]): string {
  const title = printable(
    `${release.unsafeSeed === undefined ? 'Private' : 'Seeded (NOT private)'} quantiles of ${column}`,
  );
  const unit = valueUnit === undefined ? '' : ` (${printable(valueUnit, 30)})`;
  const yLabel = `↑ ${printable(column, 70 - unit.length)}${unit}`;
  const svg = Plot.plot({
    document: emptyDocument(),
    ...size,
    marginRight: legend ?? size.marginRight,
    ariaLabel: title,
    style: { fontSize: '12px', color: ink },
    x: {
      domain: [0, 1],
      ticks: 10,
      label: 'quantile (share of rows below the value)',
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: 42,
    },
    y: { domain: valueDomain(values, release.lattice), label: null, tickFormat: tickText, grid: true },
    marks: [
      ...marks,
      Plot.text([title], { ...heading, dy: -112, fontSize: 17, fontWeight: 'bold' }),
      Plot.text([guaranteeText(release)], { ...heading, dy: -86 }),
      Plot.text([yLabel], { ...heading, dy: -32 }),
    ],
  });
  return standalone(svg);
}

function pointsOf(release: QuantilesRelease, texts: readonly string[]): Point[] {
  const points = release.quantiles.map((q, i) => {
    const share = release.forecast.rankError95Share?.[i] ?? 0;
    const [from, to] = [Math.max(0, q - share), Math.min(1, q + share)];
    return { q, value: release.values[i]!, text: texts[i]!, from, to };
  });
  const distinct = new Map(points.map((point) => [point.q, point]));
  return [...distinct.values()].sort((a, b) => a.q - b.q);
}

function guaranteeText({ guarantee }: PictureRequest['release']): string {
  const { unit } = guarantee;
  return guaranteeInShort({
    ...guarantee,
    unit: typeof unit === 'string' ? unit : { ...unit, column: printable(unit.column, 40) },
  });
}

function bandText({ forecast }: QuantilesRelease): string[] {
  if (forecast.rankError95Share === undefined) return [];
  const widest = Math.max(...forecast.rankError95Share);
  const hidden = widest * plotWidth < 1 ? ', which is narrower than the line' : '';
  return [`band: 95 % of releases err by less than this, at most ${formatShares([widest])} of the rows${hidden}`];
}

/** The released values with some room; a single value stands in the middle of a tenth of the bounds. */
function valueDomain(values: readonly number[], { lower, upper }: QuantilesRelease['lattice']): [number, number] {
  if (values.length === 0) return [lower, upper];
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const room = least < most ? (most - least) * 0.08 : (upper - lower) / 20;
  return [least - room, most + room];
}

/** Labels go to the upper left of their points, where a rising line leaves room for about 7 pixels a character. */
function labelsFit(points: readonly Point[]): boolean {
  return points.every(({ q, text }, i) => (q - (points[i - 1]?.q ?? 0)) * plotWidth > text.length * 7 + 7);
}

function tickText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return String(Number(value.toPrecision(4)));
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6, notation: size >= 1e6 ? 'compact' : 'standard' });
}

/** Names may hold control characters, which XML forbids, and may be longer than the plot is wide. */
export function printable(text: string, most = 70): string {
  const characters = [...text.replace(/\p{Cc}/gu, ' ')];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** An XML document, so that every name is escaped; linkedom's types are narrower than the DOM's. */
function emptyDocument(): Document {
  return new DOMParser().parseFromString('<svg />', 'image/svg+xml') as unknown as Document;
}

/** A file of its own needs the namespace and a background; Plot's style sheet is for pages, not for SVG viewers. */
function standalone(svg: SVGSVGElement | HTMLElement): string {
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.removeAttribute('class');
  svg.querySelector('style')?.remove();
  const paper = svg.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: 'white' }))
    paper.setAttribute(name, value);
  svg.prepend(paper);
  return `${svg.outerHTML}\n`;
}
