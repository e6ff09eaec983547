// Installs the pinned dependencies when a checkout has none yet or others, so that every npm script works at once.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** The packages that a lock file names; none where there is no such file. */
function packagesOf(lock) {
  try {
    return JSON.parse(readFileSync(new URL(lock, root), 'utf8')).packages;
  } catch {
    return {};
  }
}

// npm notes here what it has installed. Optional packages may be for another platform.
const installed = packagesOf('node_modules/.package-lock.json');
const isInstalled = ([path, { version, integrity, optional }]) =>
  path === '' ||
  (installed[path] ? installed[path].version === version && installed[path].integrity === integrity : optional);

if (!Object.entries(packagesOf('package-lock.json')).every(isInstalled)) {
  console.error('scumble: installing the pinned dependencies (npm ci)');
  // Also where NODE_ENV=production would leave the compiler out.
  const { status } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
