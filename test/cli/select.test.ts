import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { directory, inProcess, start } from './command.js';

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

/** A rule that needs thousands of runs. */
const searching = {
  run: { epsilon: 0.05 },
  total: undefined,
  stopping: {
    ...{ rule: 'unknown-threshold', grid: 4, searchEpsilon: 12, couplingSlack: 0.5, capSlack: 0.5 },
    ...{ delta: 0.01, beta: 0.2 },
  },
  maxRuns: 20_000,
};

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

  it('with --dry-run shows the runs of a search for the threshold, and runs none', async () => {
    const { file, runs } = tuning(searching);
    const { code, stdout } = await inProcess(['select', file, '--dry-run', '--json']);
    const plan = JSON.parse(stdout);
    expect([code, plan]).toMatchObject([0, { rule: 'unknown-threshold', run: { epsilon: 0.05, delta: 0 } }]);
    expect(plan.runs.expected).toBeGreaterThan(1000);
    expect(plan.runs.most).toBeGreaterThan(plan.runs.expected);
    expect(plan.total.epsilon).toBeGreaterThan(12);
    expect(plan.total).toMatchObject({ delta: 0.01 });
    expect(runs()).toEqual([]);
  });

  it('is refused by the budget before anything is run', async () => {
    const { file, runs, ledger } = tuning();
    await inProcess(['budget', 'set', 'people', '--epsilon', '0.5', '--ledger', ledger]);
    expect((await inProcess(['select', file])).code).toBe(3);
    expect(runs()).toEqual([]);
  });
});

describe('a search for the threshold', () => {
  it('is run before the runs that may be the answer, and is paid for with them', async () => {
    // So dear that few runs are enough.
    const stopping = {
      ...{ rule: 'unknown-threshold', grid: 2, searchEpsilon: 1000, couplingSlack: 0.99, capSlack: 1 },
      ...{ delta: 0.5, beta: 0.3 },
    };
    const run = { epsilon: 0.01 };
    const { file, runs } = tuning({ parameters: { value: [3] }, run, total: undefined, stopping, maxRuns: 2000 });
    const { stdout: priced } = await inProcess(['select', file, '--dry-run', '--json']);
    const { runs: planned, total } = JSON.parse(priced);
    const { code, stdout, stderr } = await inProcess(['select', file, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { outcome: 'selected', score: 1, guarantee: total }]);
    expect(total.epsilon).toBeGreaterThan(1000);
    expect(runs().length).toBeGreaterThan(50);
    expect(runs().length).toBeLessThan(planned.expected);
    expect(stdout + stderr).not.toMatch(/threshold \d|\bruns\b/);
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
    [{ run: { epsilon: 0.9 } }, /which is not the total that is given; leave one/],
    [{ total: { epsilon: 0 } }, /total.epsilon/],
    [{ stopping: { rule: 'best' } }, /stopping/],
    [{ stopping: { rule: 'random-stopping', gamma: 0 } }, /gamma/],
    [{ stopping: { rule: 'random-stopping', gamma: 0.1, cap: 3 } }, /there is no key cap/],
    [
      { stopping: { rule: 'random-stopping', gamma: 0.1 }, maxRuns: 50 },
      /may need any number of runs, more than 50; use hard-stopping, which has a cap/,
    ],
    [{ maxRuns: 50 }, /may need 200 runs, more than 50/],
    [
      { stopping: { rule: 'threshold', tau: 2, gamma: 0.1 } },
      /stopping\.tau must be within the scores, .*here 1: no run/,
    ],
    [{ ...searching, maxRuns: undefined }, /give maxRuns, the most you allow/],
    [{ ...searching, maxRuns: 1000 }, /The combined algorithm needs \d{5} runs; the option maxRuns allows 1000/],
    [{ ...searching, run: { epsilon: 1 } }, /needs about \d\.\de\d+ runs|needs \d+ runs/],
    [{ ...searching, run: undefined, total: { epsilon: 12, delta: 1e-3 } }, /search and the cap alone cost epsilon/],
    [{ ...searching, stopping: { ...searching.stopping, beta: 2 } }, /beta must be .* not 2/],
    [{ score: { min: 1, max: 0 } }, /score\.max must be a number greater than score\.min, not 0/],
    [{ parameters: {} }, /command names \{value\}/],
    [{ parameters: { value: [] } }, /parameters/],
    [{ parameters: { value: [1], other: [2] } }, /does not use the parameter other/],
    [{ parameters: { value: [1], epsilon: [2] } }, /must not be called epsilon/],
    [{ command: 'no-such-program-here {value} {epsilon} {delta}' }, /no-such-program-here of the command is not found/],
    [{ dataset: undefined }, /dataset/],
    [{ color: 'red' }, /there is no key color/],
  ])('that says %j is refused with code 2, and nothing is run or spent', async (wrong, sentence) => {
    const { file, runs, ledger } = tuning(wrong);
    const { code, stdout, stderr } = await inProcess(['select', file]);
    expect([code, stdout]).toEqual([2, '']);
    expect(words(stderr)).toMatch(sentence);
    // Keys of the file are no flags.
    expect(words(stderr)).toMatch(/^scumble: In \S+tune\.yaml[:,]/);
    expect([runs(), existsSync(ledger)]).toEqual([[], false]);
  });

  it.each<[unknown, string]>([
    [{ total: 5 }, 'total must be a map of epsilon, delta, not 5.'],
    [{ total: { epsilon: '1' } }, 'total.epsilon must be a number greater than 0, not "1".'],
    [{ total: { epsilon: 1, rho: 1 } }, 'there is no key rho; total must be a map of epsilon, delta.'],
    [{ total: { epsilon: 1, delta: 1 } }, 'total.delta must be a number of at least 0 and less than 1, not 1.'],
    [{ stopping: 'best' }, 'stopping must be a map with a rule, one of threshold, random-stopping, '],
    [{ stopping: {} }, 'stopping.rule is missing; it must be one of threshold, random-stopping, '],
    [{ stopping: { rule: 'best' } }, 'stopping.rule must be one of threshold, random-stopping, '],
    [{ stopping: { rule: 'hard-stopping', gamma: 0.1 } }, 'stopping.cap is missing; it must be a whole number'],
    [{ stopping: { rule: 'poisson', mean: 'x' } }, 'stopping.mean must be a number greater than 0, not "x".'],
    [{ score: [0, 1] }, 'score must be a map of min, max, not [0, 1].'],
    [{ parameters: 'x' }, 'parameters must be a map from each name to a list of '],
    [{ parameters: [] }, 'parameters must be a map from each name to a list of '],
    [
      { parameters: { value: [] } },
      'parameters.value must be a list of at least one text, number, true or false, not [].',
    ],
    [{ command: '' }, 'command must be a text or a list of texts, the program first, not "".'],
    [{ command: [] }, 'command must be a text or a list of texts, the program first, not [].'],
    [{ unit: 'person' }, 'unit must be row, or a map of column, its name, and maxRows, '],
    [{ relation: null }, 'relation must be one of add-remove, swap, not null.'],
    [{ timeout: 0 }, 'timeout must be a number of seconds greater than 0 and at most 1000000, not 0.'],
    [{ concurrency: 2000 }, 'concurrency must be a whole number from 1 to 1024, not 2000.'],
    [{ maxRuns: 1.5 }, 'maxRuns must be a whole number of at least 1, not 1.5.'],
    [{ state: '' }, 'state must be a text that is not empty, not "".'],
    [{ dataset: undefined }, 'dataset is missing; it must be a text that is not empty.'],
  ])('that says %j is told what is allowed there, and what was found', async (wrong, sentence) => {
    const { file } = tuning(wrong as Record<string, unknown>);
    const { stderr } = await inProcess(['select', file]);
    expect(words(stderr)).toContain(`In ${file}, ${sentence}`);
  });

  it.each([
    ['', 'nothing'],
    ['# a comment', 'nothing'],
    ['[]', 'a list'],
    ['- hunter2', 'a list'],
    ['name,age\nhunter2,31415926', 'text'],
    ['PASSWORD=hunter2\0HOME=/home/hunter2', 'text'],
    ['31415926', 'a number'],
    ['true', 'true or false'],
  ])('that holds %j is no map of keys, and only its kind is said', async (content, kind) => {
    const place = directory({ 'tune.yaml': content });
    const { code, stdout, stderr } = await inProcess(['select', join(place, 'tune.yaml')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(words(stderr)).toMatch(
      new RegExp(`tune\\.yaml, all of it must be a map of parameters, command, [^"]*, not ${kind}\\. $`),
    );
    expect(stderr).not.toMatch(/hunter2|31415926/);
  });

  const red = '\u001b[31m';
  it.each<[string, Record<string, unknown>]>([
    ['a value', { score: { min: `a${red}\nb${'c'.repeat(100)}`, max: 1 } }],
    ['a value in a list', { total: [`a${red}\nb${'c'.repeat(100)}`] }],
    ['a key', { [`a${red}\nb${'c'.repeat(100)}`]: 1 }],
    ['the name of a parameter', { parameters: { [`a${red}\nb${'c'.repeat(100)}`]: [] } }],
    ['the name of a parameter that is not used', { parameters: [{ value: 1, [`a${red}\nb${'c'.repeat(100)}`]: 1 }] }],
    ['a program', { command: [`a${red}\nb${'c'.repeat(100)}`, '{value}', '{epsilon}', '{delta}'] }],
  ])('of which %s is shown is told so shortly and on one line', async (_, wrong) => {
    const { code, stderr } = await inProcess(['select', tuning(wrong).file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/a\\u001b\[31m\\nbc{10,38}…/);
    expect(stderr).toMatch(/^\P{Cc}+\n$/u);
  });

  it.each([
    ['a bad directive', '%PASSWORD hunter2\n---\n{}\n'],
    ['a version that is not known', '%YAML hunter2\n---\n{}\n'],
    ['a tag that is not known', 'dataset: !pw hunter2\n'],
    ['a key that is a map', '{ hunter2: 1 }: 1\n'],
    ['two documents', 'a: 1\n---\nhunter2: 1\n'],
    ['a key given twice', 'hunter2: 1\nhunter2: 2\n'],
    ['a reference to nothing', 'dataset: *hunter2\n'],
    ['a quote that is left open', 'dataset: "hunter2\n'],
  ])('that holds %s shows nothing of it in an error or a warning', async (_, content) => {
    const warnings: string[] = [];
    const listen = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const { code, stdout, stderr } = await inProcess([
      'select',
      join(directory({ 'tune.yaml': content }), 'tune.yaml'),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([2, 4]).toContain(code);
    expect(stdout + stderr).not.toMatch(/hunter2/);
    expect(warnings).toEqual([]);
  });

  it('that is not there or no YAML is code 4', async () => {
    const place = directory({ 'bad.yaml': 'a: [1' });
    const { code, stderr } = await inProcess(['select', join(place, 'bad.yaml')]);
    expect([code, words(stderr)]).toEqual([
      4,
      expect.stringMatching(/bad\.yaml is not YAML at line 1, column \d+\. $/),
    ]);
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

  it('that is killed goes on where it was, is paid for once, and makes no run twice', async () => {
    // Eight runs, nearly surely.
    const stopping = { rule: 'hard-stopping', gamma: 1e-6, cap: 8 };
    const slow = `${program}; await new Promise((resolve) => setTimeout(resolve, 200));`;
    const { place, file, runs, ledger } = tuning({ stopping, concurrency: 1 }, slow);
    const state = join(place, 'tune.state');
    const broken = start(['select', file, '--state', state]);
    while (runs().length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    broken.kill('SIGKILL');
    await new Promise((resolve) => broken.on('close', resolve));
    expect(statSync(state).mode & 0o777).toBe(0o600);
    const anew = await inProcess(['select', file, '--state', state]);
    expect([anew.code, words(anew.stderr)]).toMatchObject([2, expect.stringMatching(/go on with --resume/)]);
    const { code, stdout } = await inProcess(['select', file, '--state', state, '--resume', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { outcome: 'selected', guarantee: { epsilon: 1 }, ledger: null },
    ]);
    // One that was begun may not have come to note itself.
    expect(runs().length).toBeGreaterThanOrEqual(7);
    expect(runs().length).toBeLessThanOrEqual(8);
    expect(existsSync(state)).toBe(false);
    const { stdout: history } = await inProcess(['ledger', 'people', '--ledger', ledger, '--json']);
    expect(history.match(/committed/g)).toHaveLength(1);
  });
});

describe('what a selection does not lose or spend by accident', () => {
  it('a state that cannot be made is said before anything is spent', async () => {
    const { file, runs, ledger } = tuning();
    const { code, stderr } = await inProcess(['select', file, '--state', '/nowhere/tune.state']);
    expect([code, words(stderr)]).toMatchObject([2, expect.stringMatching(/cannot be written/)]);
    expect([runs(), existsSync(ledger)]).toEqual([[], true]);
    expect((await inProcess(['ledger', 'people', '--ledger', ledger, '--json'])).stdout).not.toMatch(/select/);
  });

  it('a state is gone when the budget refuses', async () => {
    const { place, file, ledger } = tuning();
    await inProcess(['budget', 'set', 'people', '--epsilon', '0.5', '--ledger', ledger]);
    expect((await inProcess(['select', file, '--state', join(place, 'tune.state')])).code).toBe(3);
    expect(existsSync(join(place, 'tune.state'))).toBe(false);
  });

  it('a selection is resumed with the ledger that it was paid by, and no other spend is ended', async () => {
    // No run ends as long as there is this file.
    const held = `import { existsSync } from 'node:fs';${program.replace(
      "console.log('training');",
      "while (existsSync(new URL('hold', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 10));",
    )}`;
    const { place, file, runs, ledger } = tuning({}, held);
    writeFileSync(join(place, 'hold'), '');
    const state = join(place, 'tune.state');
    const stop = new AbortController();
    const begun = inProcess(['select', file, '--state', state], stop.signal);
    while (runs().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect((await begun).code).toBe(130);
    rmSync(join(place, 'hold'));
    const other = join(place, 'other.db');
    await inProcess(['select', tuning({ dataset: 'others' }).file, '--ledger', other]);
    const wrong = await inProcess(['select', file, '--state', state, '--resume', '--ledger', other]);
    expect([wrong.code, words(wrong.stderr)]).toMatchObject([
      2,
      expect.stringMatching(/does not hold what this selection/),
    ]);
    expect((await inProcess(['select', file, '--state', state, '--resume'])).code).toBe(0);
    expect(
      (await inProcess(['ledger', 'people', '--ledger', ledger, '--json'])).stdout.match(/committed/g),
    ).toHaveLength(1);
  });

  it.each([
    [
      'does not name {epsilon}',
      { command: [process.execPath, 'x.mjs', '{value}', '{delta}'] },
      /does not use \{epsilon\}/,
    ],
    [
      'does not name {delta}',
      { command: [process.execPath, 'x.mjs', '{value}', '{epsilon}'] },
      /does not use \{delta\}/,
    ],
    ['names a directory', { command: ['/tmp', '{value}', '{epsilon}', '{delta}'] }, /not found or not executable/],
    ['waits for a month', { timeout: 2_592_000 }, /timeout/],
    ['runs a million at a time', { concurrency: 1e6 }, /concurrency/],
    ['costs less than it says', { run: { epsilon: 0.1, delta: 1e-8 } }, /which is not the total/],
  ])('a file that %s is refused before anything is spent', async (_, wrong, sentence) => {
    const { file, ledger } = tuning(wrong);
    const { code, stderr } = await inProcess(['select', file]);
    expect([code, words(stderr)]).toMatchObject([2, expect.stringMatching(sentence)]);
    expect(existsSync(ledger)).toBe(false);
  });

  it('a run is over when it has ended or its time is up, whatever still holds its output', async () => {
    const code = `
      import { spawn } from 'node:child_process';
      const left = spawn('sleep', ['30'], { stdio: 'inherit', detached: true });
      left.unref();
      console.log(JSON.stringify({ score: 1, output: left.pid }));
      process.exit(0);`;
    const { file } = tuning({ stopping: { rule: 'hard-stopping', gamma: 1, cap: 1 }, timeout: 10 }, code);
    const begin = performance.now();
    const { stdout } = await inProcess(['select', file, '--json']);
    expect(performance.now() - begin).toBeLessThan(8000);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'selected', score: 1 });
    process.kill(JSON.parse(stdout).output, 'SIGKILL');
  });
});
