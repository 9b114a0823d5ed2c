/**
 * The other door of this folder: mutations that create one record, with its lines, and answer with nothing but columns.
 * The rows go past Prisma, and the database answers with the JSON, in the same transaction. What is wrong with such a
 * mutation, and every other one, is left to the resolvers.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { holds, mayRead, requiredScopes } from '../access/scopes.js';
import { type Bytes, bytesIn } from '../bytes.js';
import type { RequestContext } from '../context.js';
import type { Provider } from '../database/migration-history.js';
import type { Resource } from '../model/resource.js';
import { newRecord } from '../records/new-record.js';
import { variableProblems } from '../schema/variable-problems.js';
import { type Create, compileCreate } from './compile-create.js';
import type { Selected } from './selection.js';
import type { Variables } from './variables.js';

export interface CompiledCreates {
  /**
   * The JSON text of the mutation's only field, with its key, once the record is there for good; or undefined where the
   * resolvers must perform it: nothing has been done then. `document` must be valid and always be the same object for
   * the same text. Rejects with a GraphQLError of the field that holds what the database threw.
   */
  textOf(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Variables,
    context: RequestContext,
  ): Promise<{ key: string; text: Bytes } | undefined> | undefined;
}

export function createCompiledCreates(schema: GraphQLSchema): CompiledCreates {
  const compiled = new WeakMap<OperationDefinitionNode, Create | 'something else'>();

  const find = (document: DocumentNode, operationName: string | undefined, provider: Provider) => {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.MUTATION) return undefined;
    const create = compiled.get(operation) ?? compileCreate(schema, provider, document, operation) ?? 'something else';
    compiled.set(operation, create);
    return create === 'something else' ? undefined : create;
  };

  return {
    textOf(document, operationName, variables, context) {
      const { write, provider } = context.database;
      const create = write && find(document, operationName || undefined, provider);
      if (!create || !mayCreate(create, context)) return undefined;
      const input = variables[create.variable];
      if (!isInput(input, create.resource)) return undefined;
      if (variableProblems(schema, document, variables, operationName).length > 0) return undefined;
      const batch = create.batchOf(newRecord(create.resource, input));
      return write(batch, () => true).then(
        (rows) => rows && { key: create.field.key, text: bytesIn(rows[0]?.[0]) },
        (error: unknown) => {
          throw fieldError(create.field, error);
        },
      );
    },
  };
}

function mayCreate({ resource, tellsRecord, shown }: Create, { identity }: RequestContext): boolean {
  const needed = requiredScopes(resource, 'create', { tellsRecord });
  return needed.every((scope) => holds(identity, scope)) && (!tellsRecord || [...shown].every(mayReadIt));

  function mayReadIt(shownResource: Resource): boolean {
    return mayRead(identity, shownResource);
  }
}

/** Whether its lines are lists: GraphQL takes one line for a list of one. */
function isInput(value: unknown, { lines }: Resource): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given: Record<string, unknown> = { ...value };
  return lines.every(({ field }) => given[field] == null || Array.isArray(given[field]));
}

function fieldError({ key, nodes }: Selected, error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { nodes, path: [key], originalError });
}
