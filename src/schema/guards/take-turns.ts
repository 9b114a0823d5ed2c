import { type GraphQLSchema, getNamedType, getNullableType, isCompositeType, isListType, isObjectType } from 'graphql';
import { settledInTurns } from '../../database/turns.js';
import { whenResolved } from '../../maybe-promise.js';
import { guardResolver } from '../answered-by-sql.js';

/**
 * Makes every list of objects let others have a turn of the event loop between its items: the fields of a thousand records
 * take a quarter of a second.
 */
export function takeTurns(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type))) continue;
      guardResolver(
        field,
        (resolve) => (source, args, context, info) =>
          whenResolved<unknown, unknown>(resolve(source, args, context, info), (items) =>
            Array.isArray(items) ? settledInTurns<unknown>(items, context.deadline?.signal) : items,
          ),
      );
    }
  }
  return schema;
}
