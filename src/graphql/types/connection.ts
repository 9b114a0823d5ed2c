/** `AssetRepairConnection` and `ApiKeyConnection` and their edges: a page of a list, in Relay's form and with plain `nodes`. */

import type { InterfaceRef, ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { largestPageSize } from '../../model/limits.js';
import { capitalized, withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { Selection } from '../../query/delegate.js';
import type { Page } from '../../query/page.js';
import { answeredBySql } from '../answered-by-sql.js';
import { type Builder, perBuilder, perResource, type SchemaTypes } from '../builder.js';
import { constrained } from '../inputs/filters.js';
import { pageInfo } from './page-info.js';
import { typeOf } from './record-object-types.js';

export const pageArguments = perBuilder((builder) =>
  builder.args((t) => ({
    first: t.int(constrained({ minimum: 0, maximum: largestPageSize })),
    after: t.string(),
    last: t.int(constrained({ minimum: 0, maximum: largestPageSize })),
    before: t.string(),
    offset: t.int(constrained({ minimum: 0 })),
  })),
);

/** A page of rows of one kind: of records, or of something of the gateway's own. */
type Listed<Row> = Omit<Page, 'rows' | 'cursor'> & { rows(): Promise<Row[]>; cursor(row: Row): string };

interface Edge<Row> {
  page: Listed<Row>;
  row: Row;
}

/** The connection type of a resource. */
export const connectionOf = perResource((builder, resource) =>
  connectionType(builder, {
    name: resource.model,
    type: typeOf(builder, resource),
    edge: `${capitalized(withArticle(resource.title))} in a list, as \`PageInfo\` describes it.`,
    page: `A page of a list of ${resource.title}, as \`PageInfo\` describes it.`,
  }),
);

/** The connection type of something of the gateway's own, such as API keys, of which there is one list. */
export const connectionOfOwn = <Row>(builder: Builder, name: string, what: string, type: ObjectRef<SchemaTypes, Row>) =>
  connectionType(builder, {
    name,
    type,
    edge: `${capitalized(withArticle(what))} in a list, as \`PageInfo\` describes it.`,
    page: `A page of ${what}s, the newest first, as \`PageInfo\` describes it.`,
  });

interface ConnectionParts<Row> {
  name: string;
  type: ObjectRef<SchemaTypes, Row> | InterfaceRef<SchemaTypes, Row>;
  /** The descriptions. */
  edge: string;
  page: string;
}

/** A connection type that no other field has. */
export function connectionType<Row>(
  builder: Builder,
  { name, type: typeOfRow, ...descriptions }: ConnectionParts<Row>,
) {
  // Pothos asks more of the type of a row than a parameter can say.
  const type: ObjectRef<SchemaTypes, unknown> | InterfaceRef<SchemaTypes, unknown> = typeOfRow;
  const edge = builder.objectRef<Edge<Row>>(`${name}Edge`).implement({
    description: descriptions.edge,
    fields: (t) => ({
      cursor: t.string({
        extensions: answeredBySql({ kind: 'edge', part: 'cursor' }),
        resolve: ({ page, row }) => page.cursor(row),
      }),
      node: t.field({
        type,
        extensions: answeredBySql({ kind: 'edge', part: 'node' }),
        resolve: ({ row }) => row,
      }),
    }),
  });
  return builder.objectRef<Listed<Row>>(`${name}Connection`).implement({
    description: descriptions.page,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        extensions: answeredBySql({ kind: 'page', part: 'edges' }),
        resolve: async (page) => (await page.rows()).map((row) => ({ page, row })),
      }),
      nodes: t.field({
        type: [type],
        extensions: answeredBySql({ kind: 'page', part: 'nodes' }),
        resolve: (page) => page.rows(),
      }),
      pageInfo: t.field({
        type: pageInfo(builder),
        extensions: answeredBySql({ kind: 'page', part: 'pageInfo' }),
        resolve: (page) => ({
          hasNextPage: () => page.hasNextPage(),
          hasPreviousPage: () => page.hasPreviousPage(),
          startCursor: () => cursorAt(page, 0),
          endCursor: () => cursorAt(page, -1),
        }),
      }),
      totalCount: t.int({
        extensions: answeredBySql({ kind: 'page', part: 'totalCount' }),
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

async function cursorAt<Row>(page: Listed<Row>, index: number): Promise<string | null> {
  const row = (await page.rows()).at(index);
  return row ? page.cursor(row) : null;
}
