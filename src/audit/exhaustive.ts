import type { Relation } from '../privacy/guarantee.js';
import { inSlices, pauses } from '../slices.js';
import { multisets } from './multisets.js';

/** The natural logarithm of the probability of an output, for one data set. */
export type LogLaw<Output> = (output: Output) => number;

/** A mechanism on a small lattice and what to compare. */
export interface ExhaustiveRequest<Output> {
  /** Data sets of up to this many records are tried (exactly this many or fewer on both sides under swap). */
  readonly records: number;
  /** Records are indices 0 … lattice-1. */
  readonly lattice: number;
  /** Which data sets are neighbours. */
  readonly relation: Relation;
  /** Rows that one unit may have; add-remove only. Default 1. */
  readonly rowsPerUnit?: number | undefined;
  /** All outputs of the mechanism. */
  readonly outputs: readonly Output[];
  /** The mechanism: its law for ascending records. */
  readonly law: (records: readonly number[]) => LogLaw<Output> | Promise<LogLaw<Output>>;
  /** With it the audit also finds the delta that this epsilon needs. */
  readonly epsilon?: number | undefined;
  /** Stops the work. */
  readonly signal?: AbortSignal | undefined;
}

/** What an audit found. */
export interface ExhaustiveResult<Output> {
  /** The largest |ln P(output | a) - ln P(output | b)| over neighbours a, b and outputs: the smallest epsilon that holds. */
  readonly loss: number;
  /** Where it was attained; undefined when there are no neighbours to compare. */
  readonly witness:
    | {
        /** The records of one data set, ascending. */
        readonly a: readonly number[];
        /** Those of its neighbour. */
        readonly b: readonly number[];
        /** The output that tells them apart best. */
        readonly output: Output;
      }
    | undefined;
  /** The largest hockey-stick divergence at `epsilon`: the smallest delta that holds. */
  readonly delta?: number;
  /** How many data sets were tried. */
  readonly dataSets: number;
  /** How many pairs of neighbours were compared. */
  readonly pairs: number;
}

/**
 * Compares the laws of a mechanism on all neighbouring data sets of a small lattice, output by output. What it finds is
 * exact for the sizes tried; a claim of epsilon-DP is refuted by any loss above epsilon.
 */
export async function exhaustiveAudit<Output>(request: ExhaustiveRequest<Output>): Promise<ExhaustiveResult<Output>> {
  const { records, lattice, outputs, law } = request;
  const laws: Laws = new Map();
  const pause = pauses(request.signal);
  for (let n = 0; n <= records; n++)
    for (const data of multisets(lattice, n)) {
      await pause();
      const logLaw = await law(data);
      laws.set(data.join(), { data, logs: Float64Array.from(outputs, logLaw) });
    }
  const compared = await inSlices(compare(laws, request), request.signal);
  return { ...compared, dataSets: laws.size };
}

type Laws = Map<string, { data: number[]; logs: Float64Array }>;

function* compare<Output>(laws: Laws, request: ExhaustiveRequest<Output>) {
  const { lattice, relation, rowsPerUnit = 1, outputs, epsilon } = request;
  let best = { loss: 0, witness: undefined as ExhaustiveResult<Output>['witness'] };
  let delta = 0;
  let pairs = 0;
  for (const a of laws.values()) {
    yield;
    for (const key of neighbours(a.data, lattice, relation, rowsPerUnit)) {
      const b = laws.get(key);
      if (!b) continue;
      pairs++;
      a.logs.forEach((log, i) => {
        // Equal logarithms, also two of probability zero, are no loss.
        const loss = log === b.logs[i] ? 0 : Math.abs(log - b.logs[i]);
        if (!(loss <= best.loss)) best = { loss, witness: { a: a.data, b: b.data, output: outputs[i] } };
      });
      if (epsilon !== undefined)
        delta = Math.max(delta, hockeyStick(a.logs, b.logs, epsilon), hockeyStick(b.logs, a.logs, epsilon));
    }
  }
  return { ...best, ...(epsilon !== undefined && { delta }), pairs };
}

/** sum max(0, P - e^epsilon * Q). */
function hockeyStick(p: Float64Array, q: Float64Array, epsilon: number): number {
  return p.reduce((sum, log, i) => sum + Math.max(0, Math.exp(log) - Math.exp(epsilon + q[i])), 0);
}

/** The keys of the data sets with 1 … rows more records, or with one record replaced. */
function* neighbours(data: readonly number[], lattice: number, relation: Relation, rows: number): Generator<string> {
  const key = (list: readonly number[]) => [...list].sort((x, y) => x - y).join();
  if (relation === 'add-remove') {
    for (let k = 1; k <= rows; k++) for (const added of multisets(lattice, k)) yield key([...data, ...added]);
    return;
  }
  for (let i = 0; i < data.length; i++)
    for (let to = data[i] + 1; to < lattice; to++) yield key([...data.slice(0, i), to, ...data.slice(i + 1)]);
}
