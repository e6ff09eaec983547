import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ScumbleError } from '../../src/errors.js';
import { type Ledger, openLedger } from '../../src/ledger/index.js';
import { freshPath } from './support.js';

/** Amounts in tenths of the unit of account, so that rounding happens all the time. */
const tenths = fc.integer({ min: 1, max: 60 });
const kind = fc.constantFrom('add-remove row', 'swap row', 'add-remove person');
const dataset = fc.constantFrom('a', 'b');
const command = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('set' as const), dataset, kind, epsilon: tenths, delta: tenths }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('reserve' as const), dataset, kind, epsilon: tenths, delta: tenths }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('commit' as const), id: fc.integer({ min: 1, max: 12 }) }) },
);
// Mostly one kind, or mismatches would end every run early.
const commands = fc.array(command, { maxLength: 25 }).chain((list) =>
  fc.record({
    usual: kind,
    list: fc.constant(list),
    unusual: fc.array(fc.boolean(), { minLength: list.length, maxLength: list.length }),
  }),
);

interface Account {
  kind: string;
  epsilon: bigint;
  delta: bigint;
}

/** The contract in its most naive form. */
function createModel() {
  const budgets = new Map<string, Account>();
  const spends: (Account & { dataset: string; status: string })[] = [];
  const total = (dataset: string, name: 'epsilon' | 'delta') =>
    spends.filter((spend) => spend.dataset === dataset).reduce((sum, spend) => sum + spend[name], 0n);
  return {
    budgets,
    spends,
    total,
    set(dataset: string, budget: Account): string {
      if (budget.epsilon === 0n) return 'amount_invalid';
      if ((budgets.get(dataset)?.kind ?? budget.kind) !== budget.kind) return 'budget_mismatch';
      if (spends.some((spend) => spend.dataset === dataset && spend.kind !== budget.kind)) return 'budget_mismatch';
      budgets.set(dataset, budget);
      return 'done';
    },
    reserve(dataset: string, spend: Account): string {
      const budget = budgets.get(dataset);
      if (budget && budget.kind !== spend.kind) return 'budget_mismatch';
      if (budget && total(dataset, 'epsilon') + spend.epsilon > budget.epsilon) return 'budget_exceeded';
      if (budget && total(dataset, 'delta') + spend.delta > budget.delta) return 'budget_exceeded';
      spends.push({ ...spend, dataset, status: 'reserved' });
      return 'done';
    },
    commit(id: number): string {
      const spend = spends[id - 1];
      if (!spend) return 'option_invalid';
      spend.status = 'committed';
      return 'done';
    },
  };
}

const up = (tenths: number) => (BigInt(tenths) + 9n) / 10n;
const down = (tenths: number) => BigInt(tenths) / 10n;
const units = (text: string, places: number) => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
};
const protectionOf = (kind: string) => {
  const [relation, unit] = kind.split(' ') as ['add-remove' | 'swap', string];
  return unit === 'row' ? { relation, unit: 'row' as const } : { relation, unit: { column: unit, maxRows: 2 } };
};
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof ScumbleError ? error.code : String(error)),
  );

it('does what the naive account does, for any sequence of commands', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async ({ usual, list, unusual }) => {
      await using ledger: Ledger = await openLedger(freshPath());
      const model = createModel();
      for (const [i, step] of list.entries()) {
        if (step.do === 'commit') {
          expect(await outcome(ledger.commit(step.id))).toBe(model.commit(step.id));
          continue;
        }
        const kind = unusual[i] && i > 8 ? step.kind : usual;
        const round = step.do === 'set' ? down : up;
        const account = { kind, epsilon: round(step.epsilon), delta: round(step.delta) };
        const amounts = { epsilon: `${step.epsilon}e-13`, delta: Number(`${step.delta}e-19`) };
        const call =
          step.do === 'set'
            ? ledger.setBudget(step.dataset, { ...protectionOf(kind), ...amounts })
            : ledger.reserve({
                dataset: step.dataset,
                guarantee: { ...protectionOf(kind), ...amounts },
                mechanism: 'm',
              });
        expect(await outcome(call)).toBe(model[step.do](step.dataset, account));
      }
      const history = await ledger.history();
      expect(
        history.map((entry) => ({
          dataset: entry.dataset,
          kind: `${entry.relation} ${typeof entry.unit === 'string' ? entry.unit : entry.unit.column}`,
          epsilon: units(entry.epsilon, 12),
          delta: units(entry.delta, 18),
          status: entry.status,
        })),
      ).toEqual(model.spends);
      for (const [dataset, budget] of model.budgets) {
        const [status] = await ledger.budgets(dataset);
        for (const [name, places] of [
          ['epsilon', 12],
          ['delta', 18],
        ] as const) {
          expect(units(status![name].budget!, places)).toBe(budget[name]);
          expect(units(status![name].spent, places)).toBe(model.total(dataset, name));
          const left = budget[name] - model.total(dataset, name);
          expect(units(status![name].remaining!, places)).toBe(left > 0n ? left : 0n);
        }
      }
    }),
    { numRuns: 100 },
  );
});
