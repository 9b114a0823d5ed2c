import { client } from './generated/client.gen.js';
import * as api from './generated/sdk.gen.js';
import type { AssetRepair } from './generated/types.gen.js';

const [, , baseUrl, key] = process.argv;
client.setConfig({ baseUrl, auth: key });
const throwOnError = true;

const created = await api.assetRepairCreate({ body: { asset: 'LATHE-7', failure_date: '2026-11-20' }, throwOnError });
const path = { id: created.data.id };
const read = await api.assetRepairRetrieve({ path, throwOnError });
const { data: list } = await api.assetRepairList({ query: { limit: 5 }, throwOnError });
const headers = { 'If-Match': created.response.headers.get('etag') ?? '' };
const updated = await api.assetRepairUpdate({ path, headers, body: { repair_cost: 80, company: null }, throwOnError });
const stale = await api.assetRepairUpdate({ path, headers, body: { repair_cost: 90 } });
const { data: deleted } = await api.assetRepairDelete({ path, throwOnError });
const gone = await api.assetRepairRetrieve({ path });

export const asset: AssetRepair['asset'] = read.data.asset;
// @ts-expect-error: it may be null
export const company: string = updated.data.company;
console.log(
  JSON.stringify({
    created: created.data,
    read: read.data,
    list,
    updated: updated.data,
    stale: stale.response?.status === 412,
    deleted,
    gone: gone.response?.status === 404,
  }),
);
