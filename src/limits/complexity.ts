/**
 * What an operation would cost, decided from the operation and its variables alone, before anything is validated or
 * resolved: so the same for the resolvers and for what is compiled. docs/limits.md has the formula.
 */
import { type DocumentNode, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { errors } from '../errors.js';
import { refuseLargeShape } from './shape.js';
import { deepestFields, mostPreviews, mostRootFields, presumedLines } from './sizes.js';
import { evaluated, type Term, type Variables } from './term.js';
import { TooDeep, weightOf } from './weight.js';
import { total } from './weight-parts.js';

export interface CostReport {
  /** The values the answer can hold. */
  requested: number;
  /** The most allowed. */
  limit: number;
}

/** The cost of an operation of a document. @throws QUERY_TOO_COMPLEX */
export type Weigh = (document: DocumentNode, definition: OperationDefinitionNode, variables: Variables) => CostReport;

/** `limit` is the most an operation may cost. What does not depend on variables is worked out once per document. */
export function createScales(schema: GraphQLSchema, limit: number): Weigh {
  const known = new WeakMap<OperationDefinitionNode, Cost>();

  return (document, definition, variables) => {
    const cost = known.get(definition) ?? costIn(schema, document, definition);
    known.set(definition, cost);
    const requested = cost(variables);
    if (requested > limit) throw errors.queryTooComplex('cost', limit, requested);
    return { requested, limit };
  };
}

/** The cost of one operation. @throws QUERY_TOO_COMPLEX where its shape alone is too large, whatever it costs. */
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
  const { weight, shared } = weigh(() => weightOf(schema, document, operation));
  if (weight.depth > deepestFields) throw errors.queryTooComplex('depth', deepestFields, weight.depth);
  if (weight.width > mostRootFields) throw errors.queryTooComplex('root_fields', mostRootFields, weight.width);
  if (weight.previews > mostPreviews) throw errors.queryTooComplex('previews', mostPreviews, weight.previews);
  const cost: Term = total(weight, presumedLines);
  return (variables) => Math.ceil(evaluated(cost, shared, variables));
}

function weigh<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof TooDeep ? errors.queryTooComplex('depth', deepestFields) : error;
  }
}
