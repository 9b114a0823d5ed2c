import type { OperationDefinitionNode } from 'graphql';
import type { Operation } from '../operation/admission.js';

/** Compiles an operation; undefined if it cannot be compiled. */
export type FromOperation<Compiled> = (operation: Operation) => Compiled | undefined;

/** Compiles each definition once; the result is garbage-collected together with its document. */
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
