import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../experiments/main.mjs', import.meta.url));

function experiment(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const { SCUMBLE_DATA: _, ...env } = process.env;
    const child = spawn(process.execPath, [main, ...args], { env });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject).on('close', (code) => resolve({ code, stderr }));
  });
}

describe('an experiment that is called wrongly', () => {
  it.each([
    [[], 'The name of an experiment is missing.'],
    [['constructor'], 'There is no experiment "constructor".'],
    [['missed-points', '--foo'], "Unknown option '--foo'; the options are --trials, --epsilon, --methods, "],
    [['missed-points', '--epsilon', 'x'], '--epsilon must be a number greater than 0 and at most 100, not "x".'],
    [['missed-points', '--epsilon='], '--epsilon must be a number greater than 0'],
    [['missed-points', '--trials', '0'], '--trials must be a whole number of at least 1, not "0".'],
    [['missed-points', '--counts', '5,,7'], '--counts must be a whole number of at least 1, or several with commas'],
    [['missed-points', '--methods', 'joint-exp,magic'], '--methods must be one of joint-exp, '],
    [['missed-points', '--relation', 'both'], '--relation must be one of add-remove, swap, not "both".'],
    [['missed-points', '--data', 'x', '--trials', '1'], '--data must be how one of these begins: Gaussian, sd 5; '],
    [['missed-points', '--methods=smooth', '--relation=add-remove', '--trials=1'], 'smooth'],
    [['missed-points', '--trials'], "Option '--trials <value>' argument missing; the options are "],
    [['k-ary', '--runs', '1.5'], '--runs must be a whole number'],
    [['k-ary', '--global-rank-not-private=1'], "Option '--global-rank-not-private' does not take an argument; "],
    [['time', 'quickly'], "Unexpected argument 'quickly'; this experiment takes none."],
    [['ties'], 'adult/adult.data is absent: set SCUMBLE_DATA.'],
    [['tuned-t', '--trials', '-1'], "Option '--trials' argument is ambiguous; the options are --trials."],
    [['tuning', '--epsilons', '1;2'], '--epsilons must be a number greater than 0'],
    [['unbounded', '--x'], "Unknown option '--x'; the options are --trials."],
    [['ties', '--x'], "Unknown option '--x'; this experiment takes none."],
  ])('%j: one sentence, how it is called, and code 2', async (args, sentence) => {
    const { code, stderr } = await experiment(args);
    expect(code).toBe(2);
    const [said, usage, ...more] = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('is absent (SCUMBLE_DATA)'));
    expect(said).toContain(sentence);
    expect(said).toMatch(/\.$/);
    expect(usage).toMatch(/^Usage: npm run experiment -- <name> \[options\], with one of: k-ary, /);
    expect(more).toEqual([]);
  });
});
