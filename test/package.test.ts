import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const subpaths: string[] = Object.keys(manifest.exports).filter((path) => path !== './package.json');

/** A project that has the packed package installed, as a user would. */
let project: string;
let packed: string[];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'scumble-package-'));
  const modules = join(project, 'node_modules');
  const home = join(modules, 'scumble');
  mkdirSync(home, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', `--pack-destination=${project}`];
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === 'win32';
  const [{ filename, files }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8', shell }));
  packed = files.map(({ path }: { path: string }) => path);
  execFileSync('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', home]);
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a module in the project; its standard output. */
function run(script: string): string {
  const file = join(project, 'script.mjs');
  writeFileSync(file, script);
  return execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8' }).trim();
}

describe('the packed package', () => {
  it('holds what is built, the documents, and nothing else', () => {
    const allowed =
      /^(dist\/[\w/-]+\.(js|d\.ts)|docs\/[\w-]+\.md|src\/[\w/-]+\.proof\.md|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|package\.json)$/;
    expect(packed.filter((path) => !allowed.test(path))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs/guide.md']),
    );
    expect(packed).toContain(manifest.bin.scumble);
    for (const { types, default: file } of subpaths.map((path) => manifest.exports[path]))
      expect(packed).toEqual(expect.arrayContaining([types.slice(2), file.slice(2)]));
  });

  it('pins every dependency exactly', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('has a command that starts', () => {
    const main = join(project, 'node_modules/scumble', manifest.bin.scumble);
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' }).trim()).toBe(manifest.version);
  });
});

describe('an import', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    '.': ['ScumbleError', 'createLattice', 'latticeIndex', 'maxEpsilon', 'planQuantiles', 'quantiles'],
    './audit': ['auditJointExp'],
    './duckdb': ['openDuckDB'],
    './ledger': ['openLedger'],
    './selection': [
      'aboveThreshold',
      'amplifyBest',
      'amplifyUntilGood',
      'auditSelection',
      'costTable',
      'failed',
      'gammaFor',
      'generalizedScore',
      'hardStopping',
      'lawOf',
      'logarithmic',
      'negativeBinomial',
      'noisyScore',
      'percentileSparseVector',
      'planGeneralizedExponential',
      'planSampledSparseVector',
      'planSmoothScore',
      'planThresholdSearch',
      'poisson',
      'randomStopping',
      'sampledSparseVector',
      'searchThreshold',
      'select',
      'smoothScore',
      'threshold',
      'unknownThreshold',
      'validationCosts',
    ],
    './selection/state-file': ['stateFile'],
  };

  it.each(subpaths)('of %s gives its names, in ESM and by require', (path) => {
    const name = `scumble${path.slice(1)}`;
    const star = run(`import * as all from '${name}'; console.log(JSON.stringify(Object.keys(all)))`);
    expect(JSON.parse(star)).not.toEqual([]);
    expect(JSON.parse(star)).toEqual(expect.arrayContaining([...(names[path] ?? [])]));
    expect(JSON.parse(star)).not.toContain('default');
    const required = `import { createRequire } from 'node:module';
      console.log(JSON.stringify(Object.keys(createRequire(import.meta.url)('${name}'))))`;
    expect(JSON.parse(run(required)).filter((key: string) => key !== '__esModule')).toEqual(JSON.parse(star));
  });

  it('gives the same error class everywhere', () => {
    const script = `import { ScumbleError } from 'scumble'; import { openLedger } from 'scumble/ledger';
      try { await openLedger(''); } catch (error) { console.log(error instanceof ScumbleError); }`;
    expect(run(script)).toBe('true');
  });

  it('of anything deeper is refused', () => {
    const script = `await import('scumble/dist/quantiles/joint-exp.js').catch(({ code }) => console.log(code))`;
    expect(run(script)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('works for the package.json', () => {
    const script = `import own from 'scumble/package.json' with { type: 'json' }; console.log(own.version)`;
    expect(run(script)).toBe(manifest.version);
  });

  it('has no side effects, as the package says', () => {
    expect(manifest.sideEffects).toBe(false);
    const script = `const state = () => [...Reflect.ownKeys(globalThis).map(String), ...process.eventNames().map(String),
        ...Object.keys(process.env), String(Array.prototype.sort), process.cwd()];
      const before = state();
      for (const path of ${JSON.stringify(subpaths)}) await import('scumble' + path.slice(1));
      console.log(JSON.stringify(state().filter((entry) => !before.includes(entry))))`;
    // The validation library shares its registry between copies of itself.
    expect(JSON.parse(run(script)).filter((entry: string) => !entry.startsWith('__zod'))).toEqual([]);
  });

  it.each([
    ["import 'scumble'", /./, []],
    [
      "import { createLattice } from 'scumble'; console.log(createLattice([0, 1]))",
      /scumble.dist/,
      ['decimal', 'errors', 'lattice'],
    ],
  ] as const)('that is not used is left out of a bundle: %s', async (script, mine, kept) => {
    writeFileSync(join(project, 'entry.js'), script);
    const output = await build({
      configFile: false,
      logLevel: 'silent',
      root: project,
      build: { lib: { entry: 'entry.js', formats: ['es'] }, write: false },
    });
    const [
      {
        output: [{ modules }],
      },
    ] = output as Rolldown.RolldownOutput[];
    const rendered = Object.entries(modules).filter(([id, { renderedLength }]) => renderedLength > 0 && mine.test(id));
    const own = rendered.map(([id]) => /([\w-]+)\.js$/.exec(id)?.[1]).filter((name) => name !== 'entry');
    expect(own.sort()).toEqual(kept);
  });
});

describe('the types', () => {
  const consumer = `
    import { quantiles, planQuantiles, ScumbleError, type QuantilesRelease, type RankSource } from 'scumble';
    import { auditJointExp } from 'scumble/audit';
    import { openDuckDB } from 'scumble/duckdb';
    import { openLedger } from 'scumble/ledger';
    import { type Candidate, randomStopping, type Selection, type SelectionState, select, type StoppingRule } from 'scumble/selection';
    import { stateFile } from 'scumble/selection/state-file';

    const stopping: StoppingRule = randomStopping({ gamma: 0.1 });
    const state: SelectionState<string> = stateFile<string>('tune.state');
    const candidate: Candidate<string> = async (signal) => ({ output: String(signal.aborted), score: 0.5 });
    const guarantee = { relation: 'swap', unit: 'row', epsilon: 0.1, delta: 0 } as const;
    const chosen: Selection<string> = await select({ candidates: [candidate], score: { min: 0, max: 1 }, stopping, guarantee, state });
    const output: string | undefined = chosen.outcome === 'selected' ? chosen.output : undefined;
    // @ts-expect-error how many runs there were is not told
    chosen.runs;
    // @ts-expect-error what a run costs must be said
    select({ candidates: [candidate], score: { min: 0, max: 1 }, stopping });
    const release: QuantilesRelease = await quantiles(Int32Array.of(1, 2), { quantiles: 'deciles', bounds: [0, 5], epsilon: 1 });
    const values: readonly number[] = release.values;
    const relation: 'add-remove' | 'swap' = planQuantiles({ quantiles: [0.5], bounds: [0, 1], epsilon: 1, step: undefined }).guarantee.relation;
    const source: RankSource | undefined = undefined;
    const code: string = new ScumbleError('aborted', 'x').code;
    export { auditJointExp, openDuckDB, openLedger, values, relation, source, code, output };
    // @ts-expect-error the epsilon is required
    planQuantiles({ quantiles: [0.5], bounds: [0, 1] });
    // @ts-expect-error no such relation
    planQuantiles({ quantiles: [0.5], bounds: [0, 1], epsilon: 1, relation: 'replace' });
    // @ts-expect-error no such list
    planQuantiles({ quantiles: 'decile', bounds: [0, 1], epsilon: 1 });
    // @ts-expect-error no such option
    planQuantiles({ quantiles: 'deciles', bounds: [0, 1], epsilon: 1, epsilom: 1 });
    // @ts-expect-error results are read-only
    release.values[0] = 1;
  `;

  it.each(['nodenext', 'bundler'])('resolve and check under moduleResolution %s', (moduleResolution) => {
    writeFileSync(join(project, 'consumer.ts'), consumer);
    const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
    const compilerOptions = {
      target: 'es2022',
      module,
      moduleResolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(complaints(() => execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' }))).toBe('');
  });
});

/** What a compiler has to say. */
function complaints(compile: () => string): string {
  try {
    return compile();
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
