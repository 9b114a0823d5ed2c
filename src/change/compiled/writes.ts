/**
 * Executes mutations by SQL: both the changes and the answer, in one transaction. Mutations that are not compiled, and
 * invalid arguments, are left to the resolvers.
 */

import { altered } from '../../common/work.js';
import { isUnknownStatus } from '../../database/database-problem.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Resource } from '../../model/resource.js';
import { hasScope, mayRead, requiredScopes } from '../../model/scopes.js';
import {
  type ArgumentValues,
  accessOfWrite,
  NotCompilable,
  returnsMore,
  type SelectedOperation,
  type Selection,
  type SelectionTree,
  type UserError,
  type Variables,
  type WriteOperation,
} from '../../model/selection.js';
import { inputArgument, inputsIn } from '../../query/arguments.js';
import type { Asker, CompiledField } from '../../query/compiled/reads.js';
import { dialects } from '../../query/sql/dialect.js';
import { type CompileContext, compiledOnce } from '../../query/sql/statement.js';
import type { Identity, RequestContext } from '../context.js';
import { seenPart } from '../limit-plan.js';
import { runWrite, type WriteProcedure } from '../perform.js';
import { requestedWrite } from '../writes/requested-write.js';
import { insertedJson } from './inserted-json.js';
import {
  type AnswerJson,
  type PayloadParts,
  payloadJson,
  writtenRecordJson,
  writtenRecordsJson,
} from './payload-json.js';

/**
 * Makes what writes, and resolves with the mutation's only field once the changes are durable. Undefined if the resolvers must
 * execute it; nothing has been written then. `problems` are those that admission has found in its variables. `userErrorsOf` gives
 * an error the form in which a mutation returns it, if the caller can correct it.
 */
export function createCompiledWrites(
  writeOf: WriteOf,
  userErrorsOf: (error: unknown, context: RequestContext) => readonly UserError[] | undefined,
) {
  return (
    operation: SelectedOperation & { problems: readonly unknown[] },
    context: RequestContext,
  ): Promise<readonly CompiledField[] | undefined> | undefined => {
    if (operation.problems.length > 0) return undefined;
    // Inside a transaction of Prisma the resolvers answer.
    const compiled = context.database.read && writeOf(operation);
    if (!compiled) return undefined;
    const given = compiled.given(operation.coerced);
    if (!given || !mayWrite(compiled, given, context.identity)) return undefined;
    const mutation = compiled.write(given, context.identity);
    if (!mutation) return undefined;
    const { field, payload } = compiled;
    const { key } = field;
    return runWrite(context, mutation).then(
      (parts) => [{ key, field, text: payload.text(parts) }],
      (error: unknown) => {
        // Nothing has been written, so the resolvers may begin anew.
        if (isUnknownStatus(error)) return undefined;
        const userErrors = payload.showsErrors ? userErrorsOf(error, context) : undefined;
        return [
          userErrors ? { key, field, text: payload.text({ userErrors }) } : { key, field, text: undefined, error },
        ];
      },
    );
  };
}

/** Whether the caller has the scopes that the guards of the resolver and of the selected fields require. */
export function mayWrite(
  { resource, operation, returnsRecord, shown, scopes }: CompiledWrite,
  given: ArgumentValues,
  identity: Asker,
): boolean {
  const isReturned = returnsRecord(given);
  const holdsAll = (each: ArgumentValues) => {
    const input = inputArgument(each, 'input') ?? {};
    const needed = requiredScopes(resource, accessOfWrite[operation], { input, returnsRecord: isReturned });
    return needed.every((scope) => hasScope(identity, scope));
  };
  if (!holdsAll(given)) return false;
  if (operation === 'updateMany' && inputsIn(given, 'updates')?.every(holdsAll) === false) return false;
  for (const scope of scopes) if (!hasScope(identity, scope)) return false;
  if (isReturned) for (const each of shown) if (!mayRead(identity, each)) return false;
  // What is answered of new records is not read: the resolvers read it, without what is hidden.
  const { rights } = identity;
  if (rights && accessOfWrite[operation] === 'create')
    for (const each of shown) if (rights.hidden(each).size > 0) return false;
  return true;
}

/** A compiled mutation with a single field. */
export type CompiledWrite = NonNullable<ReturnType<typeof compileWrite>>;

/** The change that a mutation makes, with its answer; undefined if the resolvers must handle the arguments. */
type Write = (given: ArgumentValues, identity: Identity) => WriteProcedure<PayloadParts> | undefined;

/** The compiled form of a mutation; undefined if the resolvers must execute it. */
export type WriteOf = (operation: SelectedOperation) => CompiledWrite | undefined;

export const compiledWritesOf = (provider: Provider, answerLimit: number): WriteOf =>
  compiledOnce('mutation', (tree) => compileWrite(provider, answerLimit, tree));

/** Undefined for a mutation that is more than one write. @throws NotCompilable */
function compileWrite(provider: Provider, answerLimit: number, { fields, isConditional, scopes }: SelectionTree) {
  if (isConditional) return undefined;
  const compiling: CompileContext = { dialect: dialects[provider], answerLimit, resources: new Set(), filtered: [] };
  const [field, ...others] = fields;
  if (field?.answer.kind !== 'write' || others.length > 0) return undefined;
  const { resource, operation, onlyWith = {} } = field.answer;
  const only = Object.entries(onlyWith);
  const readAll = field.arguments;
  const returned = [true, false].map((sendsIds) =>
    returnsMore(accessOfWrite[operation], sendsIds ? { ids: [] } : {}, field),
  );
  const payload = payloadJson(resource, field);
  return {
    field,
    payload,
    write: compiledChange(compiling, resource, operation, payload.record),
    resource,
    operation,
    /** The field's arguments as the resolver gets them; undefined if the resolver would refuse them. */
    given: (variables: Variables): ArgumentValues | undefined => {
      const given = readAll(variables);
      return given && only.every(([name, value]) => given[name] === value) ? given : undefined;
    },
    /** The types that the answer contains. */
    shown: compiling.resources,
    /** Those that the fields of the answer need in addition. */
    scopes,
    /** Whether the answer has more of the record than every writer may see. */
    returnsRecord: ({ ids }: ArgumentValues): boolean => returned[ids == null ? 1 : 0] ?? true,
  };
}

/** The same changes as the resolvers make, with the answer built by the database. @throws NotCompilable */
function compiledChange(
  compiling: CompileContext,
  resource: Resource,
  operation: WriteOperation,
  record: Selection | undefined,
): Write {
  const request = requestedWrite(resource, operation);
  const answerJson = record && answerOf(compiling, resource, operation, record);
  return (given, identity) => {
    const answer = answerJson?.();
    // What is refused before anything is written, the resolvers refuse in its place.
    const change = ifAllowed(() => request(given, identity, answer));
    return (
      change &&
      function* (writing) {
        const written = yield* change(writing);
        const reading = answer?.text(written);
        const seen = writing.limits ? reading && altered(reading, (each) => seenPart(writing, each)) : reading;
        return { ...written, record: seen && (yield* seen) };
      }
    );
  };
}

function ifAllowed<Change>(make: () => Change): Change | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

/** What is selected of the records, for each request. Where it is known before anything is written, no statement has to read it. */
function answerOf(
  compiling: CompileContext,
  resource: Resource,
  operation: WriteOperation,
  record: Selection,
): () => AnswerJson {
  if (operation === 'delete' || operation === 'deleteMany') throw new NotCompilable();
  const isMany = operation === 'reorder' || operation.endsWith('Many');
  // The place of a line among its siblings is known only when it is written.
  const isKnown = accessOfWrite[operation] === 'create' && resource.kind !== 'child';
  const inserted = isKnown ? insertedJson(compiling, resource, record, isMany) : undefined;
  if (inserted) return inserted;
  const read = (isMany ? writtenRecordsJson : writtenRecordJson)(compiling, resource.model, record);
  return () => read;
}
