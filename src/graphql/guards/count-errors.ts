import type { GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import { recoverWith } from '../../common/maybe-promise.js';
import { guardResolver } from '../answered-by-sql.js';

/** Makes every resolver count its error in the request's meter, if it has one. */
export function countErrors(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      guardResolver(
        field,
        (resolve) => (source, args, context, info) =>
          recoverWith(
            () => resolve(source, args, context, info),
            (error) => {
              context.meter?.error(isRoot);
              throw error;
            },
          ),
      );
    }
  }
  return schema;
}
