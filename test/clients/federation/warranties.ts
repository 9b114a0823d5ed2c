/** A second subgraph, as another team would write it: warranties of repairs and of the items that they used. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';

export const warrantiesSdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])

  type Query {
    warranties: WarrantyPage!
  }
  type Warranty @key(fields: "id") {
    id: ID!
    months: Int!
    repair: AssetRepair
    item: AssetRepairConsumedItem
  }
  type WarrantyPage {
    nodes: [Warranty!]!
    pageInfo: PageInfo!
  }
  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
  type AssetRepair @key(fields: "id") {
    id: ID!
    warranty: Warranty
  }
  type AssetRepairConsumedItem @key(fields: "id", resolvable: false) {
    id: ID!
  }
`;

export interface Warranty {
  id: string;
  months: number;
  repairId: string;
  itemId: string;
}

export interface Warranties {
  url: string;
  /** The existing warranties; a test adds them. */
  list: Warranty[];
  close(): void;
}

export async function startWarranties(): Promise<Warranties> {
  const list: Warranty[] = [];
  const shown = ({ id, months, repairId, itemId }: Warranty) => ({
    id,
    months,
    repair: { id: repairId },
    item: { id: itemId },
  });
  const place = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
  const resolvers = {
    Query: { warranties: () => ({ nodes: list.map(shown), pageInfo: place }) },
    AssetRepair: {
      __resolveReference: ({ id }: { id: string }) => ({ id }),
      warranty({ id }: { id: string }) {
        const found = list.find(({ repairId }) => repairId === id);
        return found && shown(found);
      },
    },
  };
  const schema = buildSubgraphSchema({ typeDefs: parse(warrantiesSdl), resolvers });
  const server = createServer(async (request, response) => {
    const { query, variables } = (await json(request)) as { query: string; variables?: Record<string, unknown> };
    const result = await graphql({ schema, source: query, variableValues: variables });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    list,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
