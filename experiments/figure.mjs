// Writes the rows of a figure as CSV and draws them as SVG.
import { mkdirSync, writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const colours = [
  '#4269d0',
  '#d97706',
  '#0e9f6e',
  '#c2410c',
  '#9333ea',
  '#64748b',
  '#be185d',
  '#0891b2',
  '#713f12',
  '#1e293b',
  '#a3a300',
];

const out = new URL('out/', import.meta.url);

function writeCsv(name, rows) {
  mkdirSync(out, { recursive: true });
  const keys = Object.keys(rows[0]);
  const cell = (v) => (typeof v === 'string' && v.includes(',') ? `"${v}"` : v);
  const csv = [keys, ...rows.map((row) => keys.map((key) => cell(row[key])))].map((line) => line.join(',')).join('\n');
  writeFileSync(new URL(`${name}.csv`, out), `${csv}\n`);
}

function writeSvg(name, svg, heading) {
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  writeFileSync(new URL(`${name}.svg`, out), svg.outerHTML.replace('</svg>', `${heading.join('')}</svg>`));
  console.error(`Wrote experiments/out/${name}.csv and ${name}.svg`);
}

const text = (words, left, top, size, colour) =>
  `<text x="${left}" y="${top}" font-size="${size}" fill="${colour}" text-anchor="start">${words}</text>`;
const titles = (title, subtitle) => [text(title, 12, 22, 16, '#222'), text(subtitle, 12, 40, 12, '#222')];
const style = { fontFamily: 'sans-serif', fontSize: '12px', background: 'white' };

export function writeFigure(name, rows, { title, subtitle, x, y, series, facet, log = false }) {
  writeCsv(name, rows);
  const { document } = parseHTML('<html></html>');
  const facets = [...new Set(rows.map((row) => row[facet]))];
  const names = [...new Set(rows.map((row) => row[series]))];
  const width = Math.max(720, 240 * facets.length);
  const options = { x: x.key, y: y.key, stroke: series, fx: facet };
  const svg = Plot.plot({
    document,
    width,
    height: 440,
    marginTop: 126,
    marginLeft: 56,
    marginBottom: 44,
    style,
    x: { label: x.label, ...x.scale },
    y: { label: null, grid: true, ...(log ? { type: 'log', tickFormat: '~g' } : { zero: true }), ...y.scale },
    fx: { label: null, domain: facets },
    color: { domain: names, range: colours },
    marks: [Plot.line(rows, options), Plot.dot(rows, { ...options, fill: series, r: 2.5 })],
  });
  let [left, top] = [12, 60];
  const legend = names.map((word, i) => {
    const room = 7 * word.length + 26;
    if (left + room > width) [left, top] = [12, top + 16];
    const entry = text(`\u25cf ${word}`, left, top, 12, colours[i % colours.length]);
    left += room;
    return entry;
  });
  writeSvg(name, svg, [...titles(title, subtitle), ...legend, text(`\u2191 ${y.label}`, 12, 100, 12, '#222')]);
}

/** A row for each thing compared, its value as a dot and the range from `low` to `high` as a bar; rows without a value are named. */
export function writeComparison(name, rows, { title, subtitle, thing, value, low, high, label, facet, absent }) {
  writeCsv(name, rows);
  const { document } = parseHTML('<html></html>');
  const facets = [...new Set(rows.map((row) => row[facet]))];
  const things = [...new Set(rows.map((row) => row[thing]))];
  const [known, unknown] = [rows.filter((row) => row[value] !== ''), rows.filter((row) => row[value] === '')];
  const place = { y: thing, fx: facet };
  const svg = Plot.plot({
    document,
    width: 252 + 260 * facets.length,
    height: 120 + 28 * things.length,
    marginTop: 84,
    marginLeft: 236,
    marginBottom: 44,
    style,
    x: { label, grid: true, inset: 8 },
    y: { label: null, domain: things },
    fx: { label: null, domain: facets },
    marks: [
      Plot.ruleY(known, { ...place, x1: low, x2: high, stroke: colours[0], strokeWidth: 2, strokeOpacity: 0.4 }),
      Plot.dot(known, { ...place, x: value, fill: colours[0], r: 4 }),
      Plot.text(unknown, { ...place, text: absent, frameAnchor: 'left', dx: 8, fill: '#666' }),
    ],
  });
  writeSvg(name, svg, titles(title, subtitle));
}
