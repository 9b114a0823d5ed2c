import { type GraphQLSchema, isObjectType } from 'graphql';
import { requiredScopes, requireScopes, type Scope } from '../access/scopes.js';
import type { Operation } from '../catalogue.js';
import type { Resource } from '../model/resource.js';
import { selectsOnly } from './selects-only.js';
import { type answeredBySql, guardResolver } from './sql.js';

/** What a field does, from which follows who may use it. Kept in the field's extensions. */
export type Access =
  | { resource: Resource; operation: Operation }
  | { scope: Scope }
  /** Which record it is about is known by the ids it is given alone: the resolver asks `requireScopes` for each. */
  | 'by id';

export const accessed = (access: Access, others: Partial<ReturnType<typeof answeredBySql>> = {}) => ({
  extensions: { access, ...others },
});

/** The access of a field; undefined for what is reached only through a field that has one. */
export function accessOf({ extensions }: { extensions: { access?: Access } }): Access | undefined {
  return extensions.access;
}

/**
 * Lets nobody through a field whose scopes the key does not hold: FORBIDDEN for that field, before its arguments are
 * looked at. A key that may write and not read may ask for the id and the version of what it writes, and is refused
 * anything more before anything is written.
 * @throws where a query or a mutation says nothing of its access: then the gateway cannot start.
 */
export function guardScopes(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const access = accessOf(field);
      if (!access && roots.includes(type)) {
        throw new Error(`${type.name}.${field.name} does not say who may use it; give it \`...accessed(…)\``);
      }
      if (!access || access === 'by id') continue;
      guardResolver(field, (resolve) => (source, args, context, info) => {
        const tellsRecord =
          'resource' in access && tellsMore(access.operation, args, (names) => selectsOnly(info, names));
        const needed =
          'scope' in access
            ? [access.scope]
            : requiredScopes(access.resource, access.operation, { input: args.input, tellsRecord });
        requireScopes(context.identity, needed);
        return resolve(source, args, context, info);
      });
    }
  }
  return schema;
}

/** What every writer is told of the record it has written. */
const acknowledgement: ReadonlySet<string> = new Set(['id', 'version', '__typename']);

/** Of the lines whose ids it has sent, in their new order. */
const acknowledgedOrder: ReadonlySet<string> = new Set(['id', '__typename']);

/**
 * Whether an operation changes records and answers with more of them than every writer is told. `asksOnly` says whether
 * everything asked of its value is among some names.
 */
export function tellsMore(
  operation: Operation,
  args: { ids?: unknown },
  asksOnly: (names: ReadonlySet<string>) => boolean,
): boolean {
  switch (operation) {
    case 'retrieve':
    case 'list':
    case 'delete':
      return false;
    case 'reorder':
      return args.ids == null || !asksOnly(acknowledgedOrder);
    default:
      return !asksOnly(acknowledgement);
  }
}
