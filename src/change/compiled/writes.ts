/**
 * Executes mutations by SQL: both the changes and the answer, in one transaction. Mutations that are not compiled, and
 * invalid arguments, are left to the resolvers.
 */

import { isUnknownStatus } from '../../database/database-problem.js';
import { accessOfWrite } from '../../graphql/answered-by-sql.js';
import { returnsMore } from '../../graphql/guards/guard-scopes.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { userErrorsOf } from '../../graphql/shown-errors/user-errors.js';
import { hasScope, mayRead, requiredScopes } from '../../model/scopes.js';
import { type ArgumentValues, inputArgument, inputsIn } from '../../query/compiled/arguments.js';
import type { CompiledField } from '../../query/compiled/prepared-fields.js';
import type { CompiledOperations } from '../../query/compiled/reads.js';
import type { Identity, RequestContext } from '../context.js';
import { runWrite } from '../perform.js';
import type { CompiledWrite } from './compile-write.js';

/**
 * Writes, and resolves with the mutation's only field once the changes are durable. Undefined if the resolvers must
 * execute it; nothing has been written then.
 */
export type CompiledWrites = (
  operation: Operation,
  context: RequestContext,
) => Promise<readonly CompiledField[] | undefined> | undefined;

export function createCompiledWrites({ writeOf }: Pick<CompiledOperations, 'writeOf'>): CompiledWrites {
  return (operation, context) => {
    if (operation.problems.length > 0) return undefined;
    // Inside a transaction of Prisma the resolvers answer.
    const compiled = context.database.read && writeOf(operation);
    if (!compiled) return undefined;
    const given = compiled.given(operation.variables);
    if (!given || !mayWrite(compiled, given, context.identity)) return undefined;
    const mutation = compiled.workOf(given, context.identity);
    if (!mutation) return undefined;
    const { key, nodes } = compiled.field;
    return runWrite(context, mutation).then(
      (text) => [{ key, nodes, text }],
      (error: unknown) => {
        // Nothing has been written, so the resolvers may begin anew.
        if (isUnknownStatus(error)) return undefined;
        const userErrors = compiled.refused && userErrorsOf(error, context);
        const text = userErrors && compiled.refused?.(userErrors);
        return [text === undefined ? { key, nodes, text, error } : { key, nodes, text }];
      },
    );
  };
}

/** Whether the caller has the scopes that the guards of the resolver and of the selected fields require. */
export function mayWrite(
  { resource, operation, asksOnly, shown, scopes }: CompiledWrite,
  given: ArgumentValues,
  identity: Identity,
): boolean {
  const returnsRecord = returnsMore(accessOfWrite[operation], given, asksOnly);
  const holdsAll = (each: ArgumentValues) => {
    const input = inputArgument(each, 'input') ?? {};
    const needed = requiredScopes(resource, accessOfWrite[operation], { input, returnsRecord });
    return needed.every((scope) => hasScope(identity, scope));
  };
  if (!holdsAll(given)) return false;
  if (operation === 'updateMany' && inputsIn(given, 'updates')?.every(holdsAll) === false) return false;
  for (const scope of scopes) if (!hasScope(identity, scope)) return false;
  if (returnsRecord) for (const each of shown) if (!mayRead(identity, each)) return false;
  return true;
}
