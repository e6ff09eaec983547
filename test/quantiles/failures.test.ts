import { describe, expect, it } from 'vitest';
import { quantiles, type RankSource, type RankView, ScumbleError } from '../../src/index.js';
import { deciles, evenly, sourceLike } from './columns.js';

describe('a signal', () => {
  const aborted = { code: 'aborted', group: 'aborted' };

  it('that has fired stops the call before a value is read', async () => {
    const untouched = {
      open: () => Promise.reject(new Error('opened')),
      // biome-ignore lint/correctness/useYield: it must not be entered
      *[Symbol.iterator](): Generator<number> {
        throw new Error('iterated');
      },
    };
    const options = { ...deciles, signal: AbortSignal.abort() };
    for (const values of [untouched, { [Symbol.iterator]: untouched[Symbol.iterator] }, new Float64Array(10)])
      await expect(quantiles(values, options)).rejects.toMatchObject(aborted);
  });

  it('stops an endless stream', async () => {
    const controller = new AbortController();
    let read = 0;
    async function* endless() {
      for (;;) {
        if (++read === 1000) controller.abort();
        yield read;
      }
    }
    await expect(quantiles(endless(), { ...deciles, signal: controller.signal })).rejects.toMatchObject(aborted);
    expect(read).toBe(1000);
  });

  it('stops between the scans of a source, whatever the source throws then, and closes it', async () => {
    for (const reason of [undefined, new Error('secret 42')]) {
      const controller = new AbortController();
      let closed = 0;
      const inner = await sourceLike(evenly(100_000));
      const open: RankSource['open'] = async (request) => {
        expect(request.signal).toBe(controller.signal);
        const view = await inner.open(request);
        const coarse: RankView['coarse'] = (...args) => {
          controller.abort(reason);
          if (reason) throw reason;
          return view.coarse(...args);
        };
        return { ...view, coarse, close: async () => void closed++ };
      };
      const error = await failure(quantiles({ open }, { ...deciles, signal: controller.signal }));
      expect(error).toMatchObject(aborted);
      expect(everything(error)).not.toContain('secret');
      expect(closed).toBe(1);
    }
  });
});

describe('a source that fails', () => {
  const methods = ['open', 'hint', 'coarse', 'fine', 'close'] as const;

  it.each(methods)('in %s is engine_failed without a word of why, and is closed', async (method) => {
    const secret = new Error('Could not convert string "secret 42" to DOUBLE');
    let closed = 0;
    const inner = await sourceLike(evenly(100_000));
    const fail = () => Promise.reject(secret);
    const open: RankSource['open'] = async (request) => {
      if (method === 'open') throw secret;
      const close = async () => {
        closed++;
        if (method === 'close') throw secret;
      };
      return { ...(await inner.open(request)), close, ...(method !== 'close' && { [method]: fail }) };
    };
    const error = await failure(quantiles({ open }, deciles));
    expect(error).toMatchObject({ code: 'engine_failed', group: 'internal' });
    expect(error.cause).toBeUndefined();
    expect(everything(error)).not.toContain('secret');
    expect(closed).toBe(method === 'open' ? 0 : 1);
  });

  it('as an iterable does is told the same way', async () => {
    function* broken() {
      yield 1;
      throw new Error('secret 42');
    }
    const error = await failure(quantiles(broken(), deciles));
    expect(error.code).toBe('engine_failed');
    expect(everything(error)).not.toContain('secret');
  });

  it('with an error of this package is heard', async () => {
    const source = { open: () => Promise.reject(new ScumbleError('column_not_found', 'There is no column x.')) };
    await expect(quantiles(source, deciles)).rejects.toMatchObject({ code: 'column_not_found' });
  });
});

async function failure(call: Promise<unknown>): Promise<ScumbleError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ScumbleError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** All that could be printed of an error. */
function everything(error: Error): string {
  return [error.stack, JSON.stringify(error), String(error.cause)].join();
}
