import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { accuracy, train } from '../../examples/adult/logistic.mjs';
import { datasetOf, partsOf, person, recordsOf, validates, width } from '../../examples/adult/people.mjs';
import { noiseFrom, priceOf, trial } from '../../examples/adult/trial.mjs';
import { zcdpEpsilon } from '../../src/privacy/zcdp.js';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { directory, inProcess } from '../cli/command.js';
import { madeUpRow, naiveTrain } from './support.js';

const entropy = unsafeSeededEntropy(3);
const rows = Array.from({ length: 300 }, () => madeUpRow(entropy));

describe('a row of Adult', () => {
  it('is features in [-1, 1] and a label, whatever is written in it, or no row', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.constantFrom('Private', 'Husband', '?', '-1', '1e400'),
    );
    const label = fc.constantFrom('>50K', '<=50K', '>50K.', '<=50K.');
    fc.assert(
      fc.property(fc.array(cell, { minLength: 14, maxLength: 14 }), label, (cells, income) => {
        const record = person([...cells, income].join(', '));
        if (cells.some((text) => text.includes(','))) return;
        expect(record!.features).toHaveLength(width);
        expect(record!.features.every((x) => x >= -1 && x <= 1)).toBe(true);
        expect(record!.label).toBe(income.startsWith('>') ? 1 : 0);
      }),
    );
    for (const line of ['', '|1x3 Cross validator', rows[0]!.slice(0, -5), `${rows[0]}, 1`])
      expect(person(line)).toBeUndefined();
  });

  it('more or less changes one of the two parts by one record', () => {
    const before = partsOf(rows.slice(1).join('\n'));
    const after = partsOf(rows.join('\n'));
    const [changed, same] = validates(rows[0]!)
      ? (['validation', 'training'] as const)
      : (['training', 'validation'] as const);
    expect(after[same]).toEqual(before[same]);
    expect(after[changed].labels.length).toBe(before[changed].labels.length + 1);
    expect(after.validation.labels.length).toBeGreaterThan(rows.length / 8);
    expect(after.validation.labels.length).toBeLessThan(rows.length / 2);
  });
});

describe('a training', () => {
  it('is what its definition says', () => {
    const records = recordsOf(rows);
    const settings = { rate: 2, clip: 0.8, ridge: 0.01 };
    const tiny = { rho: 0.1, steps: 5, units: 1000, people: 250 };
    // The same whole numbers for both, in place of noise.
    const noise = () => {
      let next = 0;
      return { gaussian: (variance: bigint) => () => ((next += 7) % 100) + Number(variance % 10n) };
    };
    const expected = naiveTrain(records, settings, tiny, noise());
    const found = train(datasetOf(records), settings, tiny, noise());
    expected.forEach((weight, j) => {
      expect(found[j]).toBeCloseTo(weight, 2); // a fraction cut off just below or above a whole number is a unit
    });
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.5);
  });

  const data = process.env.SCUMBLE_DATA ?? '';
  const files = ['adult/adult.data', 'adult/adult.test'].map((file) => join(data, file));
  const absent = data === '' || !files.every((file) => existsSync(file));
  it.skipIf(absent && !process.env.CI)('on adult/adult.data tells far more people right than a constant would', () => {
    expect(absent, 'adult/adult.data or adult/adult.test is missing: set SCUMBLE_DATA').toBe(false);
    const [train, test] = files.map((file) => readFileSync(file, 'utf8'));
    const cost = priceOf({ epsilon: 8, delta: 1e-6 });
    const { score, output } = trial(partsOf(train!), { rate: 4, clip: 3, ridge: 0 }, cost, noiseFrom(entropy));
    const others = datasetOf(recordsOf(test!.split('\n')));
    const share = accuracy(others, output.weights);
    const constant = others.labels.filter((label) => label === 0).length / others.labels.length;
    expect(constant).toBeGreaterThan(0.76);
    expect(share).toBeGreaterThan(constant + 0.07);
    // The score stands for the accuracy, up to a part whose size is guessed.
    expect(Math.abs(score - share)).toBeLessThan(0.03);
  });
});

describe('scumble select examples/adult/tune.yaml', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));

  it('selects a setting of the grid and gives its model, at the total that the file says', async () => {
    const place = directory();
    mkdirSync(join(place, 'adult'));
    writeFileSync(join(place, 'adult/adult.data'), rows.join('\n'));
    vi.stubEnv('SCUMBLE_DATA', place);
    const flags = ['--json', '--ledger', join(place, 'ledger.db')];
    const { code, stdout } = await inProcess(['select', 'examples/adult/tune.yaml', ...flags]);
    vi.unstubAllEnvs();
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      outcome: 'selected',
      guarantee: { relation: 'add-remove', unit: 'row', epsilon: 1, delta: 1e-6 },
      dataset: 'adult',
    });
    expect([1, 4, 16]).toContain(answer.parameters.rate);
    expect(answer.output.weights).toHaveLength(width);
  });

  it('is the file that docs/selection.md shows', () => {
    const page = readFileSync(join(root, 'docs/selection.md'), 'utf8');
    const shown = parse(/^```yaml\n(.*?)^```$/ms.exec(page)![1]!);
    const file = parse(readFileSync(join(root, 'examples/adult/tune.yaml'), 'utf8'));
    expect(Object.keys(shown)).toContain('stopping');
    expect(file).toMatchObject(shown);
  });

  it.each([
    [{}, ['--rate=1', '--clip=1', '--ridge=0', '--epsilon=1', '--delta=1e-6'], /^Set SCUMBLE_DATA to the folder/],
    [
      { SCUMBLE_DATA: '/nowhere' },
      ['--rate=1', '--clip=1', '--ridge=0', '--epsilon=1', '--delta=1e-6'],
      /^The file adult/,
    ],
    [{}, ['--rate=1'], /^The option --clip must be a number from/],
    [{}, ['--rate=1', '--clip=1', '--ridge=0', '--epsilon=1', '--delta=0'], /^The option --delta must be/],
    [{}, ['--pace=1'], /^Unknown option '--pace'/],
  ])('has a trainer that says in one sentence what is missing: %j %j', (env, args, sentence) => {
    const run = () =>
      execFileSync(process.execPath, [join(root, 'examples/adult/train.mjs'), ...args], {
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    const { status, stderr, stdout } = catching(run);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

it('a run spends what it may, and nearly all of it', () => {
  for (const epsilon of [0.01, 0.35, 1, 8]) {
    const price = priceOf({ epsilon, delta: 1e-7 });
    expect(zcdpEpsilon(price.rho, 1e-7)).toBeLessThan(epsilon * (1 + 1e-6));
    expect(zcdpEpsilon(price.rho, 1e-7)).toBeGreaterThan(epsilon * 0.999);
    expect(price.epsilon).toBe(epsilon);
  }
});

function catching(run: () => string): { status: number; stdout: string; stderr: string } {
  try {
    return { status: 0, stdout: run(), stderr: '' };
  } catch (error) {
    return error as { status: number; stdout: string; stderr: string };
  }
}
