import { type GraphQLSchema, isObjectType } from 'graphql';
import { guardResolver } from '../answered-by-sql.js';

/** Makes every resolver count its value in the request's meter, if it has one. */
export function countValues(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      guardResolver(field, (resolve) => (source, args, context, info) => {
        context.meter?.value(isRoot);
        return resolve(source, args, context, info);
      });
    }
  }
  return schema;
}
