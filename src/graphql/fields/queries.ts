/** Queries for one record, many records, the lines of a parent, and singletons. */

import type { ArgumentRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { AskedRecord, nodesIn } from '../../model/asked-record.js';
import { largestPageSize } from '../../model/limits.js';
import { parentTitle, type Resource, resourceById, singletonId } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import type { SelectedRecord } from '../../query/delegate.js';
import { listOf } from '../../query/list.js';
import { pageOf } from '../../query/page.js';
import { readMany, readOne } from '../../query/read.js';
import { answeredBySql, withAccess } from '../answered-by-sql.js';
import type { Builder, SchemaTypes } from '../builder.js';
import { constrained, listArguments } from '../inputs/filters.js';
import { addedArguments } from '../schema-part.js';
import { connectionOf, pageArguments, selectionOfPage } from '../types/connection.js';
import { node } from '../types/record-interfaces.js';
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

// `node` and `nodes`: any record by its id, following Relay's Global Object Identification.

export function addNodes(builder: Builder, resources: readonly Resource[]): void {
  const resourceOfId = resourceById(resources);

  builder.queryField('node', (t) =>
    t.field({
      type: node(builder),
      nullable: true,
      ...withAccess('by id', answeredBySql({ kind: 'node', resources }, ['id'])),
      description: 'The record with this id, of whatever type; null where there is none.',
      args: {
        id: t.arg.id({
          required: true,
          description: 'Id of the record, or of a state of the past, as `asOf` answers it.',
          ...constrained({ takesPast: true }),
        }),
      },
      resolve: (_, { id }, context, info) => findNode(resourceOfId(id), id, context, info),
    }),
  );

  builder.queryField('nodes', (t) =>
    t.field({
      type: [node(builder)],
      nullable: { list: false, items: true },
      ...withAccess('by id', answeredBySql({ kind: 'nodes', resources, askedIn: nodesIn(resources) }, ['ids'])),
      description: 'The records with these ids, in the order of the ids, with null where there is none.',
      args: {
        ids: t.arg.idList({
          required: true,
          description: `Ids of the records, ${largestPageSize} at most; also those of states of the past.`,
          ...constrained({ maximumLength: largestPageSize, takesPast: true }),
        }),
      },
      resolve: (_, { ids }, context, info) =>
        findRecords(
          ids.map((id) => new AskedRecord(resourceOfId(id), id)),
          context,
          info,
        ),
    }),
  );
}

/** The record with an id of that resource, for a field of type Node; null if there is none. @throws FORBIDDEN */
export async function findNode(
  resource: Resource | undefined,
  id: string,
  context: RequestContext,
  info: GraphQLResolveInfo,
) {
  if (!resource) return null;
  requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
  const query = queryFromInfo({ context, info, typeName: resource.model, select: { id: true } });
  const row = await readOne(context, resource, id, query);
  return row && { __typename: resource.model, ...row };
}

/**
 * The records in the order in which they are asked for, null for missing ones, with one query for each type. A record
 * that the caller may not read is refused without affecting the others.
 */
export function findRecords(asked: readonly AskedRecord[], context: RequestContext, info: GraphQLResolveInfo) {
  const found = new Map<Resource, Promise<Map<string, SelectedRecord & { __typename: string }>>>();
  const find = async (resource: Resource) => {
    const select = queryFromInfo({ context, info, typeName: resource.model, select: { id: true } });
    const named = [...new Set(asked.flatMap((each) => (each.resource === resource ? each.id : [])))];
    const rows = await readMany(context.database.client, resource, named, select);
    // An id that is repeated gets the same object: Prisma's plugin loads further lines once for each object.
    return new Map(rows.map((row) => [row.id, { __typename: resource.model, ...row }]));
  };
  return asked.map(async ({ resource, id }) => {
    if (!resource) return null;
    requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
    const rows = found.get(resource) ?? find(resource);
    found.set(resource, rows);
    return (await rows).get(id) ?? null;
  });
}
