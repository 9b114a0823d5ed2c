/** Changes over REST have the same answers, headers and errors, whether compiled SQL or Prisma makes them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { singletonId } from '../../src/model/resource.js';
import { callerWith } from '../access/keys.js';
import { repairInput } from '../graphql/asset-repairs.js';
import { providers } from '../support/database.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';
import { ofPrisma, stored, withoutIds } from './random-record.js';
import { startTwins, type Twins, twinRecords } from './twins.js';

const repair = resourceOf('AssetRepair');
const settings = resourceOf('SubscriptionSettings');

interface Request {
  method?: 'PATCH' | 'POST';
  suffix?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

describe.each(providers)('on %s', (database) => {
  let twins: Twins;
  let ids: { ourId: string; theirId: string };
  beforeAll(async () => {
    twins = await startTwins(database);
    ids = await twinRecords(twins, repair, repairInput({ consumedItems: 2 }));
  });
  afterAll(() => twins.close());

  // In this order, because each begins with the state that the one before has left.
  test.each<[number, string, Request]>([
    [200, 'a field', { body: { asset: 'mill' } }],
    [200, 'nothing', { body: {} }],
    [200, 'no body', {}],
    [200, 'null', { body: { description: null, repair_cost: null } }],
    [200, 'the version it has', { body: { asset: 'saw' }, headers: { 'If-Match': '"2"' } }],
    [200, 'any version', { body: { asset: 'lathe' }, headers: { 'If-Match': '*' } }],
    [412, 'a version it had', { body: { asset: 'late' }, headers: { 'If-Match': '"2"' } }],
    [412, 'what is no version', { body: { asset: 'late' }, headers: { 'If-Match': 'W/"4"' } }],
    [400, 'an unknown field', { body: { asset: 'late', assett: 1 } }],
    [400, 'a wrong value', { body: { asset: 7 } }],
    [400, 'no object', { body: '[]' }],
    [409, 'a move that is not open', { suffix: '/cancel', method: 'POST' }],
    [412, 'submit at another version', { suffix: '/submit', method: 'POST', headers: { 'If-Match': '"1"' } }],
    [200, 'submit', { suffix: '/submit', method: 'POST', headers: { 'If-Match': '"4"' } }],
    [409, 'submit again', { suffix: '/submit', method: 'POST' }],
    [409, 'back to draft', { body: { status: 'draft' } }],
    [200, 'cancelled by PATCH', { body: { status: 'cancelled' } }],
    [200, 'once more, with a key of its own', { body: { asset: 'x' }, headers: { 'Idempotency-Key': 'one' } }],
    [200, 'and its repetition', { body: { asset: 'x' }, headers: { 'Idempotency-Key': 'one' } }],
  ])('%i: %s', async (status, _, request) => {
    const one = await sent(twins.ours, request, ids.ourId);
    const other = await sent(twins.theirs, request, ids.theirId);
    expect(shown(one)).toEqual(shown(other));
    expect(one.status, one.text).toBe(status);
    const [ours, theirs] = [stored(twins.ours, repair, ids.ourId), stored(twins.theirs, repair, ids.theirId)];
    expect(withoutIds(await ours)).toEqual(withoutIds(await theirs));
    await twins.compareJournals();
    const read = await twins.ours.rest('GET', `${repair.base}/${ids.ourId}`);
    if (status === 200) expect([read.headers.get('etag'), read.text]).toEqual([one.headers.get('etag'), one.text]);
  });

  test.each(['asset-repair_unknown', '%C3%BC%20', singletonId(settings)])('404: %s', async (id) => {
    const one = await sent(twins.ours, { body: { asset: 'mill' } }, id);
    expect(shown(one)).toEqual(shown(await sent(twins.theirs, { body: { asset: 'mill' } }, id)));
    expect(one.status).toBe(404);
  });

  test('of settings there is one', async () => {
    const path = `${settings.base}/${singletonId(settings)}`;
    const before = twins.ours.statements.length;
    const body = { grace_period: 3 };
    const [one, other] = [await twins.ours.rest('PATCH', path, body), await twins.theirs.rest('PATCH', path, body)];
    expect(shown(one)).toEqual(shown(other));
    expect(one.body).toMatchObject(body);
    expect(ofPrisma(twins.ours.statements.slice(before))).toEqual([]);
    await twins.compareJournals();
    const elsewhere = await twins.ours.rest('PATCH', `${settings.base}/other`, body);
    expect(elsewhere.status).toBe(404);
  });

  test('a key that may not read gets only the id, and one that may not submit cannot submit in any way', async () => {
    const { ourId } = await twinRecords(twins, repair, repairInput());
    const writer = await callerWith(twins.ours, 'assets:write');
    const path = `${repair.base}/${ourId}`;
    const before = twins.ours.statements.length;
    expect((await writer.rest('PATCH', path, { asset: 'mill' })).body).toEqual({ id: ourId });
    expect(ofPrisma(twins.ours.statements.slice(before))).toEqual([]);
    const update = (shown: string) =>
      `mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { ${shown} } } }`;
    const refused = await writer.graphql(update('asset'), { id: ourId, input: { asset: 'late' } });
    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['assets:read'] });
    for (const status of ['submitted', 'cancelled']) {
      const named = { status: status.toUpperCase() };
      expect((await writer.graphql(update('id'), { id: ourId, input: named })).body.errors[0].extensions.code).toBe(
        'FORBIDDEN',
      );
      expect((await writer.rest('PATCH', path, { status })).status).toBe(403);
    }
    expect((await twins.ours.rest('GET', path)).body).toMatchObject({ asset: 'mill', status: 'draft' });
  });
});

function sent(gateway: TestGateway, { method = 'PATCH', suffix = '', body, headers }: Request, id: string) {
  return gateway.rest(method, `${repair.base}/${id}${suffix}`, body, headers);
}

/** The parts that must be the same in both answers. */
function shown({ status, headers, body }: Answer) {
  const { id, created_at, updated_at, error, ...fields } = body;
  const { request_id, ...told } = error ?? {};
  return { status, etag: headers.get('etag'), names: Object.keys(body), fields, told };
}
