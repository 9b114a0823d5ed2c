import { type GraphQLSchema, getNamedType, getNullableType, isCompositeType, isListType, isObjectType } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { settledInTurns } from '../../database/turns.js';
import { guardResolver } from '../answered-by-sql.js';
import { KnownLoads } from './known-loads.js';

/**
 * Makes every list of objects yield to the event loop between its items: the fields of a thousand records take a
 * quarter of a second. Not where the items load something each, which is loaded for all of them at once.
 */
export function takeTurns(schema: GraphQLSchema): GraphQLSchema {
  const operations = new WeakMap<RequestContext, KnownLoads>();
  const loadsOf = (context: RequestContext) => {
    const known = operations.get(context) ?? new KnownLoads();
    operations.set(context, known);
    return known;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isCompositeType(getNamedType(field.type))) continue;
      const isList = isListType(getNullableType(field.type));
      guardResolver(field, (resolve) => (source, args, context, info) => {
        const resolved: MaybePromise<unknown> = resolve(source, args, context, info);
        if (resolved instanceof Promise) loadsOf(context).note(info.path);
        if (!isList) return resolved;
        return whenResolved<unknown, unknown>(resolved, (items) =>
          Array.isArray(items)
            ? settledInTurns<unknown>(items, loadsOf(context).of(info.path), context.deadline?.signal)
            : items,
        );
      });
    }
  }
  return schema;
}
