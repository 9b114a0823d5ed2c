/**
 * The other door of this folder: mutations that create one record, with its lines, and answer with nothing but columns.
 * The rows go past Prisma, and the database answers with the JSON, in the same transaction. What is wrong with such a
 * mutation, and every other one, is left to the resolvers.
 */
import { type DocumentNode, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { holds, mayRead, requiredScopes } from '../access/scopes.js';
import { type Bytes, bytesIn } from '../bytes.js';
import type { RequestContext } from '../context.js';
import type { Provider } from '../database/migration-history.js';
import type { Resource } from '../model/resource.js';
import { newRecord } from '../records/new-record.js';
import { variableProblems } from '../schema/variable-problems.js';
import { type Create, compileCreate } from './compile-create.js';
import { perOperation } from './per-operation.js';
import type { Selected } from './selection.js';
import type { Variables } from './variables.js';

/** A create that has begun. */
export interface BegunCreate {
  /** The mutation's only field. */
  field: Selected;
  /** Its JSON text, once the record is there for good; undefined where nothing was done. Rejects with the database's error. */
  done: Promise<Bytes | undefined>;
}

export interface CompiledCreates {
  /**
   * Creates the record; undefined where the resolvers must, and nothing has been done then. `document` must be valid and
   * always be the same object for the same text.
   */
  begin(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Variables,
    context: RequestContext,
  ): BegunCreate | undefined;
}

export function createCompiledCreates(schema: GraphQLSchema, provider: Provider): CompiledCreates {
  const createIn = perOperation((document, operation) =>
    operation.operation === OperationTypeNode.MUTATION
      ? compileCreate(schema, provider, document, operation)
      : undefined,
  );

  return {
    begin(document, operationName, variables, context) {
      const { write } = context.database;
      const create = write && createIn(document, operationName);
      if (!create || !mayCreate(create, context)) return undefined;
      const input = variables[create.variable];
      if (!isInput(input, create.resource)) return undefined;
      if (variableProblems(schema, document, variables, operationName).length > 0) return undefined;
      const batch = create.batchOf(newRecord(create.resource, input));
      const done = write(batch, () => true).then((rows) => rows && bytesIn(rows[0]?.[0]));
      return { field: create.field, done };
    },
  };
}

function mayCreate({ resource, tellsRecord, shown }: Create, { identity }: RequestContext): boolean {
  const needed = requiredScopes(resource, 'create', { tellsRecord });
  if (!needed.every((scope) => holds(identity, scope))) return false;
  return !tellsRecord || [...shown].every((each) => mayRead(identity, each));
}

/** Whether its lines are lists: GraphQL takes one line for a list of one. */
function isInput(value: unknown, { lines }: Resource): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given: Record<string, unknown> = { ...value };
  return lines.every(({ field }) => given[field] == null || Array.isArray(given[field]));
}
