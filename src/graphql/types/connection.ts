/** `AssetRepairConnection` and `ApiKeyConnection` and their edges: a page of a list, in Relay's form and with plain `nodes`. */

import type { InterfaceRef, ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { largestPageSize } from '../../model/limits.js';
import { capitalized, withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { Load } from '../../query/delegate.js';
import type { Page } from '../../query/page.js';
import { answeredBySql } from '../answered-by-sql.js';
import { type Builder, objectOf, perBuilder, perResource, type SchemaTypes } from '../builder.js';
import { constrained } from '../inputs/filters.js';
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

interface Place {
  hasNextPage(): MaybePromise<boolean>;
  hasPreviousPage(): MaybePromise<boolean>;
  startCursor(): MaybePromise<string | null>;
  endCursor(): MaybePromise<string | null>;
}

const inPageInfo = (part: keyof Place) => answeredBySql({ kind: 'pageInfo', part });

export const pageInfo = objectOf<Place>('PageInfo', {
  description:
    'Where a page stands in its list, as `pageInfo` shows it. A page has its records as `nodes`, or as `edges`, each with the record as `node` and its place as `cursor`, for `after` and `before`. `totalCount` says how many records the whole list has; they are counted only when it is asked for.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      extensions: inPageInfo('hasNextPage'),
      description: 'Whether records follow.',
      resolve: (page) => page.hasNextPage(),
    }),
    hasPreviousPage: t.boolean({
      extensions: inPageInfo('hasPreviousPage'),
      description: 'Whether records go before.',
      resolve: (page) => page.hasPreviousPage(),
    }),
    startCursor: t.string({
      nullable: true,
      extensions: inPageInfo('startCursor'),
      description: 'Cursor of the first record; null on an empty page.',
      resolve: (page) => page.startCursor(),
    }),
    endCursor: t.string({
      nullable: true,
      extensions: inPageInfo('endCursor'),
      description: 'Cursor of the last record; null on an empty page.',
      resolve: (page) => page.endCursor(),
    }),
  }),
});

interface Edge<Row> {
  page: Page<Row>;
  row: Row;
}

export const connectionOf = perResource((builder, resource) =>
  connectionType(builder, resource.model, typeOf(builder, resource), {
    edge: `${capitalized(withArticle(resource.title))} in a list`,
    page: `A page of a list of ${resource.title}`,
  }),
);

/** The connection type of something of the gateway's own, such as API keys, of which there is one list. */
export const connectionOfOwn = <Row>(builder: Builder, name: string, what: string, type: ObjectRef<SchemaTypes, Row>) =>
  connectionType(builder, name, type, {
    edge: `${capitalized(withArticle(what))} in a list`,
    page: `A page of ${what}s, the newest first`,
  });

/** A connection type that no other field has, with what its edges and its pages are. */
export function connectionType<Row>(
  builder: Builder,
  name: string,
  typeOfRow: ObjectRef<SchemaTypes, Row> | InterfaceRef<SchemaTypes, Row>,
  is: { edge: string; page: string },
) {
  // Pothos asks more of the type of a row than a parameter can say.
  const type: ObjectRef<SchemaTypes, unknown> | InterfaceRef<SchemaTypes, unknown> = typeOfRow;
  const edge = builder.objectRef<Edge<Row>>(`${name}Edge`).implement({
    description: `${is.edge}, as \`PageInfo\` describes it.`,
    fields: (t) => ({
      cursor: t.string({
        extensions: answeredBySql({ kind: 'edge', part: 'cursor' }),
        resolve: ({ page, row }) => page.cursor(row),
      }),
      node: t.expose('row', { type, extensions: answeredBySql({ kind: 'edge', part: 'node' }) }),
    }),
  });
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `${is.page}, as \`PageInfo\` describes it.`,
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
          ...page,
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
export function selectionOfPage(context: RequestContext, info: GraphQLResolveInfo, resource: Resource): Load {
  return queryFromInfo({
    context,
    info,
    typeName: resource.model,
    paths: [['nodes'], ['edges', 'node']],
    select: { id: true },
  });
}

async function cursorAt<Row>(page: Page<Row>, index: number): Promise<string | null> {
  const row = (await page.rows()).at(index);
  return row ? page.cursor(row) : null;
}
