import type { DocumentNode } from 'graphql';
import type { CompiledReads } from '../compiled/reads.js';
import { isName, isVariables } from './graphql-params.js';
import type { Introspection } from './introspection.js';
import type { GraphqlRequest, Yoga } from './yoga.js';

/**
 * The JSON text of an operation's `data` where it is a plain read or introspection, else undefined: then Yoga answers. A
 * document is validated as Yoga does it, by the same plugins, before it is read the first time.
 */
export type ReadOperation = (request: GraphqlRequest) => string | undefined | Promise<string | undefined>;

export function createReadOperation(yoga: Yoga, reads: CompiledReads, introspection: Introspection): ReadOperation {
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
    return introspection(document, operationName) ?? reads.textOf(document, operationName, variables ?? {}, request);
  };
}
