import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/index.js';
import { budget, freshPath, startTogether, startWorker, type Worker } from './support.js';

const start = (count: number, file: string, epsilon: string, spends: number) =>
  Array.from({ length: count }, (_, i) => startWorker(file, epsilon, spends, `worker-${i}`));
const ended = (workers: readonly Worker[]) => Promise.all(workers.map((worker) => worker.ended));

describe('processes that share a ledger', () => {
  it('cannot both get the last tenth', async () => {
    const file = freshPath();
    await using ledger = await openLedger(file);
    await ledger.setBudget('flights', budget('0.1'));
    const workers = start(6, file, '0.1', 1);
    await startTogether(workers);
    await ended(workers);
    const answers = workers.map((worker) => worker.lines.slice(2).join(' '));
    expect(answers.sort()).toEqual([
      'refused budget_exceeded',
      'refused budget_exceeded',
      'refused budget_exceeded',
      'refused budget_exceeded',
      'refused budget_exceeded',
      'reserved 1 committed 1',
    ]);
    expect((await ledger.budgets())[0]?.epsilon).toEqual({ budget: '0.1', spent: '0.1', remaining: '0' });
  });

  it('lose no spend and never go above the budget', async () => {
    const file = freshPath();
    await using ledger = await openLedger(file);
    await ledger.setBudget('flights', budget('1'));
    const workers = start(4, file, '0.01', 40);
    await startTogether(workers);
    await ended(workers);
    const acknowledged = workers.flatMap((worker) => worker.said('reserved').map(Number)).sort((a, b) => a - b);
    const history = await ledger.history();
    expect(acknowledged).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(history.map((entry) => entry.id)).toEqual(acknowledged);
    expect(history.every((entry) => entry.status === 'committed')).toBe(true);
    expect(workers.flatMap((worker) => worker.said('refused'))).toEqual(Array(60).fill('budget_exceeded'));
    expect((await ledger.budgets())[0]?.epsilon).toEqual({ budget: '1', spent: '1', remaining: '0' });
  });

  it('may all be the first to open it', async () => {
    for (let round = 0; round < 2; round++) {
      const file = freshPath();
      const workers = start(5, file, '0.1', 2);
      await startTogether(workers);
      await ended(workers);
      await using ledger = await openLedger(file);
      expect(workers.flatMap((worker) => worker.said('refused'))).toEqual([]);
      expect((await ledger.budgets())[0]?.epsilon.spent).toBe('1');
    }
  });
});

describe('kill -9', () => {
  it('loses no acknowledged spend and leaves at most one more for each process', async () => {
    const file = freshPath();
    const all: Worker[] = [];
    for (let round = 0; round < 4; round++) {
      const workers = Array.from({ length: 3 }, (_, i) => startWorker(file, '0.001', 1e9, `${round}-${i}`));
      all.push(...workers);
      await startTogether(workers);
      await Promise.all(
        workers.map(async (worker) => {
          await worker.until('reserved');
          await sleep(randomInt(60));
          worker.kill();
          await worker.ended;
        }),
      );
      await using ledger = await openLedger(file);
      const history = await ledger.history();
      for (const [i, worker] of all.entries()) {
        const own = history.filter((entry) => entry.mechanism === `${Math.floor(i / 3)}-${i % 3}`);
        const reserved = worker.said('reserved').map(Number);
        const committed = worker.said('committed').map(Number);
        expect(own.map((entry) => entry.id).slice(0, reserved.length)).toEqual(reserved);
        expect(own.length - reserved.length).toBeOneOf([0, 1]);
        const done = own.filter((entry) => entry.status === 'committed').map((entry) => entry.id);
        expect(done.slice(0, committed.length)).toEqual(committed);
        expect(done.length - committed.length).toBeOneOf([0, 1]);
      }
      const [status] = await ledger.budgets();
      expect(Math.round(Number(status?.epsilon.spent) * 1000)).toBe(history.length);
    }
    expect(all.every((worker) => worker.said('reserved').length > 0)).toBe(true);
  });

  it('while the ledger is being made leaves a ledger or nothing', async () => {
    for (let round = 0; round < 4; round++) {
      const file = freshPath();
      const worker = startWorker(file, '0.1', 1, 'killed');
      await worker.until('ready');
      worker.go();
      await sleep(randomInt(12));
      worker.kill();
      await worker.ended;
      await using ledger = await openLedger(file);
      expect(await ledger.history()).toEqual([]);
    }
  });
});
