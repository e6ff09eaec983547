// Writes the rows of a figure as CSV and draws them as SVG.
import { mkdirSync, writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const colours = ['#4269d0', '#d97706', '#c2410c', '#0e9f6e', '#9333ea', '#64748b', '#be185d', '#0891b2'];

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
  const options = { x: x.key, y: y.key, stroke: series, fx: facet };
  const svg = Plot.plot({
    document,
    width: Math.max(640, 240 * facets.length),
    height: 440,
    marginTop: 110,
    marginLeft: 56,
    marginBottom: 44,
    style: { fontFamily: 'sans-serif', fontSize: '12px', background: 'white' },
    x: { label: x.label, ...x.scale },
    y: { label: null, grid: true, ...(log ? { type: 'log' } : { zero: true }) },
    fx: { label: null, domain: facets },
    color: { domain: names, range: colours },
    marks: [Plot.line(rows, options), Plot.dot(rows, { ...options, fill: series, r: 2.5 })],
  });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const text = (words, left, top, size, colour) =>
    `<text x="${left}" y="${top}" font-size="${size}" fill="${colour}" text-anchor="start">${words}</text>`;
  const lefts = names.map((_, i) => 12 + names.slice(0, i).reduce((sum, word) => sum + 7.5 * word.length + 34, 0));
  const heading = [
    text(title, 12, 22, 16, '#222'),
    text(subtitle, 12, 40, 12, '#222'),
    ...names.map((word, i) => text(`\u25cf ${word}`, lefts[i], 60, 12, colours[i % colours.length])),
    text(`\u2191 ${y.label}`, 12, 84, 12, '#222'),
  ].join('');
  writeFileSync(new URL(`${name}.svg`, out), svg.outerHTML.replace('</svg>', `${heading}</svg>`));
  console.error(`Wrote experiments/out/${name}.csv and ${name}.svg`);
}
