// Writes the rows of a figure as CSV and draws them as SVG, into the folder that SCUMBLE_FIGURES names or else experiments/out/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as Plot from '@observablehq/plot';
import { DOMParser } from 'linkedom';
import { colours, lookOf } from './looks.mjs';

const out = process.env.SCUMBLE_FIGURES || fileURLToPath(new URL('out/', import.meta.url));
const ink = '#222';
const distinct = (rows, key) => [...new Set(rows.map((row) => row[key]))];

/** Text in the margin; words are numbers and names of this folder, none of which XML would have to escape. */
const text = (words, left, top, size = 12) => `<text x="${left}" y="${top}" font-size="${size}">${words}</text>`;

/** Lines of y against x, one for each series, side by side for each facet; a scale of y may be logarithmic. */
export function writeFigure(name, rows, { title, subtitle, x, y, series, facet, log = false }) {
  const facets = distinct(rows, facet);
  const names = distinct(rows, series);
  const width = Math.max(720, 240 * facets.length);
  const { marks, height: legendHeight } = legend(names, width);
  const top = 76 + legendHeight;
  const { ticks, ...scale } = log ? logarithmic(rows, y.key) : { zero: true, ...y.scale };
  const svg = Plot.plot({
    ...frame(title, width, 336 + top),
    marginTop: top + 28,
    marginLeft: 56,
    x: { ...axis, label: x.label, tickSpacing: 40, tickFormat, ...x.scale },
    y: { ...scale, label: null },
    fx: { label: null, domain: facets },
    marks: [
      Plot.gridY({ ticks }),
      // As text, because a logarithmic axis leaves out labels by a rule of its own.
      Plot.axisY({ ticks, ...(ticks && { text: tickFormat }), tickFormat }),
      ...names.flatMap((word, i) => {
        const { colour, dash, symbol } = lookOf(word, i);
        const [own, place] = [rows.filter((row) => row[series] === word), { x: x.key, y: y.key, fx: facet }];
        return [
          Plot.line(own, { ...place, stroke: colour, strokeDasharray: dash }),
          Plot.dot(own, { ...place, fill: colour, symbol, r: 2.5 }),
        ];
      }),
    ],
  });
  write(name, rows, svg, [...titles(title, subtitle), ...marks, text(`\u2191 ${y.label}`, 12, top)]);
}

/** A row for each thing compared, its value as a dot and the range from `low` to `high` as a bar; rows without a value are named. */
export function writeComparison(name, rows, { title, subtitle, thing, value, low, high, label, facet, absent }) {
  const facets = distinct(rows, facet);
  const things = distinct(rows, thing);
  const [known, unknown] = [rows.filter((row) => row[value] !== ''), rows.filter((row) => row[value] === '')];
  const place = { y: thing, fx: facet };
  const svg = Plot.plot({
    ...frame(title, 252 + 260 * facets.length, 120 + 28 * things.length),
    marginTop: 84,
    marginLeft: 236,
    x: { ...axis, label, grid: true, inset: 8 },
    y: { label: null, domain: things },
    fx: { label: null, domain: facets },
    marks: [
      Plot.ruleY(known, { ...place, x1: low, x2: high, stroke: colours[0], strokeWidth: 2, strokeOpacity: 0.4 }),
      Plot.dot(known, { ...place, x: value, fill: colours[0], r: 4 }),
      Plot.text(unknown, { ...place, text: absent, frameAnchor: 'left', dx: 8, fill: '#666' }),
    ],
  });
  write(name, rows, svg, titles(title, subtitle));
}

const axis = { labelAnchor: 'center', labelArrow: 'none', labelOffset: 38 };
const tickFormat = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
const titles = (title, subtitle) => [text(title, 12, 22, 16), text(subtitle, 12, 42)];

function frame(title, width, height) {
  const document = new DOMParser().parseFromString('<svg />', 'image/svg+xml');
  const style = { fontFamily: 'sans-serif', fontSize: '12px', color: ink };
  return { document, width, height, marginBottom: 48, ariaLabel: title, style };
}

/** From 1, 2 or 5 times a power of ten to another; ticks there, or at the powers alone where there are many. Zero has no place. */
function logarithmic(rows, key) {
  const values = rows.map((row) => row[key]).filter((value) => value > 0);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  const steps = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  const domain = [steps.findLast((step) => step <= least), steps.find((step) => step >= most)];
  const ticks = last - first > 3 ? powers : steps;
  return { type: 'log', domain, ticks: ticks.filter((tick) => tick >= domain[0] && tick <= domain[1]) };
}

/** Each name beside a piece of its line, in as many rows as it takes. */
function legend(names, width) {
  let [left, top] = [12, 64];
  const marks = names.map((word, i) => {
    const room = 7 * word.length + 44;
    if (left + room > width) [left, top] = [12, top + 18];
    const { colour, dash, glyph } = lookOf(word, i);
    const line = `<path d="M${left},${top - 4}h24" stroke="${colour}" stroke-width="1.5" stroke-dasharray="${dash}"/>`;
    const entry = `<g fill="${colour}">${line}${glyph(left + 12, top - 4)}</g>${text(word, left + 29, top)}`;
    left += room;
    return entry;
  });
  return { marks, height: top - 46 };
}

/** Plot's style sheet is for pages, not for SVG viewers; the paper is white on a dark page too; hundredths of a pixel do. */
function write(name, rows, svg, margin) {
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.removeAttribute('class');
  svg.querySelector('style').remove();
  const paper = '<rect width="100%" height="100%" fill="white"/>';
  const around = `${paper}<g text-anchor="start" fill="${ink}">${margin.join('')}</g>`;
  const drawing = svg.outerHTML
    .replace(/>/, `>${around}`)
    .replace(/="[^"]*"/g, (attribute) => attribute.replace(/\d+\.\d{3,}/g, (number) => Number(number).toFixed(2)));
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.csv`), csvOf(rows));
  writeFileSync(join(out, `${name}.svg`), `${drawing}\n`);
  console.error(`Wrote ${name}.csv and ${name}.svg into ${relative('', out)}`);
}

function csvOf(rows) {
  const keys = Object.keys(rows[0]);
  const cell = (v) => (typeof v === 'number' ? Number(v.toPrecision(6)) : v.includes(',') ? `"${v}"` : v);
  return [keys, ...rows.map((row) => keys.map((key) => cell(row[key])))].map((line) => `${line.join(',')}\n`).join('');
}
