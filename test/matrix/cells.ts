/** The matrix: for every guard a covering array of the operations and the variants of a request. */
import type { GraphqlCall, PreparedRestCall } from './calls.js';
import { type Columns, type CoveringArray, coveringArray, type Row } from './covering-array.js';
import { type GraphqlVariant, graphqlIncompatibility, graphqlVariants } from './graphql-variants.js';
import type { Guard, GuardTest, Refusal } from './guard.js';
import { graphqlCallOf, newTarget, operationNamed, operations } from './operations/index.js';
import { type RestVariant, restIncompatibility, restVariants } from './rest-variants.js';
import type { Target, TestOperation } from './test-operation.js';

export type Surface = 'graphql' | 'rest';

/** One request by which a guard is tested. */
export interface Cell {
  /** Its name in a report. */
  name: string;
  guard: Guard;
  surface: Surface;
  row: Row;
  operation: TestOperation;
  /** The target of the request, and a second one for guards that need two. */
  targets: readonly [Target, Target];
  refusals: readonly Refusal[];
}

const operationColumn: Columns = { operation: operations.map(({ name }) => name) };

/** The rows in which a guard is tested, and the pairs that are not, each with the reason. */
export function rowsOf(guard: Guard, surface: Surface): CoveringArray {
  const guardTest = guard[surface];
  if (typeof guardTest === 'string') return { rows: [], excluded: new Map([['all', guardTest]]) };
  const { skips, liftedReason } = guard;
  const isRefused = guardTest.refusals.length > 0;
  const known = sharedRows.find(
    (one) =>
      one.surface === surface &&
      one.skips === skips &&
      one.skipsRow === guardTest.skips &&
      one.liftedReason === liftedReason &&
      one.isRefused === isRefused,
  );
  if (known) return known.coveringArray;
  const incompatibilityOfVariant = surface === 'graphql' ? graphqlIncompatibility : restIncompatibility;
  const incompatibilityOf = (row: Row) =>
    (skips && row.operation !== undefined ? skips(operationNamed(row.operation)) : undefined) ??
    incompatibilityOfVariant(row, liftedReason) ??
    guardTest.skips?.(withMethod(row)) ??
    (isRefused && row.transport === 'HEAD' && row.text === 'by its hash' ? refusedTextNotStored : undefined);
  const array = coveringArray(
    { ...operationColumn, ...(surface === 'graphql' ? graphqlVariants : restVariants) },
    incompatibilityOf,
  );
  sharedRows.push({ surface, skips, skipsRow: guardTest.skips, liftedReason, isRefused, coveringArray: array });
  return array;
}

const refusedTextNotStored =
  'the text of a refused request is not stored under its hash, and a HEAD has no body that would tell the two refusals apart';

/** Guards with the same operations, variants and expectations share their rows. */
const sharedRows: {
  surface: Surface;
  skips: unknown;
  skipsRow: unknown;
  liftedReason: unknown;
  isRefused: boolean;
  coveringArray: CoveringArray;
}[] = [];

/** Adds the HTTP method of an operation in REST to the row. */
function withMethod(row: Row): Row {
  const method = row.operation && operationNamed(row.operation).rest?.({ marker: '', id: '', lines: ['', ''] }).method;
  return method ? { ...row, method } : row;
}

/** The cells of a guard, which is the `number`th of all guards. */
export function cellsOf(guard: Guard, number: number, surface: Surface): Cell[] {
  const guardTest = guard[surface];
  if (typeof guardTest === 'string') return [];
  return rowsOf(guard, surface).rows.map((row, index) => {
    const marker = (which: string) => `${surface}${number}-${index}${which}`;
    return {
      name: `${guard.name} | ${surface} | ${Object.values(row).join(' | ')}`,
      guard,
      surface,
      row,
      operation: operationNamed(row.operation ?? ''),
      targets: [newTarget(marker('a')), newTarget(marker('b'))],
      refusals: guardTest.refusals,
    };
  });
}

/** The call of GraphQL that a cell makes for a target. */
export function graphqlCallIn({ guard, operation }: Cell, target: Target): GraphqlCall {
  return madeInvalid(guard.graphql, graphqlCallOf(operation, target), operation, target);
}

/** The call of REST that a cell makes for a target. */
export function restCallIn({ guard, operation }: Cell, target: Target): PreparedRestCall {
  const call = operation.rest?.(target);
  if (!call) throw new Error(`REST does not have the operation ${operation.name}`);
  return madeInvalid(guard.rest, { ...call, headers: {}, key: 'everything' }, operation, target);
}

function madeInvalid<Request>(
  guardTest: GuardTest<Request>,
  request: Request,
  operation: TestOperation,
  target: Target,
): Request {
  return typeof guardTest === 'string' ? request : guardTest.makeInvalid(request, operation, target);
}

/** The variant of the request to /graphql in the row of the cell. */
export function graphqlVariantIn({ row }: Cell): GraphqlVariant {
  return chosen(graphqlVariants, row);
}

/** The variant of the request to REST in the row of the cell. */
export function restVariantIn({ row }: Cell): RestVariant {
  return chosen(restVariants, row);
}

function chosen<Given extends Record<string, readonly string[]>>(
  columns: Given,
  row: Row,
): { [Column in keyof Given]: Given[Column][number] };
function chosen(columns: Record<string, readonly string[]>, row: Row): Record<string, string> {
  return Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? '']));
}
