import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type CompiledWrite, compileWrite } from '../../change/compiled/compile-write.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { type CompiledQuery, compileOperation } from './compile.js';

/**
 * The compiled form of operations, made once for all code that executes them or explains how they would be executed.
 */
export interface CompiledOperations {
  readOf: FromOperation<CompiledQuery>;
  writeOf: FromOperation<CompiledWrite>;
}

/** The compiled form of an operation; undefined if the resolvers must execute it. */
type FromOperation<Compiled> = (operation: Operation) => Compiled | undefined;

export function createCompiledOperations(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
): CompiledOperations {
  return {
    readOf: perDefinition((operation) => compileOperation(schema, provider, answerLimit, operation)),
    writeOf: perDefinition((operation) =>
      operation.definition.operation === OperationTypeNode.MUTATION
        ? compileWrite(schema, provider, answerLimit, operation)
        : undefined,
    ),
  };
}

/** Compiles each definition once; the result is garbage-collected together with its document. */
function perDefinition<Compiled>(compile: FromOperation<Compiled>): FromOperation<Compiled> {
  const known = new WeakMap<OperationDefinitionNode, { compiled: Compiled | undefined }>();
  return (operation) => {
    const found = known.get(operation.definition);
    if (found) return found.compiled;
    const compiled = compile(operation);
    known.set(operation.definition, { compiled });
    return compiled;
  };
}
