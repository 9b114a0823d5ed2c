/**
 * Every REST endpoint of a document, of its lines and of singletons gives the same answer whether operations are
 * compiled or not: status, headers, body, and stored rows. Both gateways get the same requests in the same order.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { singletonId } from '../../src/model/resource.js';
import { repairInput } from '../graphql/asset-repairs.js';
import { providers } from '../support/database.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';
import { stored, withoutIds } from './random-record.js';
import { startTwins, type Twins, twinRecords } from './twins.js';

const repair = resourceOf('AssetRepair');
const item = resourceOf('AssetRepairConsumedItem');
const settings = resourceOf('SubscriptionSettings');

type Request = [method: string, path: string, body?: object | string, headers?: Record<string, string>];

/** `{id}` is the repair, `{1}` the line that was created first. */
const requests: Record<number, Request[]> = {
  200: [
    ['GET', `${repair.base}/{id}`],
    ['HEAD', `${repair.base}/{id}`],
    ['GET', `${repair.base}?limit=2`],
    ['GET', `${repair.base}?limit=2&offset=1`],
    ['GET', `${item.base}?parent_id={id}`],
    ['GET', `${item.base}/{1}`],
    ['GET', settings.base],
    ['PATCH', `${settings.base}/${singletonId(settings)}`, { grace_period: 3 }],
    ['PATCH', `${item.base}/{1}`, { item_code: 'other' }],
    ['PATCH', `${item.base}/{1}`, { idx: 2 }],
    ['PATCH', `${repair.base}/{id}`, { asset: 'saw' }],
    ['POST', `${repair.base}/{id}/submit`],
    ['POST', `${repair.base}/{id}/cancel`],
  ],
  201: [
    ['POST', repair.base, { asset: 'mill', failure_date: '2026-01-31' }],
    ['POST', item.base, { asset_repair_id: '{id}', item_code: 'new', warehouse: 'main' }],
  ],
  304: [['GET', `${repair.base}/{id}`, undefined, { 'If-None-Match': '*' }]],
  400: [
    ['POST', repair.base, { asset: 7 }],
    ['POST', repair.base, '{'],
    ['POST', item.base, { asset_repair_id: '{id}', item_code: 'new', warehouse: 'main', idx: 0 }],
    ['PATCH', `${item.base}/{1}`, { unknown: 1 }],
    ['GET', `${repair.base}?limit=0`],
    ['GET', item.base],
    ['PATCH', `${repair.base}/{id}`, { asset: 'a\u0000b' }],
  ],
  404: [
    ['GET', `${repair.base}/none`],
    ['PATCH', `${item.base}/none`, { item_code: 'other' }],
    ['DELETE', `${item.base}/none`],
    ['DELETE', `${repair.base}/{1}`],
    ['POST', `${repair.base}/none/submit`],
    ['PATCH', `${settings.base}/other`, { grace_period: 3 }],
  ],
  409: [['POST', `${repair.base}/{id}/cancel`]],
  412: [
    ['DELETE', `${repair.base}/{id}`, undefined, { 'If-Match': '"77"' }],
    ['DELETE', `${item.base}/{1}`, undefined, { 'If-Match': '"77"' }],
    ['PATCH', `${item.base}/{1}`, { item_code: 'late' }, { 'If-Match': '"77"' }],
  ],
};

describe.each(providers)('on %s', (database) => {
  let twins: Twins;
  let ours: { id: string; line: string };
  let theirs: { id: string; line: string };
  beforeAll(async () => {
    twins = await startTwins(database);
    const { ourId, theirId } = await twinRecords(twins, repair, repairInput({ consumedItems: 3, purchaseInvoices: 1 }));
    ours = { id: ourId, line: await firstLine(twins.ours, ourId) };
    theirs = { id: theirId, line: await firstLine(twins.theirs, theirId) };
  });
  afterEach(() => twins.compareJournals());
  afterAll(() => twins.close());

  // Refused requests come first, because the others change the records.
  const all = Object.entries(requests)
    .toSorted(([left], [right]) => Number(right) - Number(left))
    .flatMap(([status, each]) => each.map((request): [string, ...Request] => [status, ...request]));
  test.each(all)('%s: %s %s %j', async (status, ...request) => {
    await alike(Number(status), request);
  });

  test('lines put into another order, and deleted with what they belong to', async () => {
    const reorder: Request = ['POST', `${item.base}/reorder`, { parent_id: '{id}' }];
    await alike(undefined, reorder);
    await alike(undefined, ['DELETE', `${item.base}/{1}`]);
    await alike(undefined, ['DELETE', `${repair.base}/{id}`]);
    await alike(404, ['GET', `${repair.base}/{id}`]);
    await alike(404, ['DELETE', `${repair.base}/{id}`]);
  });

  async function alike(status: number | undefined, request: Request): Promise<void> {
    const one = await twins.ours.rest(...about(ours, request));
    const other = await twins.theirs.rest(...about(theirs, request));
    expect(shown(one)).toEqual(shown(other));
    if (status !== undefined) expect(one.status, one.text).toBe(status);
    const [left, right] = [await stored(twins.ours, repair, ours.id), await stored(twins.theirs, repair, theirs.id)];
    expect(withoutIds(left)).toEqual(withoutIds(right));
  }
});

async function firstLine(gateway: TestGateway, id: string): Promise<string> {
  const { body } = await gateway.rest('GET', `${item.base}?parent_id=${id}`);
  return body.data[0].id;
}

function about({ id, line }: { id: string; line: string }, [method, path, body, headers]: Request): Request {
  const named = (text: string) => text.replaceAll('{id}', id).replaceAll('{1}', line);
  const sent = typeof body === 'object' ? JSON.parse(named(JSON.stringify(body))) : body;
  return [method, named(path), sent, headers];
}

/** Without ids and times. */
function shown({ status, headers, text }: Answer): object {
  const kept = Object.fromEntries(
    [...headers].filter(
      ([name]) => !/^(date|x-request-id|location|content-length|server-timing)$|^x-ratelimit/.test(name),
    ),
  );
  const body = text
    .replaceAll(/[a-z-]+_[0-9a-z]{26}/g, 'an id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/"request_id":"[^"]+"/g, '"request_id":""');
  return { status, headers: kept, body };
}
