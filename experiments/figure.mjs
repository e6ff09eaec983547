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

export function writeFigure(name, rows, { title, subtitle, x, y, series, facet, log = false }) {
  const out = new URL('out/', import.meta.url);
  mkdirSync(out, { recursive: true });
  const keys = Object.keys(rows[0]);
  const cell = (v) => (typeof v === 'string' && v.includes(',') ? `"${v}"` : v);
  const csv = [keys, ...rows.map((row) => keys.map((key) => cell(row[key])))].map((line) => line.join(',')).join('\n');
  writeFileSync(new URL(`${name}.csv`, out), `${csv}\n`);

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
    style: { fontFamily: 'sans-serif', fontSize: '12px', background: 'white' },
    x: { label: x.label, ...x.scale },
    y: { label: null, grid: true, ...(log ? { type: 'log', tickFormat: '~g' } : { zero: true }), ...y.scale },
    fx: { label: null, domain: facets },
    color: { domain: names, range: colours },
    marks: [Plot.line(rows, options), Plot.dot(rows, { ...options, fill: series, r: 2.5 })],
  });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const text = (words, left, top, size, colour) =>
    `<text x="${left}" y="${top}" font-size="${size}" fill="${colour}" text-anchor="start">${words}</text>`;
  let [left, top] = [12, 60];
  const legend = names.map((word, i) => {
    const room = 7 * word.length + 26;
    if (left + room > width) [left, top] = [12, top + 16];
    const entry = text(`\u25cf ${word}`, left, top, 12, colours[i % colours.length]);
    left += room;
    return entry;
  });
  const heading = [
    text(title, 12, 22, 16, '#222'),
    text(subtitle, 12, 40, 12, '#222'),
    ...legend,
    text(`\u2191 ${y.label}`, 12, 100, 12, '#222'),
  ].join('');
  writeFileSync(new URL(`${name}.svg`, out), svg.outerHTML.replace('</svg>', `${heading}</svg>`));
  console.error(`Wrote experiments/out/${name}.csv and ${name}.svg`);
}
