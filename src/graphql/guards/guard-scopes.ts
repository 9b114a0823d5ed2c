import { type GraphQLSchema, isObjectType } from 'graphql';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import { returnsMore } from '../../model/selection.js';
import { accessOf, guardResolver } from '../answered-by-sql.js';
import { selectionIn } from '../operation/selection.js';

/**
 * Refuses a field with FORBIDDEN if the key lacks its scopes, before its arguments are checked. A key that may write
 * but not read may select the ids and version of what it writes; anything more is refused before anything is written.
 * @throws if a root field has no access: then the gateway cannot start
 */
export function guardScopes(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const access = accessOf(field);
      if (!access && roots.includes(type)) {
        throw new Error(`${type.name}.${field.name} does not say who may use it; give it \`...accessed(…)\``);
      }
      if (!access || typeof access === 'string') continue;
      guardResolver(field, (resolve) => (source, args, context, info) => {
        const returnsRecord = 'resource' in access && returnsMore(access.operation, args, selectionIn(info));
        const needed =
          'scope' in access
            ? [access.scope]
            : requiredScopes(access.resource, access.operation, { input: args.input, returnsRecord });
        requireScopes(context.identity, needed);
        return resolve(source, args, context, info);
      });
    }
  }
  return schema;
}
