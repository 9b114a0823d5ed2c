/** `AssetRepairConnection` and `ApiKeyConnection` and their edges: a page of a list, in Relay's form and with plain `nodes`. */

import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { apiKey } from '../../features/keys/schema/api-key-types.js';
import type { WebhookAttempt } from '../../features/webhooks/deliveries.js';
import { webhook, webhookAttempt } from '../../features/webhooks/schema/webhook-types.js';
import type { Webhook } from '../../features/webhooks/webhook.js';
import type { ApiKey } from '../../gateway/access/api-key.js';
import { largestPageSize } from '../../model/limits.js';
import { capitalized, withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { SelectedRecord, Selection } from '../../query/delegate.js';
import type { Page } from '../../query/page.js';
import { answeredBySql } from '../answered-by-sql.js';
import { type Builder, perBuilder, perResource } from '../builder.js';
import { constrained } from '../inputs/filters.js';
import { pageInfo } from './page-info.js';
import { mainRecord } from './record-interfaces.js';
import { typeOf } from './record-object-types.js';
import type { RecordType } from './record-type.js';

export const pageArguments = perBuilder((builder) =>
  builder.args((t) => ({
    first: t.int(constrained({ minimum: 0, maximum: largestPageSize })),
    after: t.string(),
    last: t.int(constrained({ minimum: 0, maximum: largestPageSize })),
    before: t.string(),
    offset: t.int(constrained({ minimum: 0 })),
  })),
);

/** A row of a list of records, or of one of the gateway's own. */
type Row = SelectedRecord | ApiKey | Webhook | WebhookAttempt;

/** A page of rows of one kind. */
type Listed = Omit<Page, 'rows' | 'cursor'> & { rows(): Promise<Row[]>; cursor(row: Row): string };

interface Edge {
  page: Listed;
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

/** The connection type of records of any type that has times of its own. */
export const searchConnection = perBuilder((builder) =>
  connectionType(builder, {
    name: 'Search',
    type: mainRecord(builder),
    edge: 'A record that a search has found, as `PageInfo` describes it.',
    page: 'A page of what a search has found, as `PageInfo` describes it.',
  }),
);

export const apiKeyConnection = perBuilder((builder) =>
  connectionType(builder, { name: 'ApiKey', type: apiKey(builder), ...ofOwn('API key') }),
);
export const webhookConnection = perBuilder((builder) =>
  connectionType(builder, { name: 'Webhook', type: webhook(builder), ...ofOwn('webhook') }),
);
export const webhookAttemptConnection = perBuilder((builder) =>
  connectionType(builder, { name: 'WebhookAttempt', type: webhookAttempt(builder), ...ofOwn('delivery attempt') }),
);

const ofOwn = (what: string) => ({
  edge: `${capitalized(withArticle(what))} in a list, as \`PageInfo\` describes it.`,
  page: `A page of ${what}s, the newest first, as \`PageInfo\` describes it.`,
});

interface ConnectionParts {
  name: string;
  type: RecordType | ReturnType<typeof mainRecord | typeof apiKey | typeof webhook | typeof webhookAttempt>;
  /** The descriptions. */
  edge: string;
  page: string;
}

function connectionType(builder: Builder, { name, type, ...descriptions }: ConnectionParts) {
  const edge = builder.objectRef<Edge>(`${name}Edge`).implement({
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
  return builder.objectRef<Listed>(`${name}Connection`).implement({
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

async function cursorAt(page: Listed, index: number): Promise<string | null> {
  const row = (await page.rows()).at(index);
  return row ? page.cursor(row) : null;
}
