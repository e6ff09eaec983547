import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directory, inProcess } from './command.js';

/** A program whose score is a third of its parameter, and that notes each run. */
const program = `
import { appendFileSync } from 'node:fs';
const [log, value, epsilon, delta] = process.argv.slice(2);
appendFileSync(log, value + ' ' + epsilon + ' ' + delta + '\\n');
console.log('training');
console.log(JSON.stringify({ score: Number(value) / 3, output: { trained: value } }));
`;

/** A directory with the program and a file for it; returns what the command needs. */
function tuning(tune: Record<string, unknown> = {}, code = program) {
  const place = directory({ 'train.mjs': code });
  const log = join(place, 'runs.log');
  const file = join(place, 'tune.yaml');
  const all = {
    parameters: { value: [0, 1, 2, 3] },
    command: [process.execPath, join(place, 'train.mjs'), log, '{value}', '{epsilon}', '{delta}'],
    total: { epsilon: 1, delta: 1e-6 },
    score: { min: 0, max: 1 },
    stopping: { rule: 'hard-stopping', gamma: 0.05, cap: 200 },
    dataset: 'people',
    ledger: join(place, 'ledger.db'),
    concurrency: 2,
    ...tune,
  };
  writeFileSync(file, JSON.stringify(all)); // JSON is YAML
  const runs = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { place, file, runs, ledger: all.ledger };
}

const words = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('scumble select', () => {
  it('prints the selected setting, its output and the guarantee of the whole, and keeps the account', async () => {
    const { file, runs, ledger } = tuning();
    const { code, stdout, stderr } = await inProcess(['select', file, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        outcome: 'selected',
        guarantee: { relation: 'add-remove', unit: 'row', epsilon: 1, delta: 1e-6 },
        dataset: 'people',
        ledger: { reserved: { epsilon: '1', delta: '0.000001' }, remaining: null },
      },
    ]);
    const { parameters, score, output } = JSON.parse(stdout);
    expect(score).toBe(parameters.value / 3);
    expect(output).toEqual({ trained: String(parameters.value) });
    // Every run got the same price, less than a third of the total would be by the theorem without its refinement.
    const prices = new Set(runs().map((line) => line.split(' ').slice(1).join(' ')));
    expect(prices.size).toBe(1);
    expect(Number([...prices][0]!.split(' ')[0])).toBeGreaterThanOrEqual(1 / 3);
    // Neither how many runs there were nor another score is to be seen.
    expect(stdout + stderr).not.toMatch(/run \d|\bruns\b/);
    const { stdout: history } = await inProcess(['ledger', 'people', '--ledger', ledger, '--json']);
    expect(history).toMatch(/select\/hard-stopping.*committed/s);
  });

  it('prints a table for people', async () => {
    const { file } = tuning({ parameters: [{ value: 3 }] });
    const { code, stdout, stderr } = await inProcess(['select', file]);
    expect([code, stdout]).toEqual([0, 'value   3\nscore   1\noutput  {"trained":"3"}\n']);
    expect(words(stderr)).toMatch(/Guarantee of the whole selection, not of one run: adding or removing any one row/);
  });

  it('with --dry-run prints the price and runs nothing', async () => {
    const { file, runs, ledger } = tuning({ run: { epsilon: 0.1, delta: 1e-8 }, total: undefined });
    const { code, stdout } = await inProcess(['select', file, '--dry-run', '--json']);
    expect(code).toBe(0);
    const plan = JSON.parse(stdout);
    expect(plan).toMatchObject({
      rule: 'hard-stopping',
      settings: 4,
      run: { epsilon: 0.1, delta: 1e-8 },
      runs: { most: 200 },
    });
    expect(plan.total.epsilon).toBeGreaterThan(0.1);
    expect(plan.total.epsilon).toBeLessThanOrEqual(0.31);
    expect(plan.total.delta).toBeLessThanOrEqual(1e-8 / 0.05);
    expect([runs(), existsSync(ledger)]).toEqual([[], false]);
  });

  it('is refused by the budget before anything is run', async () => {
    const { file, runs, ledger } = tuning();
    await inProcess(['budget', 'set', 'people', '--epsilon', '0.5', '--ledger', ledger]);
    expect((await inProcess(['select', file])).code).toBe(3);
    expect(runs()).toEqual([]);
  });
});

describe('a run of a program', () => {
  it.each([
    ['fails', 'process.exit(3)'],
    ['prints no JSON', "console.log('score 1')"],
    ['prints nothing', ''],
    ['prints no score', "console.log('{}')"],
    ['prints a score out of range', `console.log('{"score": 1.5}')`],
    ['prints a score of text', `console.log('{"score": "1"}')`],
    ['prints a score of null', `console.log('{"score": null}')`],
    ['hangs', 'setInterval(() => {}, 1000)'],
    [
      'leaves a process behind that holds its output',
      `import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref(); setInterval(() => {}, 1000)`,
    ],
  ])(
    'that %s is ranked below all others: with no other there is none, which is code 0 and paid for',
    async (_, code) => {
      const { file } = tuning({ timeout: 0.6, stopping: { rule: 'hard-stopping', gamma: 0.9, cap: 3 } }, code);
      const found = await inProcess(['select', file, '--json']);
      expect([found.code, JSON.parse(found.stdout)]).toMatchObject([
        0,
        { outcome: 'none', guarantee: { epsilon: 1 }, ledger: { reserved: { epsilon: '1' } } },
      ]);
      expect(words(found.stderr)).toMatch(/none: no run gave an answer/);
    },
  );

  it('shows what it says only with --unsafe-report', async () => {
    const { file } = tuning();
    const { stderr } = await inProcess(['select', file, '--unsafe-report']);
    expect(stderr).toMatch(/UNSAFE +run \d+: value \d: score/);
  });
});

describe('a file for scumble select', () => {
  it.each([
    [{ total: undefined }, /price must be given as run or as total/],
    [{ run: { epsilon: 0.9 } }, /more than the total that is given; leave one/],
    [{ total: { epsilon: 0 } }, /total.epsilon/],
    [{ stopping: { rule: 'best' } }, /stopping/],
    [{ stopping: { rule: 'random-stopping', gamma: 0 } }, /gamma/],
    [{ stopping: { rule: 'random-stopping', gamma: 0.1, cap: 3 } }, /there is no key cap/],
    [
      { stopping: { rule: 'random-stopping', gamma: 0.1 }, maxRuns: 50 },
      /may need any number of runs, more than 50; hard-stopping has a cap/,
    ],
    [{ maxRuns: 50 }, /may need 200 runs, more than 50/],
    [{ score: { min: 1, max: 0 } }, /score: min must be less than max/],
    [{ parameters: {} }, /command names \{value\}/],
    [{ parameters: { value: [] } }, /parameters/],
    [{ parameters: { value: [1], other: [2] } }, /does not use the parameter other/],
    [{ parameters: { value: [1], epsilon: [2] } }, /must not be called epsilon/],
    [{ command: 'no-such-program-here {value}' }, /no-such-program-here of the command is not found/],
    [{ dataset: undefined }, /dataset/],
    [{ color: 'red' }, /there is no key color/],
  ])('that says %j is refused with code 2, and nothing is run or spent', async (wrong, sentence) => {
    const { file, runs, ledger } = tuning(wrong);
    const { code, stdout, stderr } = await inProcess(['select', file]);
    expect([code, stdout]).toEqual([2, '']);
    expect(words(stderr)).toMatch(sentence);
    expect([runs(), existsSync(ledger)]).toEqual([[], false]);
  });

  it('that is not there or no YAML is code 4', async () => {
    const place = directory({ 'bad.yaml': 'a: [1' });
    expect(await inProcess(['select', join(place, 'bad.yaml')])).toMatchObject({ code: 4 });
    expect(await inProcess(['select', join(place, 'none.yaml')])).toMatchObject({ code: 4 });
  });

  it('may write the command as one text, split into words without a shell', async () => {
    const { file, runs } = tuning();
    const text = readFileSync(file, 'utf8');
    const { command } = JSON.parse(text);
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(text), command: command.map((w: string) => `"${w}"`).join(' ') }),
    );
    expect((await inProcess(['select', file])).code).toBe(0);
    expect(runs().length).toBeGreaterThan(0);
  });
});

describe('a selection with a state', () => {
  it('is removed at the end; with another one begun there it is refused before it is paid for', async () => {
    const { place, file, ledger } = tuning();
    const state = join(place, 'tune.state');
    expect((await inProcess(['select', file, '--state', state])).code).toBe(0);
    expect(existsSync(state)).toBe(false);
    const nothing = await inProcess(['select', file, '--state', state, '--resume']);
    expect([nothing.code, words(nothing.stderr)]).toMatchObject([
      2,
      expect.stringMatching(/holds no selection to resume/),
    ]);
    const { stdout } = await inProcess(['ledger', 'people', '--ledger', ledger, '--json']);
    expect(stdout.match(/committed/g)).toHaveLength(1);
  });
});
