import type { Engine } from './engine.js';
import { type Column, describe } from './scan.js';
import { identifier, text } from './sql.js';
import { descend, functionName, isColumn, mapOperands, type Node, type Part, refused, type Where } from './where.js';
import { ofDates, unitFirst } from './where-functions.js';

/**
 * Binds the condition to names and types, and tries it on made-up rows: TRY does not catch what is wrong with the
 * condition itself, such as a constant or a type that a function cannot do with. If that came out only where rows reach
 * it, a CASE could tell by it what the rows hold. So every operation is tried by itself, on operands of its types.
 *
 * @param from a SELECT of the columns.
 * @throws ScumbleError `where_invalid`.
 */
export async function checkCondition(engine: Engine, where: Where | undefined, from: string): Promise<void> {
  if (!where) return;
  const [result] = (await describe(engine, `(SELECT ${where.sql} FROM (${from}))`)) ?? [];
  if (!result) throw refused('it does not fit the types of its columns');
  if (result.type !== 'BOOLEAN') throw refused(`it gives ${result.type}, not true or false`);
  await tryParts(engine, where, from);
  const columns = (await describe(engine, `(${from})`)) ?? [];
  await tryOut(engine, `SELECT ${where.sql}`, columns);
}

async function tryParts(engine: Engine, where: Where, from: string): Promise<void> {
  const operands = where.parts.flatMap((part) => part.operands);
  if (operands.length === 0) return;
  const described = await describe(engine, `(${await where.write(operands)} FROM (${from}))`);
  if (!described) throw refused('a part of it cannot be tried by itself');
  const types = new Map(operands.map((operand, i) => [operand, described[i]]));
  for (const part of where.parts) checkTypes(part, types);
  const place = (operand: Node) => `c${operands.indexOf(operand)}`;
  const varying = operands.filter((operand) => [...descend(operand)].some(isColumn));
  const column = [...descend(where.parts[0].node)].find(isColumn);
  const trials = where.parts.map(({ node }) =>
    mapOperands(node, (operand) =>
      column && varying.includes(operand) ? { ...column, column_names: [place(operand)] } : operand,
    ),
  );
  const made = varying.map((operand) => ({ name: place(operand), sqlType: types.get(operand)!.sqlType }));
  await tryOut(engine, await where.write(trials, 'tried'), made);
}

/** Casts of these fail, for some values, in a way that TRY does not catch. */
const unsafeTypes = /\b(JSON|BIT|BIGNUM|VARIANT|GEOMETRY|UNION)\b/;

function checkTypes({ node, operands }: Part, types: ReadonlyMap<Node, Column>): void {
  const taken = operands.map((operand) => types.get(operand)!.type);
  const unsafe = taken.map((type) => unsafeTypes.exec(type)?.[1]).find((type) => type !== undefined);
  if (unsafe === 'JSON') throw refused('a part of it gives JSON; take text out of JSON by ->>');
  if (unsafe !== undefined) throw refused(`a part of it has the type ${unsafe}`);
  if (node.class !== 'FUNCTION' || !ofDates.has(functionName(node))) return;
  const dates = unitFirst.has(functionName(node)) ? taken.slice(1) : taken;
  if (!dates.every((type) => /^(DATE|TIMESTAMP[A-Z_ ]*)$/.test(type)))
    throw refused('it takes the part of a date of what is no date');
}

const samples = [
  '1',
  '2000-01-01',
  '12:00:00',
  '1 day',
  '00000000-0000-0000-0000-000000000001',
  '[1]',
  '[2000-01-01]',
  '{}',
  '[]',
  '-1',
  'infinity',
];

/** Runs it on rows that nobody's data are in: one of nulls and two of values of these types. */
async function tryOut(
  engine: Engine,
  select: string,
  columns: readonly Pick<Column, 'name' | 'sqlType'>[],
): Promise<void> {
  const sample = (type: string, values: readonly string[]) => {
    const casts = values.map((value) => `TRY_CAST(${text(value)} AS ${type})`);
    return `coalesce(${[...casts, ...(type.startsWith('ENUM(') ? [`enum_first(NULL::${type})`] : [])].join(', ')})`;
  };
  const fields = columns.map(({ name, sqlType }) => {
    const [one, other] = [samples, samples.toReversed()].map((values) => sample(sqlType, values));
    return `CASE range WHEN 1 THEN ${one} WHEN 2 THEN ${other} END AS ${identifier(name)}`;
  });
  const rows = (range: string) => `(SELECT ${fields.join(', ') || '0'} FROM ${range})`;
  const known = columns.map(({ name }) => `${identifier(name)} IS NOT NULL`);
  const values = await engine.tryRead(`SELECT ${['true', ...known].join(' AND ')} FROM ${rows('range(1, 3)')}`);
  if (!values?.every(([all]) => all === true)) throw refused('it has a type of which no value can be made up');
  if (!(await engine.tryRead(`${select} FROM ${rows('range(3)')}`)))
    throw refused('a constant or a type in it is not allowed where it stands');
}
