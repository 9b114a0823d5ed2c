/** Queries for one record, many records, the lines of a parent, and singletons. */

import type { ArgumentRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import { parentTitle, type Resource, singletonId } from '../../model/resource.js';
import { listOf } from '../../query/list.js';
import { pageOf } from '../../query/page.js';
import { readOne } from '../../query/read.js';
import { answeredBySql, withAccess } from '../answered-by-sql.js';
import type { Builder, SchemaTypes } from '../builder.js';
import { listArguments } from '../inputs/filters.js';
import { addedArguments } from '../schema-part.js';
import { connectionOf, pageArguments, selectionOfPage } from '../types/connection.js';
import { typeOf } from '../types/record-object-types.js';

export function addQueries(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) {
    addOne(builder, resource);
    if (resource.kind !== 'singleton') addMany(builder, resource);
  }
}

/** The only record of a type needs no id. */
function addOne(builder: Builder, resource: Resource): void {
  const isSingleton = resource.kind === 'singleton';
  const given: { id?: ArgumentRef<SchemaTypes, string> } = isSingleton
    ? {}
    : builder.args((t) => ({ id: t.id({ required: true }) }));
  const added = addedArguments(builder, resource, 'one');
  const answer = answeredBySql(
    { kind: isSingleton ? 'singleton' : 'record', resource },
    Object.keys(given),
    Object.keys(added),
  );
  builder.queryField(resource.one, (t) =>
    t.field({
      type: typeOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: 'retrieve' }, answer),
      description: isSingleton
        ? `The ${resource.title}, of which there is exactly one.`
        : `The ${resource.title} with this id; null where there is none.`,
      args: { ...given, ...added },
      resolve: (_, { id }, context, info) => {
        const query = queryFromInfo({ context, info });
        // Null for a caller who may not see it: the first migration makes the only record of a type.
        return readOne(context, resource, id ?? singletonId(resource), query);
      },
    }),
  );
}

/** The lines of all records of a type would be many, so theirs are those of one parent. */
function addMany(builder: Builder, resource: Resource): void {
  const isChild = resource.kind === 'child';
  const parent: { parentId?: ArgumentRef<SchemaTypes, string> } = isChild
    ? builder.args((t) => ({ parentId: t.id({ required: true }) }))
    : {};
  const type = connectionOf(builder, resource);
  const added = isChild ? {} : addedArguments(builder, resource, 'many');
  builder.queryField(resource.many, (t) => {
    const [listed, paged] = [listArguments(builder, resource), pageArguments(builder)];
    const known = Object.keys({ ...parent, ...listed, ...paged });
    return t.field({
      type,
      nullable: true,
      ...withAccess(
        { resource, operation: 'list' },
        answeredBySql({ kind: 'list', resource }, known, Object.keys(added)),
      ),
      description: isChild
        ? `Every ${resource.title} of one ${parentTitle(resource)}, by \`idx\` unless ordered otherwise; none where it is unknown.`
        : `Every ${resource.title}, or those of a condition; newest created first unless ordered otherwise.`,
      args: { ...parent, ...listed, ...added, ...paged },
      resolve: (_, { parentId, where, orderBy, ...args }, context, info) =>
        pageOf(context, resource, {
          ...listOf(resource, { parentId, where, orderBy }),
          selection: selectionOfPage(context, info, resource),
          arguments: args,
        }),
    });
  });
}
