import { describe, expect, it } from 'vitest';
import { printAudit } from '../../src/cli/audit-command.js';
import { describeFailure } from '../../src/cli/exit.js';
import { Terminal } from '../../src/cli/terminal.js';
import { Collector, command, directory, inProcess } from './command.js';

const audit = ['audit', 'joint-exp', '--records=3', '--lattice=4', '--quantiles=0.3,0.7', '--epsilon=1'];

describe('scumble audit', () => {
  it('prints the largest loss, the pair that attains it and the bound', async () => {
    const { code, stdout } = await command(audit, directory());
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^largest loss {2}0\.\d+\nattained by {3}\{[\d, ]*\} and \{[\d, ]*\} on the output \{\d, \d\}\nbound {9}1\ncompared .*\n$/,
    );
  });

  it.each(['add-remove', 'swap'])('prints JSON under %s', async (relation) => {
    const { code, stdout } = await inProcess([...audit, `--relation=${relation}`, '--json']);
    expect(code).toBe(0);
    const { loss, bound, holds, witness } = JSON.parse(stdout);
    expect({ bound, holds }).toEqual({ bound: 1, holds: true });
    expect(loss).toBeGreaterThan(0.5);
    expect(witness.a.length - witness.b.length).toBe(relation === 'swap' ? 0 : -1);
  });

  it('audits approximate-quantiles as well', async () => {
    const asked = [
      'audit',
      'approximate-quantiles',
      '--records=3',
      '--lattice=3',
      '--quantiles=0.3,0.7',
      '--epsilon=2',
    ];
    const { code, stdout } = await inProcess([...asked, '--json']);
    expect(code).toBe(0);
    const { loss, holds } = JSON.parse(stdout);
    expect(holds).toBe(true);
    expect(loss).toBeGreaterThan(0.8);
    expect((await inProcess([...asked, '--lattice=20'])).code).toBe(2);
  });

  it.each(['conditional', 'edge'])('audits trees of three children, %s', async (adaptation) => {
    const asked = [
      'audit',
      'approximate-quantiles',
      '--records=4',
      '--lattice=2',
      '--quantiles=0.3,0.7',
      '--epsilon=2',
    ];
    const tree = ['--branching=3', '--power=1', `--adaptation=${adaptation}`];
    for (const relation of ['add-remove', 'swap']) {
      const { code, stdout } = await inProcess([...asked, ...tree, `--relation=${relation}`, '--json']);
      expect(code).toBe(0);
      const { loss, holds } = JSON.parse(stdout);
      expect(holds).toBe(true);
      expect(loss).toBeGreaterThan(0.5);
    }
    const { code, stderr } = await inProcess([...asked, '--branching=4']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--branching: .*from 2 to 3/);
    expect((await inProcess([...audit, '--branching=3'])).code).toBe(2);
  });

  it('is code 1 after the result when the loss exceeds the bound', () => {
    const [stdout, stderr] = [new Collector(), new Collector()];
    const terminal = new Terminal(stdout, stderr, new AbortController().signal);
    const result = {
      loss: 1.5,
      bound: 1,
      holds: false,
      pairs: 1,
      dataSets: 2,
      witness: { a: [0], b: [], output: [1] },
    };
    let failure: unknown;
    try {
      printAudit(result, false, terminal);
    } catch (error) {
      failure = error;
    }
    expect(describeFailure(failure, false)).toMatchObject({ exitCode: 1, message: expect.stringContaining('1.5') });
    expect(stdout.text).toContain('{0} and {} on the output {1}');
  });

  it('blames --max-rows under swap', async () => {
    const { code, stderr } = await inProcess([...audit, '--relation=swap', '--max-rows=2']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^scumble: --max-rows cannot be used with --relation swap[^\n]*\.\n$/);
  });

  it.each(['--records', '--lattice', '--quantiles', '--epsilon'])('demands %s', async (option) => {
    const { code, stderr } = await inProcess(audit.filter((word) => !word.startsWith(option)));
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^scumble: ${option} is required: [^\n]+\\.\n$`));
  });

  it.each([
    ['--records=0', '--records'],
    ['--records=13', '--records'],
    ['--lattice=1', '--lattice'],
    ['--lattice=65', '--lattice'],
    ['--quantiles=0,1', '--quantiles'],
    ['--epsilon=0', '--epsilon'],
    ['--epsilon=1000', '--epsilon'],
    ['--max-rows=0', '--max-rows'],
    ['--max-rows=9', '--max-rows'],
    ['--relation=none', '--relation'],
    ['--lattice=64', 'fewer'],
    ['--colour=red', '--colour'],
  ])('%s is code 2 and named', async (option, named) => {
    const { code, stderr } = await inProcess([...audit, option]);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
  });
});
