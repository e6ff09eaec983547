import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directory, inProcess } from './command.js';

const csv = 'x\n1\n2\n';

/** A release of `file` in `cwd` that asks for a plot, with the ledger in `ledger`. */
function release(cwd: string, plot: string, file = 'x.csv', ledger = 'l.db') {
  const place = [join(cwd, file), '--format=csv', `--ledger=${join(cwd, ledger)}`, `--plot=${join(cwd, plot)}`];
  const what = ['--column=x', '--bounds=0,10', '--quantiles=quartiles', '--epsilon=1'];
  return inProcess(['quantiles', ...place, ...what]);
}

async function expectRefused(result: ReturnType<typeof release>): Promise<void> {
  const { code, stdout, stderr } = await result;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^scumble: --plot must be [^\n]+\.\n$/);
}

describe('--plot never writes over', () => {
  it('a ledger, whose spends stay', async () => {
    const cwd = directory({ 'x.csv': csv });
    expect((await release(cwd, 'x.svg')).code).toBe(0);
    const before = readFileSync(join(cwd, 'l.db'));
    symlinkSync(join(cwd, 'l.db'), join(cwd, 'link.svg'));
    await expectRefused(release(cwd, 'l.db'));
    await expectRefused(release(cwd, 'link.svg'));
    expect(readFileSync(join(cwd, 'l.db')).equals(before)).toBe(true);
  });

  it('a ledger that has the ending of a plot, there or not yet', async () => {
    const cwd = directory({ 'x.csv': csv });
    await expectRefused(release(cwd, 'l.svg', 'x.csv', 'l.svg'));
    await expectRefused(release(cwd, 'new/l.svg', 'x.csv', 'new/l.svg'));
    symlinkSync(join(cwd, 'l.svg'), join(cwd, 'later.db'));
    await expectRefused(release(cwd, 'l.svg', 'x.csv', 'later.db'));
    expect(readdirSync(cwd).sort()).toEqual(['later.db', 'x.csv']);
    expect((await release(cwd, 'x.svg', 'x.csv', 'l.svg')).code).toBe(0);
    await expectRefused(release(cwd, 'l.svg'));
  });

  it.each(['x.csv', 'x.svg', 'link.svg', 'X.SVG'])('the data, by the name %s', async (plot) => {
    const cwd = directory({ 'x.csv': csv, 'x.svg': csv });
    symlinkSync(join(cwd, 'x.svg'), join(cwd, 'link.svg'));
    await expectRefused(release(cwd, plot, 'x.svg'));
    expect(readFileSync(join(cwd, 'x.svg'), 'utf8')).toBe(csv);
    expect(existsSync(join(cwd, 'l.db'))).toBe(false);
  });

  it('one of the files of a glob', async () => {
    const cwd = directory({ 'p1.svg': csv, 'p2.svg': csv });
    await expectRefused(release(cwd, 'p1.svg', 'p*.svg'));
    expect(readFileSync(join(cwd, 'p1.svg'), 'utf8')).toBe(csv);
  });

  it('a file that a link of the right ending leads to', async () => {
    const cwd = directory({ 'x.csv': csv, 'notes.txt': '<p>' });
    symlinkSync(join(cwd, 'notes.txt'), join(cwd, 'notes.svg'));
    await expectRefused(release(cwd, 'notes.svg'));
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('<p>');
    for (const [from, to] of ['ab', 'ba']) symlinkSync(join(cwd, `${to}.svg`), join(cwd, `${from}.svg`));
    await expectRefused(release(cwd, 'a.svg'));
  });
});

it('--plot replaces a plot, also behind a link, and leaves no other file', async () => {
  const cwd = directory({ 'x.csv': csv, 'old.svg': '<svg/>', 'empty.SVG': '' });
  mkdirSync(join(cwd, 'plots'));
  symlinkSync(join(cwd, 'plots', 'new.svg'), join(cwd, 'link.svg'));
  for (const plot of ['old.svg', 'empty.SVG', 'link.svg', 'link.svg']) {
    expect((await release(cwd, plot)).code).toBe(0);
    expect(readFileSync(join(cwd, plot), 'utf8')).toMatch(/^<svg xmlns=/);
  }
  expect(readdirSync(join(cwd, 'plots'))).toEqual(['new.svg']);
  expect(
    readdirSync(cwd)
      .filter((name) => !name.startsWith('l.db'))
      .sort(),
  ).toEqual(['empty.SVG', 'link.svg', 'old.svg', 'plots', 'x.csv'].sort());
});
