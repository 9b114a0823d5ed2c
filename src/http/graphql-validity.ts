import type { DocumentNode } from 'graphql';
import { isName, isVariables } from './graphql-params.js';
import type { GraphqlRequest, Yoga } from './yoga.js';

/** A request for an operation that may be performed without Yoga: a document and its parameters, all as they must be. */
export interface PlainRequest {
  document: DocumentNode;
  operationName: string | null | undefined;
  variables: Readonly<Record<string, unknown>>;
}

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
    const { query, operationName, variables, extensions, ...others } = operation;
    if (!document || extensions != null || Object.keys(others).length > 0) return undefined;
    if (!isName(operationName) || !isVariables(variables) || !isValid(document, request)) return undefined;
    return { document, operationName, variables: variables ?? {} };
  };
}
