import type { Bytes } from '../bytes.js';
import type { CompiledReads } from '../compiled/reads.js';
import type { MaybePromise } from '../when-there.js';
import type { PlainRequestOf } from './graphql-validity.js';
import type { Introspection } from './introspection.js';
import type { GraphqlRequest } from './yoga.js';

/** The JSON text of an operation's `data` where it is a plain read or introspection, else undefined: then Yoga answers. */
export type ReadOperation = (request: GraphqlRequest) => MaybePromise<Bytes | undefined>;

export function createReadOperation(
  plainRequestOf: PlainRequestOf,
  reads: CompiledReads,
  introspection: Introspection,
): ReadOperation {
  return (request) => {
    const plain = plainRequestOf(request);
    if (!plain) return undefined;
    const { document, operationName, variables } = plain;
    return introspection(document, operationName) ?? reads.textOf(document, operationName, variables, request);
  };
}
