/**
 * Answers queries by SQL. An operation is compiled once, when it is first seen; SQL for filters and orders is written
 * for each request. Whatever is not compiled is answered by the resolvers, which define the right answer.
 */

import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type CompiledWrite, compileWrite } from '../../change/compiled/compile-write.js';
import type { Identity, RequestContext } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { answerLimitIn } from '../../database/answer-limit.js';
import { databaseProblem } from '../../database/database-problem.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { hasScope, mayRead } from '../../model/scopes.js';
import { type CompiledQuery, type CompiledRead, compileOperation } from './compile.js';
import type { CompiledField } from './prepared-fields.js';
import type { Variables } from './variables.js';

/** The fields of an operation's `data`; undefined if the resolvers must answer. */
export type CompiledReads = (
  operation: Operation,
  context: RequestContext,
) => MaybePromise<readonly CompiledField[] | undefined>;

export function createCompiledReads({ readOf }: Pick<CompiledOperations, 'readOf'>): CompiledReads {
  return (operation, context) => {
    const { read: ofPrimary } = context.database;
    const read = ofPrimary && (context.standby ?? ofPrimary);
    const compiled = read && readOf(operation)?.(operation.variables);
    if (!compiled || !mayAsk(compiled, operation.variables, context.identity)) return undefined;
    return whenResolved(compiled.run(operation.variables, read), (fields) => {
      const unforeseen = fields?.find(({ error }) => error !== undefined && !isForeseen(error));
      if (!unforeseen) return fields;
      // The database cannot run the statement, for example because it is too large.
      context.log.warn({ err: unforeseen.error }, 'A compiled read failed; the resolvers answer');
      return undefined;
    });
  };
}

/** Whether the caller may read all that a query selects. */
export function mayAsk(
  { resources, scopes, filtered }: CompiledRead,
  variables: Variables,
  identity: Identity,
): boolean {
  for (const resource of resources) if (!mayRead(identity, resource)) return false;
  for (const resource of filtered(variables)) if (!mayRead(identity, resource)) return false;
  for (const scope of scopes) if (!hasScope(identity, scope)) return false;
  return true;
}

/**
 * Whether the resolvers would get the same error: the database is busy, unreachable or too slow, or the answer is too
 * large. The error is then the answer, because asking again would double the load when that hurts most.
 */
const isForeseen = (error: unknown): boolean =>
  error instanceof GatewayError || answerLimitIn(error) !== undefined || databaseProblem(error) !== undefined;

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
