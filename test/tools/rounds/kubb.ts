import { setConfig } from '@kubb/plugin-client/clients/fetch';
import * as api from './generated/clients/index.js';
import type { AssetRepair } from './generated/types/index.js';

const [, , baseURL, key] = process.argv;
setConfig({ baseURL, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });

const created = await api.assetRepairCreate({ asset: 'LATHE-7', failure_date: '2026-11-20' });
const { id } = created;
const read = await api.assetRepairRetrieve(id);
const list = await api.assetRepairList({ limit: 5 });
const updated = await api.assetRepairUpdate(id, { repair_cost: 80, company: null }, { 'If-Match': '"1"' });
// A refusal is given as an answer, whatever its type says.
const stale = await api.assetRepairUpdate(id, { repair_cost: 90 }, { 'If-Match': '"1"' });
const deleted = await api.assetRepairDelete(id);
const gone = await api.assetRepairRetrieve(id);

export const asset: AssetRepair['asset'] = read.asset;
// @ts-expect-error: it may be null
export const company: string = updated.company;
console.log(JSON.stringify({ created, read, list, updated, stale: 'error' in stale, deleted, gone: 'error' in gone }));
