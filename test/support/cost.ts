import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import { createCostCheck } from '../../src/graphql/limits/operation-cost.js';
import { NamedValues, type Variables } from '../../src/model/selection.js';

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
  const weigh = createCostCheck(schema, Number.POSITIVE_INFINITY);
  if (!operation) return undefined;
  return weigh(document, operation, Object.assign(new NamedValues(), variables)).cost.requested;
}
