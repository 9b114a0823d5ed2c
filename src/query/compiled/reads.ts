/**
 * Answers queries by SQL. An operation is compiled once, when it is first seen; SQL for filters and orders is written
 * for each request. Whatever is not compiled is answered by the resolvers, which define the right answer.
 */

import type { Identity, RequestContext } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { answerLimitIn } from '../../database/answer-limit.js';
import { databaseProblem } from '../../database/database-problem.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { hasScope, mayRead } from '../../model/scopes.js';
import type { CompiledRead } from './compile.js';
import type { CompiledField } from './compiled-field.js';
import type { CompiledOperations } from './compiled-operations.js';
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
