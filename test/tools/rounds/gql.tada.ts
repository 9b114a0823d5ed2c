import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada';
import { print } from 'graphql';
import type { introspection } from './generated/graphql-env.js';

const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  scalars: { DateTime: string; FieldValue: unknown };
}>();
const [, , url, key] = process.argv;
async function send<Data, Variables>(document: TadaDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ query: print(document), variables });
  const { data, errors } = JSON.parse(await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text());
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const create = graphql(`mutation Create($input: CreateAssetRepairInput!) {
  createAssetRepair(input: $input) { record { id version repairCost } userErrors { message } }
}`);
const query = graphql(`query Read($id: ID!) {
  assetRepair(id: $id) { asset status }
  assetRepairs(first: 5) { totalCount nodes { asset } }
}`);
const update = graphql(`mutation Update($id: ID!, $expectedVersion: Int, $input: UpdateAssetRepairInput!) {
  updateAssetRepair(id: $id, expectedVersion: $expectedVersion, input: $input) {
    record { repairCost company }
    userErrors { message }
  }
}`);
const remove = graphql(`mutation Delete($id: ID!) { deleteAssetRepair(id: $id) { deleted } }`);

const { createAssetRepair } = await send(create, { input: { asset: 'LATHE-7', failureDate: '2026-11-20' } });
const created = createAssetRepair?.record;
if (!created) throw new Error(JSON.stringify(createAssetRepair));
const { id, version: expectedVersion } = created;
const { assetRepair: read, assetRepairs: list } = await send(query, { id });
const change = { id, expectedVersion, input: { repairCost: 80, company: null } };
const { updateAssetRepair: updated } = await send(update, change);
const { updateAssetRepair: stale } = await send(update, change);
const { deleteAssetRepair: deleted } = await send(remove, { id });
const { assetRepair: gone } = await send(query, { id });

export const asset: string | null | undefined = read?.asset;
// @ts-expect-error: it may be null
export const company: string = updated?.record?.company;
console.log(
  JSON.stringify({
    created,
    read,
    list,
    updated: updated?.record,
    stale: stale?.userErrors.length === 1,
    deleted,
    gone: gone === null,
  }),
);
