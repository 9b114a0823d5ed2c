import { createClient } from './generated/index.js';

const [, , url, key] = process.argv;
const client = createClient({ url: `${url}/graphql`, headers: { authorization: `Bearer ${key}` } });
const answer = {
  record: { id: true, version: true, repairCost: true, company: true },
  userErrors: { message: true },
} as const;

const input = { asset: 'LATHE-7', failureDate: '2026-11-20' };
const { createAssetRepair } = await client.mutation({ createAssetRepair: { __args: { input }, ...answer } });
const created = createAssetRepair?.record;
if (!created) throw new Error(JSON.stringify(createAssetRepair));
const { id, version: expectedVersion } = created;
const one = { __args: { id }, __scalar: true } as const;
const { assetRepair: read, assetRepairs: list } = await client.query({
  assetRepair: one,
  assetRepairs: { __args: { first: 5 }, totalCount: true, nodes: { asset: true } },
});
const change = { id, expectedVersion, input: { repairCost: 80, company: null } };
const update = { updateAssetRepair: { __args: change, ...answer } };
const { updateAssetRepair: updated } = await client.mutation(update);
const { updateAssetRepair: stale } = await client.mutation(update);
const { deleteAssetRepair: deleted } = await client.mutation({ deleteAssetRepair: { __args: { id }, deleted: true } });
const { assetRepair: gone } = await client.query({ assetRepair: one });

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
