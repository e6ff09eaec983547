import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import {
  type Candidate,
  failed,
  hardStopping,
  negativeBinomial,
  poisson,
  type RunOutcome,
  randomStopping,
  type SelectionState,
  type SelectOptions,
  select,
  threshold,
} from '../../src/selection/index.js';
import { lawOf } from '../../src/selection/law.js';
import { chiSquareZ } from '../support/chi-square.js';
import { memory } from './memory-state.js';

const guarantee = { relation: 'add-remove', unit: 'row', epsilon: 0.5, delta: 0 } as const;
const score = { min: 0, max: 1 };

/** A candidate whose outcomes are given with their chances. */
function finite(outcomes: readonly [score: number, chance: number][], seed: number, delay = false): Candidate<string> {
  const entropy = unsafeSeededEntropy(seed);
  return async () => {
    let u = entropy.word() / 2 ** 32;
    if (delay && entropy.word() % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
    const found = outcomes.find(([, chance]) => (u -= chance) < 0) ?? outcomes[outcomes.length - 1];
    return { output: `scored ${found[0]}`, score: found[0] };
  };
}

const mixture: [number, number][] = [
  [0.1, 0.5],
  [0.5, 0.3],
  [0.9, 0.2],
];

describe('the law of a selection', () => {
  const rules = [threshold({ tau: 0.9, gamma: 0.1, cap: 30 }), randomStopping({ gamma: 0.3 }), poisson({ mean: 2 })];
  const cases = rules.flatMap((stopping) => [1, 4].map((concurrency) => ({ stopping, concurrency })));

  it.each(cases)(
    'of $stopping.name with $concurrency at a time is the law of the rule',
    async ({ stopping, concurrency }) => {
      const seen = [0, 0, 0, 0];
      const candidates = [finite(mixture, 1, true), finite(mixture, 2, true)];
      for (let seed = 0; seed < 3000; seed++) {
        const found = await select({ candidates, score, stopping, guarantee, concurrency, unsafeSeed: seed });
        seen[found.outcome === 'none' ? 3 : mixture.findIndex(([value]) => value === found.score)]++;
      }
      const law = lawOf(
        stopping,
        mixture.map(([value, probability]) => ({ output: value, score: value, probability })),
      );
      const chances = [...law.outcomes.map(({ probability }) => probability), law.bottom];
      expect(Math.abs(chiSquareZ(seen, chances))).toBeLessThan(5);
    },
  );

  it('is the same draw by draw, however many go on at a time', async () => {
    // Later runs end sooner, so the order in which runs end is not the order in which they were drawn.
    const slow = (value: number, ms: number) => async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { output: ms, score: value };
    };
    const candidates = [slow(0.5, 8), slow(0.5, 1), slow(0.2, 3), slow(0.9, 5)];
    for (const stopping of [threshold({ tau: 0.5, gamma: 0.05, cap: 50 }), hardStopping({ gamma: 0.3, cap: 20 })])
      for (let seed = 0; seed < 12; seed++) {
        const options = { candidates, score, stopping, guarantee, unsafeSeed: seed };
        expect(await select({ ...options, concurrency: 4 })).toEqual(await select({ ...options, concurrency: 1 }));
      }
  });
});

describe('a run that fails', () => {
  const outcomes: [string, Candidate<string>][] = [
    ['throws', () => Promise.reject(new Error('secret'))],
    ['throws at once', () => JSON.parse('{')],
    ['has the score NaN', () => ({ output: '', score: Number.NaN })],
    ['scores above the range', () => ({ output: '', score: 1.01 })],
    ['scores below the range', () => ({ output: '', score: -0.01 })],
    ['scores Infinity', () => ({ output: '', score: Number.POSITIVE_INFINITY })],
    ['has a score that is no number', () => ({ output: '', score: '1' as unknown as number })],
    ['gives nothing', () => undefined as never],
  ];

  it.each(outcomes)('because it %s ranks below all others and is no answer', async (_, candidate) => {
    const worst: Candidate<string> = () => ({ output: 'worst', score: 0 });
    for (const stopping of [hardStopping({ gamma: 0.05, cap: 40 }), threshold({ tau: 0, gamma: 0.05, cap: 40 })])
      for (let seed = 0; seed < 5; seed++) {
        const options = { score, stopping, guarantee, unsafeSeed: seed };
        expect((await select({ ...options, candidates: [candidate] })).outcome).toBe('none');
        const found = await select({ ...options, candidates: [candidate, worst] });
        if (found.outcome === 'selected') expect(found.output).toBe('worst');
      }
  });
});

describe('what a selection gives', () => {
  it('is the answer and the guarantee of the whole, and nothing else', async () => {
    const stopping = randomStopping({ gamma: 0.2 });
    const found = await select({ candidates: [finite(mixture, 1)], score, stopping, guarantee });
    expect(Object.keys(found).sort()).toEqual(['guarantee', 'outcome', 'output', 'score']);
    expect(found.guarantee).toEqual({ ...guarantee, ...stopping.total(guarantee) });
    const none = await select({ candidates: [() => Promise.reject()], score, stopping, guarantee });
    expect(Object.keys(none).sort()).toEqual(['guarantee', 'outcome']);
  });

  it('tells of every run only who asks for it by name', async () => {
    const told: RunOutcome<string>[] = [];
    const candidates = [finite(mixture, 1), () => Promise.reject()];
    const stopping = hardStopping({ gamma: 0.05, cap: 40 });
    const unsafeReport = (_: number, __: number, outcome: RunOutcome<string>) => told.push(outcome);
    const found = await select({ candidates, score, stopping, guarantee, unsafeReport, unsafeSeed: 3 });
    const scores = told.map((outcome) => (outcome === failed ? -1 : outcome.score));
    expect(scores.length).toBeGreaterThan(1);
    expect(found.outcome === 'selected' && found.score).toBe(Math.max(...scores));
  });
});

describe('a selection that is broken off', () => {
  const stopping = hardStopping({ gamma: 0.02, cap: 200 });

  it('goes on with the runs that are left; the one under way is not made again', async () => {
    const state = memory<number>();
    const broken = new AbortController();
    let made = 0;
    const options = { score, stopping, guarantee, unsafeSeed: 5 };
    const candidate: Candidate<number> = () => {
      if (++made === 4) broken.abort();
      return { output: made, score: made === 3 ? 0.7 : made === 4 ? 1 : 0.1 };
    };
    await expect(select({ ...options, candidates: [candidate], state, signal: broken.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    const all = (await state.load())!.runs;
    expect(all).toBeGreaterThan(6);
    const found = await select({ ...options, candidates: [candidate], state, resume: true, unsafeSeed: 6 });
    expect(made).toBe(all);
    // Run 4 had the best score, but was not on record when it was broken off.
    expect(found).toMatchObject({ outcome: 'selected', output: 3, score: 0.7 });
    expect(await state.load()).toBeUndefined();
  });

  it('has the runs of a whole one, from whatever moment it is resumed', async () => {
    const state = memory<number>();
    const copies: SelectionState<number>[] = [];
    let made = 0;
    const candidates = [
      async () => {
        copies.push(state.copy());
        return { output: ++made, score: 0.5 };
      },
    ];
    await select({ candidates, score, stopping, guarantee, state, unsafeSeed: 5 });
    const all = made;
    for (const [k, copy] of [...copies].entries()) {
      made = 0;
      await select({ candidates, score, stopping, guarantee, state: copy, resume: true, unsafeSeed: 5 });
      // The runs before are on record, and run k was under way.
      expect(made).toBe(all - k - 1);
    }
  });

  it('is not begun anew by accident, and not resumed with other options', async () => {
    const state = memory<string>();
    await state.begin('other', 3);
    const options = { candidates: [finite(mixture, 1)], score, stopping, guarantee, state };
    await expect(select(options)).rejects.toThrow(/resume it, or remove it/);
    await expect(select({ ...options, resume: true })).rejects.toThrow(/with other options/);
    await expect(select({ ...options, state: memory<string>(), resume: true })).rejects.toThrow(/nothing to resume/);
    await expect(select({ ...options, state: undefined, resume: true })).rejects.toThrow(/give the state/);
  });
});

describe('a selection whose record fails', () => {
  it('makes no further run once that is known', async () => {
    const state = memory<number>();
    let made = 0;
    const candidates: Candidate<number>[] = [
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { output: ++made, score: 0.5 };
      },
    ];
    const failing = { ...state, finished: async () => Promise.reject(new Error('full')) };
    const stopping = hardStopping({ gamma: 1e-3, cap: 5000 });
    await expect(select({ candidates, score, stopping, guarantee, state: failing, concurrency: 4 })).rejects.toThrow(
      'full',
    );
    const then = made;
    expect(then).toBeLessThanOrEqual(8);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).toBe(then);
  });

  it('takes an output that it cannot hold for that of a run that failed', async () => {
    const stopping = hardStopping({ gamma: 0.01, cap: 60 });
    const candidates: Candidate<unknown>[] = [() => ({ output: 1n, score: 1 }), () => ({ output: 'held', score: 0.5 })];
    const found = await select({ candidates, score, stopping, guarantee, state: memory<unknown>(), unsafeSeed: 4 });
    expect(found).toMatchObject({ outcome: 'selected', output: 'held' });
  });

  it('is not resumed by another rule of the same name, mean and limit', async () => {
    const rules = [
      negativeBinomial({ eta: 2, gamma: 0.24424375755472955 }),
      negativeBinomial({ eta: 0.5, gamma: 0.1 }),
    ];
    expect(rules[0].runs.expected).toBeCloseTo(rules[1].runs.expected, 9);
    const state = memory<string>();
    const options = { candidates: [finite(mixture, 1)], score, guarantee, state };
    const stop = new AbortController();
    const slow: Candidate<string> = () => {
      stop.abort();
      return { output: '', score: 0 };
    };
    const begun = select({ ...options, candidates: [slow], stopping: rules[0], signal: stop.signal });
    await expect(begun).rejects.toMatchObject({ code: 'aborted' });
    await expect(select({ ...options, stopping: rules[1], resume: true })).rejects.toThrow(/with other options/);
  });
});

describe('before anything is run', () => {
  const candidate = finite(mixture, 1);
  const options: SelectOptions<string> = {
    candidates: [candidate],
    score,
    stopping: randomStopping({ gamma: 0.1 }),
    guarantee,
  };
  it.each([
    [{ candidates: [] }, /candidates must be a list/],
    [{ candidates: [1 as never] }, /candidates must be a list/],
    [{ score: { min: 1, max: 1 } }, /min < max/],
    [{ score: { min: 0, max: Number.NaN } }, /min < max/],
    [{ concurrency: 0 }, /concurrency must be a whole number/],
    [{ concurrency: 1e9 }, /concurrency must be a whole number/],
    [{ stopping: threshold({ tau: 90, gamma: 0.1 }) }, /no run could reach 90/],
    [{ guarantee: {} as never }, /guarantee must say/],
    [{ score: undefined as never }, /score must be a range/],
    [{ maxRuns: 1e6 }, /may need any number of runs, more than the 1000000/],
    [{ maxRuns: 30, stopping: hardStopping({ gamma: 0.1, cap: 31 }) }, /may need 31 runs, more than the 30/],
    [{ guarantee: { ...guarantee, delta: 1e-6 }, stopping: threshold({ tau: 0, gamma: 0 }) }, /delta/],
  ])('%j is refused', async (wrong, sentence) => {
    const watched: Candidate<string> = () => expect.unreachable();
    await expect(select({ ...options, candidates: [watched], ...wrong })).rejects.toThrow(sentence);
  });

  it('a signal that has fired stops it', async () => {
    await expect(select({ ...options, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});
