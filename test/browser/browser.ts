import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const installed = [
  process.env.CHROME_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

export interface Page {
  /** Rejects when the browser ends by itself. */
  readonly ended: Promise<never>;
  close(): Promise<void>;
}

/** Opens a page in a real browser without a window. */
export async function openPage(url: string): Promise<Page> {
  const { path, env } = await browser();
  const profile = mkdtempSync(join(tmpdir(), 'scumble-browser-'));
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, url], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  let talk = '';
  child.stderr.on('data', (text) => (talk += text));
  const ended = new Promise<never>((_, reject) => {
    child.on('error', reject).on('close', (code) => reject(new Error(`The browser ended with code ${code}: ${talk}`)));
  });
  return {
    ended,
    async close() {
      child.kill('SIGKILL');
      await ended.catch(() => {});
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** The pinned Chromium where its package has one (Linux on x64), else one that the machine has; without any the test fails. */
async function browser(): Promise<{ path: string; env: NodeJS.ProcessEnv }> {
  if (process.platform === 'linux' && process.arch === 'x64') return unpacked();
  const path = installed.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error('No browser was found: set CHROME_PATH to a Chrome or Chromium.');
  return { path, env: process.env };
}

/**
 * Unpacks the pinned Chromium once, with the libraries that a bare machine lacks. The package unpacks into the temporary
 * directory and takes what lies there for whole, so it gets one of its own, which is moved to its place when complete.
 */
async function unpacked() {
  const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8'));
  const cache = join(modules, '.cache/scumble');
  const home = join(cache, `chromium-${version}`);
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true });
    const fresh = mkdtempSync(join(cache, 'unpacking-'));
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
    // It brings its libraries only where it believes to be on the platform that lacks them.
    const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env, cwd: modules });
    try {
      renameSync(fresh, home);
    } catch (error) {
      // Another run was first.
      if (!existsSync(home)) throw error;
      rmSync(fresh, { recursive: true });
    }
  }
  return { path: join(home, 'chromium'), env: { ...process.env, LD_LIBRARY_PATH: join(home, 'al2023/lib') } };
}
