import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { RequestContext } from '../context.js';

/** Counts every value that a resolver adds to an answer, where the request counts them. */
export function countValues(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (source, args, context: RequestContext, info) => {
        context.meter?.value();
        return resolve(source, args, context, info);
      };
    }
  }
  return schema;
}
