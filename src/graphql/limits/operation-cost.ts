/**
 * The cost of an operation, computed from the operation and its variables before it is validated or executed, so it
 * does not depend on how the operation is executed. docs/cost.md has the formula.
 */
import { type DocumentNode, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { errors } from '../../model/errors/errors.js';
import { argumentsCheck } from './arguments-size.js';
import { totalCost } from './cost-parts.js';
import { type CostTerm, evaluated, type Variables } from './cost-term.js';
import { selectionCostOf, TooDeep } from './selection-cost.js';
import { refuseLargeShape } from './shape.js';
import { deepestFields, mostPreviews, mostRootFields, presumedLines } from './sizes.js';

export interface CostReport {
  /** The number of values that the answer can hold. */
  requested: number;
  /** The highest cost allowed. */
  limit: number;
}

/** Computes the cost of an operation. @throws QUERY_TOO_COMPLEX */
export type CheckCost = (
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Variables,
) => CostReport;

/** `limit` is the highest cost allowed. The part that does not depend on variables is computed once per operation. */
export function createCostCheck(schema: GraphQLSchema, limit: number): CheckCost {
  const known = new WeakMap<OperationDefinitionNode, Cost>();

  return (document, definition, variables) => {
    const cost = known.get(definition) ?? costIn(schema, document, definition);
    known.set(definition, cost);
    const requested = cost(variables);
    if (requested > limit) throw errors.queryTooComplex('cost', limit, requested);
    return { requested, limit };
  };
}

/**
 * The cost of an operation, whatever its amount; undefined where the document has no such operation. @throws
 * QUERY_TOO_COMPLEX where its depth, width or text is too large
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables = {},
  operationName?: string | null,
): number | undefined {
  const operation = getOperationAST(document, operationName);
  return operation ? costIn(schema, document, operation)(variables) : undefined;
}

type Cost = (variables: Variables) => number;

function costIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Cost {
  refuseLargeShape(document);
  const { weight, shared } = weigh(() => selectionCostOf(schema, document, operation));
  if (weight.depth > deepestFields) throw errors.queryTooComplex('depth', deepestFields, weight.depth);
  if (weight.width > mostRootFields) throw errors.queryTooComplex('root_fields', mostRootFields, weight.width);
  if (weight.previews > mostPreviews) throw errors.queryTooComplex('previews', mostPreviews, weight.previews);
  const cost: CostTerm = totalCost(weight, presumedLines);
  const checkArguments = argumentsCheck(document, operation);
  return (variables) => {
    checkArguments(variables);
    return Math.ceil(evaluated(cost, shared, variables));
  };
}

function weigh<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof TooDeep ? errors.queryTooComplex('depth', deepestFields) : error;
  }
}
