import type {
  AssetRepair,
  AssetRepairList,
  CreateAssetRepairInput,
  UpdateAssetRepairInput,
} from './generated/models.js';

const [, , url, key] = process.argv;
async function send<Answer>(method: string, path: string, body?: object, version = '*'): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'if-match': version };
  const response = await fetch(`${url}/api/assets/asset-repair${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  return JSON.parse(await response.text());
}

const input: CreateAssetRepairInput = { asset: 'LATHE-7', failure_date: '2026-11-20' };
const created = await send<AssetRepair>('POST', '', input);
const path = `/${created.id}`;
const read = await send<AssetRepair>('GET', path);
const list = await send<AssetRepairList>('GET', '?limit=5');
const change: UpdateAssetRepairInput = { repair_cost: 80, company: null };
const updated = await send<AssetRepair>('PATCH', path, change, '"1"');
const stale = await send<object>('PATCH', path, change, '"1"');
const deleted = await send<{ deleted: boolean }>('DELETE', path);
const gone = await send<object>('GET', path);

export const asset: string = read.asset;
// @ts-expect-error: it may be null
export const company: string = updated.company;
console.log(JSON.stringify({ created, read, list, updated, stale: 'error' in stale, deleted, gone: 'error' in gone }));
