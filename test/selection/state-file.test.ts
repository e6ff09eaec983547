import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { failed } from '../../src/selection/index.js';
import { stateFile } from '../../src/selection/state-file.js';

const fresh = () => join(mkdtempSync(join(tmpdir(), 'scumble-state-')), 'tune.state');
const worker = fileURLToPath(new URL('state-worker.mjs', import.meta.url));
const run = promisify(execFile);

describe('a state file', () => {
  it('gives back what was put on record, and is its owner’s alone', async () => {
    const path = fresh();
    const state = stateFile<{ a: number }>(path);
    expect(await state.load()).toBeUndefined();
    await state.note('reservation', '7');
    await state.begin('print', 5);
    await state.started(0);
    await state.started(1);
    await state.finished(1, { output: { a: 1 }, score: 0.25 });
    await state.started(2);
    await state.finished(2, failed);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await state.close();
    const saved = await stateFile(path).load();
    expect(saved).toEqual({
      fingerprint: 'print',
      runs: 5,
      outcomes: [undefined, { output: { a: 1 }, score: 0.25 }, failed],
      notes: { reservation: '7' },
    });
  });

  it('leaves nothing behind when it is removed', async () => {
    const path = fresh();
    const state = stateFile(path);
    await state.begin('print', 1);
    await state.remove();
    expect(existsSync(path)).toBe(false);
    expect(await state.load()).toBeUndefined();
  });

  it('is held by one process at a time', async () => {
    const path = fresh();
    const state = stateFile(path);
    await state.begin('print', 1);
    await expect(stateFile(path).load()).rejects.toThrow(/in use by another process/);
    await state.close();
    expect(await stateFile(path).load()).toBeDefined();
  });

  it.each(['a,b\n1,2\n'.repeat(100), 'x'])(
    'does not take another file for one, and leaves it as it is',
    async (text) => {
      const path = fresh();
      writeFileSync(path, text);
      const state = stateFile(path);
      await expect(state.load()).rejects.toThrow(/file of another kind/);
      await expect(state.begin('print', 1)).rejects.toThrow(/file of another kind/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('a directory that is not there is said', async () => {
    await expect(stateFile('/nowhere/x.state').begin('print', 1)).rejects.toThrow(/cannot be written/);
  });
});

describe('a selection that is killed', () => {
  it('is resumed as often as it takes, and makes no run twice', async () => {
    const path = fresh();
    const log = `${path}.log`;
    const made = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0);
    let answer = '';
    for (let kills = 0; answer === ''; kills++) {
      const child = spawn(process.execPath, [worker, path, log, kills > 0 ? 'resume' : ''], { stdio: 'pipe' });
      child.stdout.on('data', (data) => (answer += data));
      // After ten more runs each, three times.
      const timer = setInterval(() => kills < 3 && made() >= 10 * (kills + 1) && child.kill('SIGKILL'), 2);
      const code = await new Promise((resolve) => child.on('close', resolve));
      clearInterval(timer);
      if (answer === '') expect(code).toBeNull();
    }
    expect(JSON.parse(answer).outcome).toBe('selected');
    // 60 runs, but for those of the law that stop before; each was made once at most.
    expect(made()).toBeLessThanOrEqual(60);
    expect(existsSync(path)).toBe(false);
  });

  it('says so when there is nothing to resume', async () => {
    await expect(run(process.execPath, [worker, fresh(), '/dev/null', 'resume'])).rejects.toThrow(/nothing to resume/);
  });
});
