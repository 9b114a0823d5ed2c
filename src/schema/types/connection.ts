/** `AssetRepairConnection` and its edges: a page of a list, in Relay's form and with plain `nodes`. */

import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../context.js';
import { defaultPageSize, largestPageSize } from '../../model/limits.js';
import { capitalized, withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { cursorOf } from '../../records/cursor.js';
import type { SelectedRecord, Selection } from '../../records/delegate.js';
import type { Page } from '../../records/page.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { constrained } from '../inputs/constraint.js';
import { perBuilder } from '../per-builder.js';
import { pageInfo } from './page-info.js';
import { typeOf } from './record-object-types.js';

export const pageArguments = perBuilder((builder) =>
  builder.args((t) => ({
    first: t.int({
      description: `How many from the start, 0 to ${largestPageSize}; ${defaultPageSize} where neither this nor \`last\` is given.`,
      ...constrained({ minimum: 0, maximum: largestPageSize }),
    }),
    after: t.string({ description: 'Begin behind this cursor.' }),
    last: t.int({
      description: `How many from the end, 0 to ${largestPageSize}; not together with \`first\`.`,
      ...constrained({ minimum: 0, maximum: largestPageSize }),
    }),
    before: t.string({ description: 'End in front of this cursor.' }),
    offset: t.int({
      description: 'How many to skip first, 0 or more; after `after`, if both are given. Not together with `last`.',
      ...constrained({ minimum: 0 }),
    }),
  })),
);

interface Edge {
  page: Page;
  row: SelectedRecord;
}

/** The connection type of a resource. */
export function connectionOf(builder: Builder, resource: Resource) {
  const type = typeOf(builder, resource);
  const edge = builder.objectRef<Edge>(`${resource.model}Edge`).implement({
    description: `${capitalized(withArticle(resource.title))} and its place in the list.`,
    fields: (t) => ({
      cursor: t.string({
        extensions: answeredBySql({ kind: 'edge', part: 'cursor' }),
        description: 'Marks this place; give it to `after` or `before`.',
        resolve: ({ page, row }) => cursorOf(page.keys, row),
      }),
      node: t.field({
        type,
        extensions: answeredBySql({ kind: 'edge', part: 'node' }),
        description: 'The record.',
        resolve: ({ row }) => row,
      }),
    }),
  });
  return builder.objectRef<Page>(`${resource.model}Connection`).implement({
    description: `One page of a list of ${resource.title}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        extensions: answeredBySql({ kind: 'page', part: 'edges' }),
        description: 'The records of this page, each with its cursor.',
        resolve: async (page) => (await page.rows()).map((row) => ({ page, row })),
      }),
      nodes: t.field({
        type: [type],
        extensions: answeredBySql({ kind: 'page', part: 'nodes' }),
        description: 'The records of this page.',
        resolve: (page) => page.rows(),
      }),
      pageInfo: t.field({
        type: pageInfo(builder),
        extensions: answeredBySql({ kind: 'page', part: 'pageInfo' }),
        description: 'Where the page stands in the list.',
        resolve: (page) => ({
          hasNextPage: () => page.hasNextPage(),
          hasPreviousPage: () => page.hasPreviousPage(),
          startCursor: () => cursorAt(page, 0),
          endCursor: () => cursorAt(page, -1),
        }),
      }),
      totalCount: t.int({
        extensions: answeredBySql({ kind: 'page', part: 'totalCount' }),
        description: 'How many records the whole list has. Counted only when asked for.',
        resolve: (page) => page.total(),
      }),
    }),
  });
}

/** The columns and relations that the page's query selects of its records, anywhere in the connection. */
export function selectionOfPage(context: RequestContext, info: GraphQLResolveInfo, resource: Resource): Selection {
  return queryFromInfo({
    context,
    info,
    typeName: resource.model,
    paths: [['nodes'], ['edges', 'node']],
    select: { id: true },
  });
}

async function cursorAt(page: Page, index: number): Promise<string | null> {
  const row = (await page.rows()).at(index);
  return row ? cursorOf(page.keys, row) : null;
}
