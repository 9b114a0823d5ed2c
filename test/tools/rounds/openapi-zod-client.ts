import { createApiClient, schemas } from './generated/api.js';

const [, , baseUrl = '', key] = process.argv;
const authorization = `Bearer ${key}`;
const api = createApiClient(baseUrl, { axiosConfig: { headers: { authorization } } });

// Zodios parses each answer by the schema that was generated for it.
const created = await api.AssetRepairCreate({ asset: 'LATHE-7', failure_date: '2026-11-20' });
const params = { id: created.id };
const read = schemas.AssetRepair.parse(await api.AssetRepairRetrieve({ params }));
const list = await api.AssetRepairList({ queries: { limit: 5 } });
const ofVersion = { params, headers: { 'If-Match': '"1"' } };
const updated = await api.AssetRepairUpdate({ repair_cost: 80, company: null }, ofVersion);
const isRefused = (answer: Promise<unknown>) =>
  answer.then(
    () => false,
    ({ response }) => 'error' in response.data,
  );
const stale = await isRefused(api.AssetRepairUpdate({ repair_cost: 90 }, ofVersion));
const deleted = await api.AssetRepairDelete(undefined, { params });
const gone = await isRefused(api.AssetRepairRetrieve({ params }));

export const asset: string = read.asset;
// @ts-expect-error: it may be null
export const company: string = updated.company;
console.log(JSON.stringify({ created, read, list, updated, stale, deleted, gone }));
