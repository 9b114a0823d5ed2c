import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';

/** What `compile` makes of an operation; undefined where it makes nothing of it, or where the document has none. */
export type FromOperation<Compiled> = (
  document: DocumentNode,
  operationName: string | null | undefined,
) => Compiled | undefined;

/**
 * Compiles each operation once and forgets it with its document. By the operation, not by its name: names that no
 * operation has must leave nothing behind.
 */
export function perOperation<Compiled>(
  compile: (document: DocumentNode, operation: OperationDefinitionNode) => Compiled | undefined,
): FromOperation<Compiled> {
  const known = new WeakMap<OperationDefinitionNode, { compiled: Compiled | undefined }>();
  return (document, operationName) => {
    const operation = getOperationAST(document, operationName || undefined);
    if (!operation) return undefined;
    const found = known.get(operation);
    if (found) return found.compiled;
    const compiled = compile(document, operation);
    known.set(operation, { compiled });
    return compiled;
  };
}
