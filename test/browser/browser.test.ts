import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { quantiles } from '../../src/index.js';
import { openPage } from './browser.js';
import { bundle } from './bundle.js';

const page = readFileSync(new URL('page.html', import.meta.url));

describe('the core entry', () => {
  it('bundles for the browser without a node: module or a native package', async () => {
    const { imports, dynamicImports, moduleIds } = await bundle('es');
    expect([...imports, ...dynamicImports]).toEqual([]);
    expect(
      moduleIds.filter((id) => /node:|browser-external|\.node$|duckdb|libsql|commander|plot|linkedom/.test(id)),
    ).toEqual([]);
    expect(moduleIds.some((id) => id.endsWith('/joint-exp.js'))).toBe(true);
  });

  it('runs where there is nothing but the language, Web Crypto, a clock and a timer', async () => {
    const { code } = await bundle('iife');
    const context = createContext({ crypto, performance, setTimeout });
    runInContext(code, context);
    const release = await runInContext(
      "scumble.quantiles(new Int32Array(3000).fill(-4), { quantiles: 'quartiles', bounds: [-10, 10], epsilon: 1 })",
      context,
    );
    expect(JSON.parse(JSON.stringify(release))).toMatchObject({ values: [-4, -4, -4], lattice: { step: 1 } });
  });

  it('releases in a browser what it releases here', async () => {
    const { url, result } = await serve((await bundle('es')).code);
    const page = await openPage(url);
    onTestFinished(page.close);
    const answer = await Promise.race([result, page.ended]);
    const values = Float64Array.from({ length: 100_000 }, (_, i) => i / 1000);
    const options = { quantiles: 'deciles', bounds: [0, 200], step: 0.1, epsilon: 1, unsafeSeed: 7 } as const;
    expect(answer).toMatchObject({
      node: 'undefined',
      seeded: JSON.parse(JSON.stringify(await quantiles(values, options))),
      secure: { values: new Array(9).fill(7), lattice: { step: 1 } },
      refusal: 'epsilon_invalid',
    });
  });
});

/** Serves the page and its module on this machine; the result is what the page posts back. */
async function serve(script: string): Promise<{ url: string; result: Promise<unknown> }> {
  const { promise, resolve } = withResolver<unknown>();
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      resolve(JSON.parse(await text(request)));
      response.end();
    } else if (request.url === '/scumble.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, result: promise };
}

function withResolver<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((r) => (resolve = r));
  return { promise, resolve };
}
