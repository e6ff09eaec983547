import { isDeepStrictEqual } from 'node:util';
import { ScumbleError } from '../../errors.js';
import type { Engine } from './engine.js';
import { text } from './sql.js';
import { castTypes, dateUnits, unitFirst, whereFunctions } from './where-functions.js';

/** A row filter that was found to be one expression over the row's own columns. */
export interface Where {
  /** SQL, true for the rows that are in; it never fails. */
  readonly sql: string;
  /** The columns it names, as it spells them. */
  readonly columns: readonly string[];
  /** Those of them of which it names a part, as in `place.city`. */
  readonly taken: readonly string[];
  /** Every operation in it. */
  readonly parts: readonly Part[];
  /** The SQL of a SELECT of these expressions, each in a TRY of its own where asked for, without a FROM. */
  write(list: readonly Node[], tried?: 'tried'): Promise<string>;
}

/** One operation: a function, a cast, an operator or a CASE. */
export interface Part {
  readonly node: Node;
  readonly operands: readonly Node[];
}

export interface Node {
  readonly [key: string]: unknown;
  readonly class: string;
  readonly type: string;
}

interface Select {
  readonly error: boolean;
  readonly statements: readonly { readonly node: { readonly select_list: readonly Node[] } }[];
}

/** The line breaks end any comment. The very text that is parsed here is what runs later. */
const wrapped = (condition: string) => `TRY((\n${condition}\n))`;

/**
 * Reads a condition. It must parse, in its place, as exactly one expression built from comparisons, logic, CASE, casts,
 * constants, columns and {@link whereFunctions}.
 *
 * @throws ScumbleError `where_invalid`.
 */
export async function parseWhere(engine: Engine, condition: string): Promise<Where> {
  const parsed = await parse(engine, wrapped(condition));
  const plain = await parse(engine, wrapped('true'));
  if (!parsed || parsed.error) throw refused('it is no SQL expression');
  const [expression, ...others] = parsed.statements[0].node.select_list;
  const shape = (select: Select) => ({
    ...select,
    statements: select.statements.map(({ node, ...rest }) => ({ ...rest, node: { ...node, select_list: [] } })),
  });
  const single = others.length === 0 && expression.type === 'OPERATOR_TRY';
  if (!plain || !single || !isDeepStrictEqual(shape(parsed), shape(plain))) throw refused('it is not one expression');
  const nodes = [...descend(expression)];
  const references = nodes.filter(isColumn).map((node) => node.column_names as string[]);
  return {
    sql: wrapped(condition),
    columns: [...new Set(references.map(([column]) => column))],
    taken: [...new Set(references.filter((names) => names.length > 1).map(([column]) => column))],
    parts: nodes.map((node) => ({ node, operands: operandsOf(node) })).filter(({ operands }) => operands.length > 0),
    write: (list, tried) =>
      write(engine, parsed, tried ? list.map((node) => ({ ...expression, children: [node] })) : list),
  };
}

/** Integers that a double may not hold, outside of strings. */
const longIntegers = /"(?:[^"\\]|\\.)*"|-?\d{16,}/g;

async function parse(engine: Engine, expression: string): Promise<Select | undefined> {
  const rows = await engine.tryRead(`SELECT json_serialize_sql(${text(`SELECT ${expression}`)})`);
  const exact = (token: string) => (token.startsWith('"') ? token : `{"integer":"${token}"}`);
  return rows && JSON.parse(String(rows[0][0]).replace(longIntegers, exact));
}

async function write(engine: Engine, select: Select, list: readonly Node[]): Promise<string> {
  const statements = select.statements.map((statement) => ({
    ...statement,
    node: { ...statement.node, select_list: list },
  }));
  const tree = JSON.stringify({ ...select, statements }).replace(/\{"integer":"(-?\d+)"\}/g, '$1');
  const rows = await engine.tryRead(`SELECT json_deserialize_sql(${text(tree)}::JSON)`);
  if (!rows) throw refused('a part of it cannot be tried by itself');
  return String(rows[0][0]);
}

export function isColumn(node: Node): boolean {
  return node.class === 'COLUMN_REF';
}

const operators = new Set([
  'OPERATOR_TRY',
  'OPERATOR_NOT',
  'OPERATOR_IS_NULL',
  'OPERATOR_IS_NOT_NULL',
  'OPERATOR_COALESCE',
  'COMPARE_IN',
  'COMPARE_NOT_IN',
  'ARRAY_EXTRACT',
  'ARRAY_SLICE',
  'STRUCT_EXTRACT',
]);

const refusals: Record<string, string> = {
  SUBQUERY: 'it has a sub-query',
  WINDOW: 'it has a window function',
  PARAMETER: 'it has a parameter',
  STAR: 'it has a star',
  LAMBDA: 'it has an arrow or a lambda',
};

export function* descend(node: Node): Generator<Node> {
  yield node;
  for (const operand of operandsOf(node)) yield* descend(operand);
}

function operandsOf(node: Node): Node[] {
  const operands: Node[] = [];
  mapOperands(node, (operand) => {
    operands.push(operand);
    return operand;
  });
  return operands;
}

/** An expression of a kind that is let in, with other operands. */
export function mapOperands(node: Node, to: (operand: Node) => Node): Node {
  const parts = node as unknown as Record<string, Node> & {
    readonly children: Node[];
    readonly case_checks: Record<string, Node>[];
  };
  const mapped = (...names: string[]) => ({
    ...node,
    ...Object.fromEntries(names.map((name) => [name, to(parts[name])])),
  });
  switch (node.class) {
    case 'CONSTANT':
    case 'COLUMN_REF':
      return node;
    case 'COMPARISON':
      return mapped('left', 'right');
    case 'BETWEEN':
      return mapped('input', 'lower', 'upper');
    case 'CASE': {
      const checks = parts.case_checks.map((check) => ({
        ...check,
        when_expr: to(check.when_expr),
        then_expr: to(check.then_expr),
      }));
      return { ...node, case_checks: checks, else_expr: to(parts.else_expr) };
    }
    case 'CAST':
      checkType(parts.cast_type);
      return mapped('child');
    case 'FUNCTION':
      checkFunction(node);
      break;
    case 'CONJUNCTION':
      break;
    default:
      if (node.class !== 'OPERATOR' || !operators.has(node.type))
        throw refused(
          refusals[node.class] ?? 'it has more than comparisons, logic, arithmetic, CASE, casts and functions',
        );
  }
  return { ...node, children: parts.children.map(to) };
}

/** A type may carry expressions of its own; only plain ones and decimals are let in. */
function checkType({ id, type_info: info }: Node): void {
  const plain = info === null || (info as Node).type === 'DECIMAL_TYPE_INFO';
  if (!plain || !castTypes.has(String(id))) throw refused('it casts to a type that is not plain');
}

export function functionName(node: Node): string {
  return String(node.function_name).toLowerCase();
}

function checkFunction(node: Node): void {
  const name = functionName(node);
  const known = node.catalog === '' && (node.schema === '' || node.schema === 'main') && whereFunctions.has(name);
  if (!known) throw refused(`the function ${name} is not among those of a row filter`);
  if (unitFirst.has(name)) {
    const [unit] = node.children as Node[];
    if (unit?.class !== 'CONSTANT') throw refused(`the function ${name} needs a constant unit of time`);
    if (!dateUnits.has(String((unit.value as Node).value).toLowerCase()))
      throw refused(`the unit of time of ${name} is not among ${[...dateUnits].join(', ')}`);
  }
  const { orders } = node.order_bys as { orders: unknown[] };
  if (node.filter !== null || node.distinct !== false || node.export_state !== false || orders.length > 0)
    throw refused(`the function ${name} is called as an aggregate`);
}

export function refused(why: string): ScumbleError {
  return new ScumbleError(
    'where_invalid',
    `The condition of --where is refused: ${why}; it must be one SQL condition over the row's own columns.`,
    { why },
  );
}
