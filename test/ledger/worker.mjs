// A process of its own that spends from a ledger, for the tests of races and kills. It runs the built package.
// Usage: node worker.mjs <ledger> <data set> <epsilon> <count> <label>
// It says `ready`, waits for a line, opens the ledger, says `open`, waits for a line, and spends `count` times, saying
// `reserved <id>` and `committed <id>` as soon as the ledger has acknowledged them, or `refused <code>`.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openLedger } from 'scumble/ledger';

const [file, dataset, epsilon, count, mechanism] = process.argv.slice(2);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (line) => writeSync(1, `${line}\n`);

say('ready');
await input.next();
const ledger = await openLedger(file);
say('open');
await input.next();
for (let i = 0; i < Number(count); i++) {
  try {
    const guarantee = { relation: 'add-remove', unit: 'row', epsilon, delta: 0 };
    const { id } = await ledger.reserve({ dataset, guarantee, mechanism });
    say(`reserved ${id}`);
    await ledger.commit(id);
    say(`committed ${id}`);
  } catch (error) {
    say(`refused ${error.code}`);
  }
}
await ledger.close();
