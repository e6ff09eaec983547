import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'scumble-docs-'));
afterAll(() => rmSync(base, { recursive: true }));

/** A reader's machine for one page: the package installed, the command on the path, the file that the pages speak of. */
function machine(page: string): string {
  const dir = join(base, page.replaceAll('/', '-'));
  mkdirSync(join(dir, 'node_modules'), { recursive: true });
  mkdirSync(join(dir, 'bin'));
  symlinkSync(root, join(dir, 'node_modules', 'scumble'));
  symlinkSync(join(root, 'examples'), join(dir, 'examples'));
  symlinkSync(join(root, 'node_modules/vega-datasets/data/flights-3m.parquet'), join(dir, 'flights.parquet'));
  writeFileSync(join(dir, 'bin', 'scumble'), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/cli/main.js" "$@"\n`);
  chmodSync(join(dir, 'bin', 'scumble'), 0o755);
  return dir;
}

interface Snippet {
  language: string;
  code: string;
  line: number;
  /** What the page says is printed: the `text` block that follows. */
  printed: string | undefined;
}

function snippets(page: string): Snippet[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```\n(?:\n^```text\n(.*?)^```$)?/gms)];
  return blocks.map((block) => ({
    language: block[1],
    code: block[2],
    line: text.slice(0, block.index).split('\n').length,
    printed: block[3],
  }));
}

function run(dir: string, { language, code, line }: Snippet): string {
  const env = { ...process.env, PATH: `${join(dir, 'bin')}:${process.env.PATH}` };
  const options: ExecFileSyncOptionsWithStringEncoding = { cwd: dir, env, encoding: 'utf8', stdio: 'pipe' };
  if (language === 'sh') return execFileSync('sh', ['-eu', '-c', code], options);
  const file = join(dir, `snippet-${line}.mjs`);
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  writeFileSync(file, ts.transpileModule(code, { compilerOptions }).outputText);
  return execFileSync(process.execPath, [file], options);
}

describe.each(['README.md', 'docs/guide.md', 'docs/selection.md'])('the snippets of %s', (page) => {
  const found = snippets(page).filter(({ language }) => language === 'sh' || language === 'ts');
  const dir = machine(page);
  it('are there', () => expect(found.length).toBeGreaterThanOrEqual(3));
  it.each(found)('$language at line $line runs, and prints what the page says', (snippet) => {
    const printed = run(dir, snippet);
    if (snippet.printed !== undefined) expect(printed).toBe(snippet.printed);
  });

  it('type-check', () => {
    const files = found
      .filter(({ language }) => language === 'ts')
      .map(({ code, line }) => {
        const file = join(dir, `check-${line}.mts`);
        writeFileSync(file, code);
        return file;
      });
    const program = ts.createProgram(files, {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
    });
    const messages = ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
    expect(messages).toEqual([]);
  });
});
