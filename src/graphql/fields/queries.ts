/** Queries for one record, many records, the lines of a parent, and singletons. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { pastArgument, pastRecord } from '../../features/history/schema/past-record.js';
import { listPage } from '../../features/search/list-page.js';
import { searchArgument } from '../../features/search/schema/search-fields.js';
import { type Resource, singletonId } from '../../model/resource.js';
import { listOf } from '../../query/list-sql.js';
import { pageOf } from '../../query/page.js';
import { readOne, readSingleton } from '../../query/read.js';
import { parentTitle } from '../../query/scope.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { listArguments } from '../inputs/orders.js';
import { connectionOf, pageArguments, selectionOfPage } from '../types/connection.js';
import { typeOf } from '../types/record-object-types.js';

export function addQueries(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) {
    if (resource.kind === 'singleton') {
      addSingleton(builder, resource);
    } else {
      addOne(builder, resource);
      if (resource.kind === 'child') addLines(builder, resource);
      else addMany(builder, resource);
    }
  }
}

/** The list arguments that SQL supports. */
export const listed = ['where', 'orderBy', 'first', 'after', 'last', 'before', 'offset'];

function addOne(builder: Builder, resource: Resource): void {
  const hasPast = resource.kind !== 'child';
  builder.queryField(resource.one, (t) =>
    t.field({
      type: typeOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: 'retrieve' }, answeredBySql({ kind: 'record', resource }, ['id'], ['asOf'])),
      description: `The ${resource.title} with this id; null where there is none.`,
      args: {
        id: t.arg.id({ required: true }),
        ...(hasPast ? pastArgument(builder) : {}),
      },
      resolve: (_, { id, asOf }, context, info) =>
        asOf
          ? pastRecord(context, resource, { id, asOf }, info)
          : readOne(context, resource, id, queryFromInfo({ context, info })),
    }),
  );
}

function addSingleton(builder: Builder, resource: Resource): void {
  builder.queryField(resource.one, (t) =>
    t.field({
      type: typeOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: 'retrieve' }, answeredBySql({ kind: 'singleton', resource }, [], ['asOf'])),
      description: `The ${resource.title}, of which there is exactly one.`,
      args: pastArgument(builder),
      resolve: (_, { asOf }, context, info) =>
        asOf
          ? pastRecord(context, resource, { id: singletonId(resource), asOf }, info)
          : readSingleton(context, resource, queryFromInfo({ context, info })),
    }),
  );
}

function addMany(builder: Builder, resource: Resource): void {
  const type = connectionOf(builder, resource);
  builder.queryField(resource.many, (t) =>
    t.field({
      type,
      nullable: true,
      ...withAccess({ resource, operation: 'list' }, answeredBySql({ kind: 'list', resource }, listed, ['search'])),
      description: `Every ${resource.title}, or those of a condition; newest created first unless ordered otherwise.`,
      args: { ...listArguments(builder, resource), ...searchArgument(builder), ...pageArguments(builder) },
      resolve: (_, { where, orderBy, search, ...args }, context, info) =>
        listPage(context, resource, {
          ...{ where, orderBy, search, arguments: args },
          selection: selectionOfPage(context, info, resource),
        }),
    }),
  );
}

function addLines(builder: Builder, resource: Resource): void {
  const type = connectionOf(builder, resource);
  builder.queryField(resource.many, (t) =>
    t.field({
      type,
      nullable: true,
      ...withAccess(
        { resource, operation: 'list' },
        answeredBySql({ kind: 'list', resource }, ['parentId', ...listed]),
      ),
      description: `Every ${resource.title} of one ${parentTitle(resource)}, by \`idx\` unless ordered otherwise; none where it is unknown.`,
      args: {
        parentId: t.arg.id({ required: true }),
        ...listArguments(builder, resource),
        ...pageArguments(builder),
      },
      resolve: (_, { parentId, where, orderBy, ...args }, context, info) =>
        pageOf(context, resource, {
          ...listOf(resource, { parentId, where, orderBy }),
          selection: selectionOfPage(context, info, resource),
          arguments: args,
        }),
    }),
  );
}

/** The names selected below a field, each with the names selected below it. */
export type SelectedNames = ReadonlyMap<string, SelectedNames>;

/** Everything selected below a field, including by fragments; fields with `@skip` count too. */
export function selectedNamesOf({
  fieldNodes,
  fragments,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): SelectedNames {
  const asked = new Gathered();
  for (const { selectionSet } of fieldNodes) if (selectionSet) gather(selectionSet, fragments, asked);
  return asked;
}

class Gathered extends Map<string, Gathered> {
  /** Each fragment is visited once per level, however often it is spread. */
  readonly fragments = new Set<string>();
}

function gather(
  { selections }: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  into: Gathered,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      gather(selection.selectionSet, fragments, into);
    } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      const fragment = fragments[name];
      if (!fragment || into.fragments.has(name)) continue;
      into.fragments.add(name);
      gather(fragment.selectionSet, fragments, into);
    } else {
      const below = into.get(selection.name.value) ?? new Gathered();
      into.set(selection.name.value, below);
      if (selection.selectionSet) gather(selection.selectionSet, fragments, below);
    }
  }
}
