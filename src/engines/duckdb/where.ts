import { isDeepStrictEqual } from 'node:util';
import { ScumbleError } from '../../errors.js';
import type { Engine } from './engine.js';
import { text } from './sql.js';
import { dateParts, unitFirst, whereFunctions } from './where-functions.js';

/** A row filter that was found to be one expression over the row's own columns. */
export interface Where {
  /** SQL, true for the rows that are in; it never fails. */
  readonly sql: string;
  /** The columns it names, as it spells them. */
  readonly columns: readonly string[];
  /** A SELECT of all expressions whose date parts it takes. */
  readonly dates: string | undefined;
}

interface Node {
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
  const columns = nodes.flatMap((node) => (node.class === 'COLUMN_REF' ? [(node.column_names as string[])[0]] : []));
  const dates = nodes.flatMap((node) => (isDatePart(node) ? [(node.children as Node[]).at(-1)!] : []));
  return {
    sql: wrapped(condition),
    columns: [...new Set(columns)],
    dates: dates.length > 0 ? await write(engine, parsed, dates) : undefined,
  };
}

async function parse(engine: Engine, expression: string): Promise<Select | undefined> {
  const rows = await engine.tryRead(`SELECT json_serialize_sql(${text(`SELECT ${expression}`)})`);
  return rows && JSON.parse(String(rows[0][0]));
}

/** The SQL of a SELECT with these expressions in place of its own. */
async function write(engine: Engine, select: Select, list: readonly Node[]): Promise<string | undefined> {
  const statements = select.statements.map((statement) => ({
    ...statement,
    node: { ...statement.node, select_list: list },
  }));
  const rows = await engine.tryRead(
    `SELECT json_deserialize_sql(${text(JSON.stringify({ ...select, statements }))}::JSON)`,
  );
  return rows && String(rows[0][0]);
}

function isDatePart(node: Node): boolean {
  return node.class === 'FUNCTION' && dateParts.has(String(node.function_name).toLowerCase());
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

function* descend(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* descend(child);
}

/** The operands of an expression of a kind that is let in. */
function childrenOf(node: Node): readonly Node[] {
  const parts = node as unknown as Record<string, Node> & {
    readonly children: Node[];
    readonly case_checks: Record<string, Node>[];
  };
  switch (node.class) {
    case 'CONSTANT':
    case 'COLUMN_REF':
      return [];
    case 'COMPARISON':
      return [parts.left, parts.right];
    case 'BETWEEN':
      return [parts.input, parts.lower, parts.upper];
    case 'CONJUNCTION':
      return parts.children;
    case 'CASE':
      return [...parts.case_checks.flatMap((check) => [check.when_expr, check.then_expr]), parts.else_expr];
    case 'CAST':
      checkType(parts.cast_type);
      return [parts.child];
    case 'FUNCTION':
      checkFunction(node);
      return parts.children;
  }
  if (node.class === 'OPERATOR' && operators.has(node.type)) return parts.children;
  throw refused(refusals[node.class] ?? 'it has more than comparisons, logic, arithmetic, CASE, casts and functions');
}

/** A type may carry expressions of its own; only plain ones and decimals are let in. */
function checkType({ type_info: info }: Node): void {
  if (info !== null && (info as Node).type !== 'DECIMAL_TYPE_INFO')
    throw refused('it casts to a type that is not plain');
}

function checkFunction(node: Node): void {
  const name = String(node.function_name).toLowerCase();
  const known = node.catalog === '' && (node.schema === '' || node.schema === 'main') && whereFunctions.has(name);
  if (!known) throw refused(`the function ${name} is not among those of a row filter`);
  if (unitFirst.has(name) && (node.children as Node[])[0]?.class !== 'CONSTANT')
    throw refused(`the function ${name} needs a constant unit of time`);
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
