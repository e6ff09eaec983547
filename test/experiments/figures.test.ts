import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'experiments/main.mjs');
const folder = join(root, 'docs/figures');
const page = readFileSync(join(root, 'docs/figures.md'), 'utf8');
const out = mkdtempSync(join(tmpdir(), 'scumble-figures-'));
afterAll(() => rmSync(out, { recursive: true }));

/** An image, the command that its caption names, and the CSV. */
const embedded = [
  ...page.matchAll(
    /^!\[(?<alt>.+)\]\(figures\/(?<name>\S+)\.svg\)\n\n\*.+: `npm run experiment -- (?<command>.+)`; .+\(figures\/(?<csv>\S+)\.csv\)\.\*$/gm,
  ),
].map(({ groups }) => groups as Record<'alt' | 'name' | 'command' | 'csv', string>);
const names = embedded.map(({ name }) => name).sort();

/** What makes an experiment short; those without take minutes, or need data. */
const short: Readonly<Record<string, readonly string[]>> = {
  'k-ary': ['--runs', '1'],
  'missed-points': ['--trials', '1', '--data', 'Gaussian', '--methods', 'joint-exp'],
  'tuned-t': ['--trials', '1'],
  unbounded: ['--trials', '1'],
};

describe('the page of figures', () => {
  it('embeds each image with its caption, and all that the repository has', () => {
    expect(page.match(/!\[|<img/g)).toHaveLength(embedded.length);
    const files = readdirSync(folder).sort();
    expect(files).toEqual(names.flatMap((name) => [`${name}.csv`, `${name}.svg`]).sort());
    for (const { name, csv } of embedded) expect(csv).toBe(name);
  });

  it('has every experiment, and names no other', () => {
    const { status, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8' });
    expect(status).toBe(2);
    const all = stderr.slice(stderr.lastIndexOf(':') + 1).match(/[\w-]+/g)!;
    const named = [...page.matchAll(/npm run experiment -- ([\w-]+)/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual(all.sort());
    expect([...new Set(embedded.map(({ command }) => command.split(' ')[0]))].sort()).toEqual(all);
  });

  const commands = [...new Set(embedded.map(({ command }) => command))].map((command) => {
    const [experiment, ...options] = command.split(' ') as [string, ...string[]];
    return { experiment, args: [experiment, ...options, ...(short[experiment] ?? [])], command };
  });
  it.each(commands.filter(({ experiment }) => experiment in short))(
    'is drawn by what its captions say: $command',
    ({ args, command }) => {
      const env = { ...process.env, SCUMBLE_FIGURES: join(out, command.replaceAll(' ', '')) };
      execFileSync(process.execPath, [main, ...args], { env, stdio: 'pipe' });
      for (const { name } of embedded.filter((image) => image.command === command)) {
        const [svg, csv] = ['svg', 'csv'].map((ending) => readFileSync(join(env.SCUMBLE_FIGURES, `${name}.${ending}`)));
        expect(new Resvg(svg!.toString()).render().width).toBeGreaterThan(700);
        const columns = (text: string) => text.slice(0, text.indexOf('\n'));
        expect(columns(csv!.toString())).toBe(columns(readFileSync(join(folder, `${name}.csv`), 'utf8')));
      }
    },
  );
});

describe.each(names)('the figure %s', (name) => {
  it('is small, stands alone, and is legible on any page', () => {
    const svg = readFileSync(join(folder, `${name}.svg`), 'utf8');
    expect(svg.length).toBeLessThan(100_000);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]* aria-label="[^"]+"/);
    expect(svg).toMatch(/^<svg [^>]*><rect width="100%" height="100%" fill="white"\/>/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined|<style|href|file:/);
    expect(svg).not.toContain(root);
    expect(() => new Resvg(svg)).not.toThrow();
  });
});
