import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** The built core entry with all that it imports, as an application for the browser would bundle it. */
export async function bundle(format: 'es' | 'iife'): Promise<Rolldown.OutputChunk> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    build: {
      lib: { entry: 'dist/index.js', name: 'scumble', formats: [format] },
      minify: false,
      write: false,
    },
  });
  const [{ output: chunks }] = output as Rolldown.RolldownOutput[];
  return chunks[0];
}
