import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { plotQuantiles } from '../../src/cli/plot.js';
import type { QuantilesRelease } from '../../src/quantiles/quantiles.js';

const deciles = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const delays = [-16, -11, -7, -4, -1, 3, 7, 15, 35];

function release(
  quantiles: readonly number[],
  values: readonly number[],
  more: Partial<QuantilesRelease> = {},
): QuantilesRelease {
  return {
    quantiles,
    values,
    guarantee: { relation: 'add-remove', unit: 'row', epsilon: 1, delta: 0 },
    mechanism: 'joint-exp',
    lattice: { lower: -100, upper: 1500, step: 1 },
    forecast: { expectedRankError: quantiles.map(() => 3), rankError95: quantiles.map(() => 9) },
    ...more,
  };
}

function draw(of: QuantilesRelease, column = 'delay', valueUnit?: string): string {
  return plotQuantiles({ release: of, texts: of.values.map(String), column, valueUnit });
}

/** The x and y of every dot, in pixels. */
function dots(svg: string): { x: number; y: number }[] {
  const group = /<g[^>]*aria-label="dot"[^>]*>(.*?)<\/g>/s.exec(svg)?.[1] ?? '';
  return group
    .split('<circle')
    .slice(1)
    .map((circle) => ({ x: Number(/cx="([^"]+)"/.exec(circle)?.[1]), y: Number(/cy="([^"]+)"/.exec(circle)?.[1]) }));
}

describe('the plot', () => {
  it('is one svg element with its namespace, and an SVG renderer accepts it', () => {
    const svg = draw(release(deciles, delays), 'delay', 'minutes');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
    expect(svg.match(/<svg/g)).toHaveLength(1);
    expect(svg).not.toMatch(/<figure|<style/);
    expect(new Resvg(svg).render().width).toBe(760);
  });

  it('is titled, names the guarantee and labels both axes with units', () => {
    const svg = draw(release(deciles, delays), 'delay', 'minutes');
    for (const text of [
      '>Private quantiles of delay<',
      '>epsilon 1, add-remove, per row<',
      '>↑ delay (minutes)<',
      '>quantile (share of rows below the value)<',
    ])
      expect(svg).toContain(text);
  });

  it('puts each released value at its quantile, higher values higher, whatever the order asked', () => {
    const places = dots(draw(release(deciles, delays)));
    expect(places).toHaveLength(9);
    const across = places.map(({ x }) => x);
    expect(across[8]! - across[0]!).toBeCloseTo(8 * (across[1]! - across[0]!), 6);
    for (let i = 1; i < 9; i++) expect(places[i]!.y).toBeLessThan(places[i - 1]!.y);
    expect((places[0]!.y - places[8]!.y) / (places[7]!.y - places[8]!.y)).toBeCloseTo(51 / 20, 6);
    expect(dots(draw(release([...deciles].reverse(), [...delays].reverse())))).toEqual(places);
    expect(dots(draw(release([...deciles, 0.5], [...delays, -1])))).toEqual(places);
  });

  it('has an error band exactly where the number of rows was declared', () => {
    const forecast = { expectedRankError: [], rankError95: [], rankError95Share: deciles.map(() => 0.03) };
    const banded = draw(release(deciles, delays, { forecast }));
    expect(banded).toContain('aria-label="area"');
    expect(banded).toContain('at most 3.0 % of the rows');
    expect(draw(release(deciles, delays))).not.toMatch(/aria-label="area"|band/);
  });

  it('says when the noise was seeded', () => {
    expect(draw(release(deciles, delays, { unsafeSeed: 1 }))).toContain('NOT private');
  });

  it.each([
    ['one quantile', release([0.5], [7])],
    [
      'one value',
      release(
        deciles,
        deciles.map(() => 7),
      ),
    ],
    ['the whole range of doubles', release([0.1, 0.9], [-8e307, 8e307])],
    ['tiny values', release([0.1, 0.9], [1e-300, 2e-300])],
    [
      'many quantiles',
      release(
        Array.from({ length: 999 }, (_, i) => (i + 1) / 1000),
        Array.from({ length: 999 }, (_, i) => i),
      ),
    ],
  ])('draws %s inside the picture', (_, of) => {
    const svg = draw(of);
    expect(svg).not.toMatch(/NaN|Infinity/);
    for (const { x, y } of dots(svg)) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(760);
      expect(y).toBeGreaterThan(100);
      expect(y).toBeLessThan(460);
    }
    expect(dots(svg)).toHaveLength(new Set(of.quantiles).size);
  });

  it('cuts long names, never the unit of the values nor the rows of a unit', () => {
    const unit = { column: 'name of the passenger '.repeat(5), maxRows: 5 };
    const guarantee = { relation: 'add-remove', unit, epsilon: 1, delta: 0 } as const;
    const svg = draw(release(deciles, delays, { guarantee }), `delay ${'of the flight '.repeat(10)}`, 'minutes');
    expect(svg).toMatch(/>↑ delay of the flight [^<]*… \(minutes\)</);
    expect(svg).toMatch(/>Private quantiles of delay of the flight [^<]*…</);
    expect(svg).toMatch(/>epsilon 1, add-remove, per name of [^<]*… \(at most 5 rows each\)</);
    for (const [, label] of svg.matchAll(/>([^<]*…[^<]*)</g)) expect(label!.length).toBeLessThan(95);
    const longUnit = draw(release(deciles, delays), 'delay', 'minutes '.repeat(30));
    expect(longUnit).toMatch(/>↑ delay \(minutes [^<]*…\)</);
  });

  it('escapes names, whatever they hold', () => {
    const svg = draw(release(deciles, delays), `a "b" <c> & 'd' \u0001${'long '.repeat(40)}`, '<b>');
    for (const raw of ['<c>', '<b>', '\u0001']) expect(svg).not.toContain(raw);
    expect(() => new Resvg(svg)).not.toThrow();
  });
});
