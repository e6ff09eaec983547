import { describe, expect, it } from 'vitest';
import { openLedger, spend } from '../../src/ledger/index.js';
import { budget, failure, freshPath, perRow, request } from './support.js';

const perPerson = { relation: 'add-remove', unit: { column: 'person', maxRows: 3 } } as const;
const swap = { relation: 'swap', unit: 'row' } as const;

describe('a budget', () => {
  it.each(['0.1', 0.1])('of 1 fits ten spends of %j and not an eleventh', async (tenth) => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(1));
    const remaining = [];
    for (let i = 0; i < 10; i++) remaining.push((await ledger.reserve(request(tenth))).remaining?.epsilon);
    expect(remaining).toEqual(['0.9', '0.8', '0.7', '0.6', '0.5', '0.4', '0.3', '0.2', '0.1', '0']);
    const error = await failure(ledger.reserve(request(tenth)));
    expect(error.code).toBe('budget_exceeded');
    expect(error.details).toEqual({
      dataset: 'flights',
      asked: { epsilon: '0.1', delta: '0' },
      remaining: { epsilon: '0', delta: '0' },
      budget: { epsilon: '1', delta: '0' },
    });
    expect(await ledger.history()).toHaveLength(10);
  });

  it('limits delta as it limits epsilon', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(100, { delta: 1e-6 }));
    for (let i = 0; i < 4; i++) await ledger.reserve(request(1, { delta: '2.5e-7' }));
    expect((await failure(ledger.reserve(request(1, { delta: 1e-18 })))).message).toBe(
      'The budget of "flights" has delta 0 of 0.000001 left, and this asks for 0.000000000000000001.',
    );
    expect((await ledger.reserve(request(1))).remaining).toEqual({ epsilon: '95', delta: '0' });
  });

  it('counts what was spent before it was set', async () => {
    await using ledger = await openLedger(freshPath());
    const early = await ledger.reserve(request(0.4));
    expect(early).toMatchObject({ reserved: { epsilon: '0.4', delta: '0' }, remaining: null });
    const status = await ledger.setBudget('flights', budget(1));
    expect(status.epsilon).toEqual({ budget: '1', spent: '0.4', remaining: '0.6' });
    expect((await failure(ledger.reserve(request(0.7)))).code).toBe('budget_exceeded');
    expect((await ledger.reserve(request(0.6))).remaining?.epsilon).toBe('0');
  });

  it('lowered below what is spent refuses every release until it is raised', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.reserve(request(3, { delta: 1e-6 }));
    await ledger.setBudget('flights', budget(1, { delta: 1e-7 }));
    expect((await ledger.budgets())[0]?.epsilon).toEqual({ budget: '1', spent: '3', remaining: '0' });
    expect((await failure(ledger.reserve(request('1e-12')))).code).toBe('budget_exceeded');
    await ledger.setBudget('flights', budget(4, { delta: 1e-7 }));
    expect((await failure(ledger.reserve(request(0.5)))).code).toBe('budget_exceeded');
    await ledger.setBudget('flights', budget(4, { delta: 1e-6 }));
    expect((await ledger.reserve(request(0.5))).remaining).toEqual({ epsilon: '0.5', delta: '0' });
  });

  it('belongs to one data set', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(1));
    expect((await ledger.reserve({ ...request(5), dataset: 'Flights' })).remaining).toBeNull();
    expect((await ledger.reserve(request(1))).remaining?.epsilon).toBe('0');
  });

  it('refuses a release under another relation or unit, and names both', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(1, { unit: { column: 'person' } }));
    for (const other of [perRow, swap, { relation: 'add-remove', unit: { column: 'Person', maxRows: 3 } }] as const) {
      const error = await failure(ledger.reserve(request(0.1, other)));
      expect(error.code).toBe('budget_mismatch');
      expect(error.message).toContain('unit column "person"');
      expect(error.message).toContain(
        `relation ${other.relation} and unit ${other.unit === 'row' ? 'row' : 'column "Person"'}`,
      );
    }
    expect(await ledger.history()).toEqual([]);
  });

  it('belongs to the column of the unit, whatever the rows per unit', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', { ...perPerson, epsilon: 1 });
    for (const maxRows of [1, 3, 20]) await ledger.reserve(request(0.25, { unit: { column: 'person', maxRows } }));
    expect((await ledger.budgets())[0]).toEqual({
      dataset: 'flights',
      relation: 'add-remove',
      unit: { column: 'person' },
      epsilon: { budget: '1', spent: '0.75', remaining: '0.25' },
      delta: { budget: '0', spent: '0', remaining: '0' },
    });
    expect((await ledger.history()).map((entry) => entry.unit)).toEqual(
      [1, 3, 20].map((maxRows) => ({ column: 'person', maxRows })),
    );
  });

  it('keeps its relation and unit', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(1, { unit: { column: 'person' } }));
    const error = await failure(ledger.setBudget('flights', budget(5)));
    expect(error.code).toBe('budget_mismatch');
    expect(error.details).toEqual({
      dataset: 'flights',
      asked: perRow,
      budget: { relation: 'add-remove', unit: { column: 'person' } },
    });
    expect((await ledger.budgets())[0]?.epsilon.budget).toBe('1');
  });

  it('cannot be set over spends that it could not count', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.reserve(request(1));
    await ledger.reserve(request(1, swap));
    for (const kind of [perRow, swap]) {
      const error = await failure(ledger.setBudget('flights', { ...kind, epsilon: 5 }));
      expect(error.code).toBe('budget_mismatch');
      expect(error.details.asked).toEqual(kind);
      expect(error.details.spends).toEqual(kind === swap ? perRow : swap);
    }
    expect((await ledger.budgets()).map((status) => [status.relation, status.epsilon])).toEqual([
      ['add-remove', { budget: null, spent: '1', remaining: null }],
      ['swap', { budget: null, spent: '1', remaining: null }],
    ]);
  });
});

describe('a ledger', () => {
  it('keeps all of it in the file, as frozen data', async () => {
    const file = freshPath();
    const before = Date.now();
    {
      await using ledger = await openLedger(file);
      await ledger.setBudget('b', budget('2.5', { delta: '1e-6' }));
      await ledger.reserve({ ...request('0.5', { delta: 1e-7 }), dataset: 'b' });
      const { id } = await ledger.reserve({ ...request(1, perPerson), dataset: 'a' });
      await ledger.commit(id);
      await ledger.commit(id);
    }
    await using ledger = await openLedger(file);
    const history = await ledger.history();
    expect(history.map(({ time, ...entry }) => entry)).toEqual([
      {
        id: 1,
        dataset: 'b',
        ...perRow,
        epsilon: '0.5',
        delta: '0.0000001',
        mechanism: 'joint-exp',
        status: 'reserved',
      },
      { id: 2, dataset: 'a', ...perPerson, epsilon: '1', delta: '0', mechanism: 'joint-exp', status: 'committed' },
    ]);
    for (const { time } of history) {
      expect(new Date(time).toISOString()).toBe(time);
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
    const budgets = await ledger.budgets();
    expect(budgets.map((status) => status.dataset)).toEqual(['a', 'b']);
    expect(budgets[1]?.delta).toEqual({ budget: '0.000001', spent: '0.0000001', remaining: '0.0000009' });
    expect(await ledger.budgets('a')).toEqual([budgets[0]]);
    expect(await ledger.history('a')).toEqual([history[1]]);
    expect(await ledger.history('c')).toEqual([]);
    expect([history, history[0], budgets, budgets[0], budgets[0]?.epsilon].every(Object.isFrozen)).toBe(true);
    expect(JSON.parse(JSON.stringify({ history, budgets }))).toEqual({ history, budgets });
  });

  it('adds up more than 64 bits hold', async () => {
    await using ledger = await openLedger(freshPath());
    for (let i = 0; i < 12; i++) await ledger.reserve(request(1e6, { delta: 1 }));
    await ledger.reserve(request('1e-12', { delta: '1e-18' }));
    const [status] = await ledger.budgets();
    expect(status?.epsilon.spent).toBe('12000000.000000000001');
    expect(status?.delta.spent).toBe('12.000000000000000001');
    expect((await ledger.setBudget('flights', budget(1))).epsilon.remaining).toBe('0');
  });

  it('treats names as text', async () => {
    await using ledger = await openLedger(freshPath());
    const dataset = `/data/o'brien "x"; DROP TABLE spend; -- é 漢 %_?`;
    await ledger.setBudget(dataset, budget(1));
    await ledger.reserve({ ...request(0.5), dataset });
    expect((await ledger.budgets(dataset))[0]).toMatchObject({ dataset, epsilon: { spent: '0.5' } });
  });

  it.each([
    ['dataset_required', { ...request(1), dataset: '' }],
    ['relation_invalid', request(1, { relation: 'both' as 'swap' })],
    ['unit_invalid', request(1, { unit: { column: '', maxRows: 1 } })],
    ['unit_invalid', request(1, { unit: { column: 'person', maxRows: 0 } })],
    ['unit_invalid', request(1, { unit: 'person' as 'row' })],
    ['option_invalid', { ...request(1), mechanism: '' }],
    ['amount_invalid', request(0)],
    ['amount_invalid', request(1, { delta: -1 })],
  ])('answers %s before anything is spent', async (code, wrong) => {
    await using ledger = await openLedger(freshPath());
    expect((await failure(ledger.reserve(wrong))).code).toBe(code);
    expect(await ledger.history()).toEqual([]);
  });

  it('knows only its own reservations', async () => {
    await using ledger = await openLedger(freshPath());
    for (const id of [1, 0.5, Number.NaN]) expect((await failure(ledger.commit(id))).code).toBe('option_invalid');
  });
});

describe('spend', () => {
  it('reserves, runs and commits', async () => {
    await using ledger = await openLedger(freshPath());
    const statuses = async () => (await ledger.history()).map((entry) => entry.status);
    expect(await spend(ledger, request(1), async ({ id }) => [id, ...(await statuses())])).toEqual([1, 'reserved']);
    expect(await statuses()).toEqual(['committed']);
  });

  it('stays spent when the run fails', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(1));
    const broken = new Error('broken');
    await expect(spend(ledger, request(0.75), () => Promise.reject(broken))).rejects.toBe(broken);
    expect((await ledger.history())[0]?.status).toBe('reserved');
    expect((await ledger.budgets())[0]?.epsilon.remaining).toBe('0.25');
  });

  it('does not run what the budget refuses', async () => {
    await using ledger = await openLedger(freshPath());
    await ledger.setBudget('flights', budget(1));
    const runs: string[] = [];
    expect((await failure(spend(ledger, request(2), () => runs.push('ran')))).code).toBe('budget_exceeded');
    expect(runs).toEqual([]);
  });
});
