import type { DocumentNode } from 'graphql';
import { isName, isVariables } from './graphql-params.js';
import type { GraphqlRequest, Yoga } from './yoga.js';

/** A request for an operation that may be performed without Yoga: a document and its parameters, all as they must be. */
export interface PlainRequest {
  document: DocumentNode;
  operationName: string | null | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** What a request consists of (GraphQL over HTTP, 5.1). */
const parameters: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions']);

/**
 * The request in plain form, or undefined where Yoga has something to say to it. A document is validated as Yoga does
 * it, by the same plugins, before it is performed the first time.
 */
export type PlainRequestOf = (request: GraphqlRequest) => PlainRequest | undefined;

export function createPlainRequests(yoga: Yoga): PlainRequestOf {
  const validity = new WeakMap<DocumentNode, boolean>();

  const isValid = (document: DocumentNode, request: GraphqlRequest): boolean => {
    const known = validity.get(document);
    if (known !== undefined) return known;
    const { schema, validate } = yoga.getEnveloped(request);
    const valid = validate(schema, document).length === 0;
    validity.set(document, valid);
    return valid;
  };

  return (request) => {
    const { document, operation } = request;
    const { operationName, variables, extensions } = operation;
    if (!document || extensions != null) return undefined;
    for (const name in operation) if (!parameters.has(name)) return undefined;
    if (!isName(operationName) || !isVariables(variables) || !isValid(document, request)) return undefined;
    return { document, operationName, variables: variables ?? {} };
  };
}
