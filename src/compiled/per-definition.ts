import type { OperationDefinitionNode } from 'graphql';
import type { Operation } from '../operation/admission.js';

/** What `compile` makes of an operation; undefined where it makes nothing of it. */
export type FromOperation<Compiled> = (operation: Operation) => Compiled | undefined;

/** Compiles each definition once and forgets it with its document. */
export function perDefinition<Compiled>(compile: FromOperation<Compiled>): FromOperation<Compiled> {
  const known = new WeakMap<OperationDefinitionNode, { compiled: Compiled | undefined }>();
  return (operation) => {
    const found = known.get(operation.definition);
    if (found) return found.compiled;
    const compiled = compile(operation);
    known.set(operation.definition, { compiled });
    return compiled;
  };
}
