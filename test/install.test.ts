import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('../scripts/install.mjs', import.meta.url));

const compiler = { version: '1.0.0', integrity: 'sha512-a', dev: true };
const pinned = {
  '': { name: 'mine', version: '0.1.0' },
  'node_modules/compiler': compiler,
  'node_modules/for-another-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};

/** What the script asks npm for in a checkout with these packages installed; undefined when it asks for nothing. */
function askedFor(installed: object | undefined): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'scumble-install-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ['scripts', 'bin', 'node_modules']) mkdirSync(join(root, name));
  copyFileSync(script, join(root, 'scripts', 'install.mjs'));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: pinned }));
  if (installed)
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
  writeFileSync(join(root, 'bin', 'npm'), '#!/bin/sh\necho "$@" > asked\n');
  chmodSync(join(root, 'bin', 'npm'), 0o755);
  const env = { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` };
  execFileSync(process.execPath, [join(root, 'scripts', 'install.mjs')], { cwd: tmpdir(), env, stdio: 'pipe' });
  const asked = join(root, 'asked');
  return existsSync(asked) ? readFileSync(asked, 'utf8').trim() : undefined;
}

describe.skipIf(process.platform === 'win32')('the install before every script', () => {
  const all = 'ci --include=dev --no-audit --no-fund';

  it.each([
    ['nothing is installed', undefined],
    ['a package is missing', {}],
    ['a package has another version', { 'node_modules/compiler': { ...compiler, version: '0.9.0' } }],
    ['a package has other content', { 'node_modules/compiler': { ...compiler, integrity: 'sha512-z' } }],
  ])('asks npm for the pinned packages, those of development too, when %s', (_, installed) => {
    expect(askedFor(installed)).toBe(all);
  });

  it('asks for nothing when they are there, up to those for other platforms', () => {
    expect(askedFor({ 'node_modules/compiler': compiler })).toBeUndefined();
  });
});
