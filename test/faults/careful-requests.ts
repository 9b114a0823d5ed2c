/** What careful clients send: writes that show in the records when they are carried out twice, and reads. */
import type { Answer } from './gateway-process.js';

/** A document as the gateway has acknowledged it. */
export interface Acknowledged {
  asset: string;
  id: string;
  downtime: string | null;
  version: number;
  /** The items of its lines. */
  lines: string[];
}

/** What an answer shows of a document. */
export type Shown = Partial<Acknowledged>;

export interface Request {
  method: string;
  path: string;
  body?: object;
}

/** A write that adds a line for `item`, which no other write names: each time that it is carried out adds one, and raises the version. */
export interface Change {
  request(document: Acknowledged, item: string): Request;
  /** By how much the version rises. */
  raises: number;
  /** What `downtime` is afterwards; undefined where it stays. */
  downtime?(item: string): string;
  shown(answer: Answer): Shown | undefined;
}

export interface Look {
  request(document: Acknowledged): Request;
  shown(answer: Answer): Shown | undefined;
}

const path = '/api/assets/asset-repair';
const linePath = '/api/assets/asset-repair-consumed-item';
const add = 'added: createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: $item, warehouse: "Stores" })';
const fields = 'id downtime version consumedItems { itemCode }';
const addLine = `mutation ($id: ID!, $item: String!) { ${add} { record { assetRepair { ${fields} } } } }`;
const addAndUpdate = `mutation ($id: ID!, $item: String!) { ${add} { record { id } }
  updated: updateAssetRepair(id: $id, input: { downtime: $item }) { record { ${fields} } } }`;
const look = `query ($id: ID!) { record: assetRepair(id: $id) { ${fields} } }`;

const ask = (query: string, variables: object): Request => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

export const create = (asset: string): Request => ({
  method: 'POST',
  path,
  body: { asset, failure_date: '2026-11-25' },
});

export const changes: readonly Change[] = [
  {
    request: ({ id }, item) => ({
      method: 'POST',
      path: linePath,
      body: { asset_repair_id: id, item_code: item, warehouse: 'Stores' },
    }),
    raises: 1,
    shown: ({ body }) => ({ id: body.asset_repair_id }),
  },
  {
    request: ({ id }, item) => ask(addLine, { id, item }),
    raises: 1,
    shown: ({ body }) => ofGraphql(body.data.added?.record?.assetRepair),
  },
  {
    request: ({ id }, item) => ask(addAndUpdate, { id, item }),
    raises: 2,
    downtime: (item) => item,
    shown: ({ body }) => ofGraphql(body.data.updated?.record),
  },
];

export const looks: readonly Look[] = [
  {
    request: ({ id }) => ask(look, { id }),
    shown: ({ body }) => ofGraphql(body.data.record),
  },
  { request: ({ id }) => ({ method: 'GET', path: `${path}/${id}` }), shown: ofRest },
  {
    request: ({ id }) => ({ method: 'GET', path: `${linePath}?parent_id=${id}` }),
    shown: ({ body }) => ({ lines: body.data.map(({ item_code }: { item_code: string }) => item_code) }),
  },
];

/** A record as REST answers it: its version is the ETag. */
export function ofRest({ body, headers }: Answer): Shown {
  return { id: body.id, downtime: body.downtime, version: Number((headers.etag ?? '').replaceAll('"', '')) };
}

interface Found extends Omit<Acknowledged, 'asset' | 'lines'> {
  consumedItems: { itemCode: string }[];
}

function ofGraphql(found: Found | null | undefined): Shown | undefined {
  if (!found) return undefined;
  const { consumedItems, ...shown } = found;
  return { ...shown, lines: consumedItems.map(({ itemCode }) => itemCode) };
}
