import * as api from './generated/api.js';

const [, , , key] = process.argv;
const headers = { authorization: `Bearer ${key}` };
const refused = ({ data }: { data: unknown }) => new Error(JSON.stringify(data));

const created = await api.assetRepairCreate({ asset: 'LATHE-7', failure_date: '2026-11-20' }, { headers });
if (created.status !== 201) throw refused(created);
const { id } = created.data;
const read = await api.assetRepairRetrieve(id, undefined, { headers });
if (read.status !== 200) throw refused(read);
const list = await api.assetRepairList({ limit: 5 }, { headers });
if (list.status !== 200) throw refused(list);
const ofVersion = { headers: { ...headers, 'If-Match': created.headers.get('etag') ?? '' } };
const updated = await api.assetRepairUpdate(id, { repair_cost: 80, company: null }, ofVersion);
if (updated.status !== 200) throw refused(updated);
const stale = await api.assetRepairUpdate(id, { repair_cost: 90 }, ofVersion);
const deleted = await api.assetRepairDelete(id, { headers });
if (deleted.status !== 200) throw refused(deleted);
const gone = await api.assetRepairRetrieve(id, undefined, { headers });

export const asset: api.AssetRepair['asset'] = read.data.asset;
// @ts-expect-error: it may be null
export const company: string = updated.data.company;
console.log(
  JSON.stringify({
    created: created.data,
    read: read.data,
    list: list.data,
    updated: updated.data,
    stale: stale.status === 412,
    deleted: deleted.data,
    gone: gone.status === 404,
  }),
);
