/**
 * The other door of this folder: mutations that create, update, submit or cancel one record and answer with nothing but
 * columns. What is written goes past Prisma, and the database answers with the JSON, in the same transaction. What is
 * wrong with such a mutation, and every other one, is left to the resolvers.
 */
import { type DocumentNode, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { holds, mayRead, requiredScopes } from '../access/scopes.js';
import { type Bytes, bytesIn } from '../bytes.js';
import type { RequestContext } from '../context.js';
import type { Provider } from '../database/migration-history.js';
import { variableProblems } from '../schema/variable-problems.js';
import { type CompiledWrite, compileWrite } from './compile-write.js';
import { type Given, inputIn } from './given.js';
import { perOperation } from './per-operation.js';
import type { Selected } from './selection.js';
import type { Variables } from './variables.js';

/** A write that has begun. */
export interface BegunWrite {
  /** The mutation's only field. */
  field: Selected;
  /**
   * Its JSON text, once the record is there for good; undefined where nothing was done, as where it is not there or not
   * as it must be. Rejects with the database's error.
   */
  done: Promise<Bytes | undefined>;
}

export interface CompiledWrites {
  /**
   * Writes the record; undefined where the resolvers must, and nothing has been done then. `document` must be valid and
   * always be the same object for the same text.
   */
  begin(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Variables,
    context: RequestContext,
  ): BegunWrite | undefined;
}

export function createCompiledWrites(schema: GraphQLSchema, provider: Provider): CompiledWrites {
  const writeIn = perOperation((document, operation) =>
    operation.operation === OperationTypeNode.MUTATION
      ? compileWrite(schema, provider, document, operation)
      : undefined,
  );

  return {
    begin(document, operationName, variables, context) {
      const { write } = context.database;
      const compiled = write && writeIn(document, operationName);
      if (!compiled) return undefined;
      const given = compiled.given(variables);
      if (!mayWrite(compiled, given, context)) return undefined;
      if (variableProblems(schema, document, variables, operationName).length > 0) return undefined;
      const batch = compiled.batchOf(given);
      if (!batch) return undefined;
      const done = write(batch, () => true).then((rows) => rows?.[0] && bytesIn(rows[0][0]));
      return { field: compiled.field, done };
    },
  };
}

function mayWrite(
  { resource, operation, tellsRecord, shown }: CompiledWrite,
  given: Given,
  { identity }: RequestContext,
): boolean {
  const input = inputIn(given, 'input') ?? {};
  const needed = requiredScopes(resource, operation, { input, tellsRecord });
  if (!needed.every((scope) => holds(identity, scope))) return false;
  return !tellsRecord || [...shown].every((each) => mayRead(identity, each));
}
