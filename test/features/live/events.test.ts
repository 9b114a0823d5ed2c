/** GET /api/events: streams of changes for clients of REST, resumed as EventSource does it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/features/keys/api-keys.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { databaseInTurn } from '../../support/database.js';
import { requireDescribedEvent } from '../../support/described-answers.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

interface Told {
  id: string | undefined;
  event: string | undefined;
  data: Record<string, unknown>;
}

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  const open: AbortController[] = [];
  const sent = new Set<string | undefined>();
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(async () => {
    for (const controller of open) controller.abort();
    await gateway.close();
  });

  const listen = async (search = '', headers: Record<string, string> = {}) => {
    const controller = new AbortController();
    open.push(controller);
    const answer = await fetch(`${gateway.url}/api/events${search}`, {
      headers: { authorization: `Bearer ${gateway.key}`, accept: 'text/event-stream', ...headers },
      signal: controller.signal,
    });
    expect(answer.status).toBe(200);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      async next(): Promise<Told> {
        while (!text.includes('\n\n')) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) throw new Error('The stream has ended');
          text += value;
        }
        const [block = '', ...rest] = text.split('\n\n');
        text = rest.join('\n\n');
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        const told = { id: field('id'), event: field('event'), data: JSON.parse(field('data') ?? '{}') };
        requireDescribedEvent(told.event, told.data);
        sent.add(told.event);
        return told;
      },
      stop: () => controller.abort(),
    };
  };

  test('changes are sent with their positions as ids, and a break loses none', async () => {
    const stream = await listen('?types=asset-repair,industry-type');
    const opened = await stream.next();
    expect(opened).toMatchObject({ event: 'opened', data: { position: Number(opened.id) } });
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const created = await stream.next();
    expect(created).toMatchObject({
      event: 'change',
      data: { position: Number(created.id), action: 'create', type: 'asset-repair', id, version: 1 },
    });
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { repair_cost: 5 });
    expect((await stream.next()).data).toMatchObject({ action: 'update', version: 2, fields: ['repair_cost'] });
    stream.stop();
    await gateway.rest('POST', '/api/crm/industry-type', { industry: 'Rails' });
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const resumed = await listen('?types=asset-repair,industry-type&after=0', { 'last-event-id': created.id ?? '' });
    expect((await resumed.next()).event).toBe('opened');
    const missed = [await resumed.next(), await resumed.next(), await resumed.next()];
    expect(missed.map(({ data }) => [data.action, data.type])).toEqual([
      ['update', 'asset-repair'],
      ['create', 'industry-type'],
      ['delete', 'asset-repair'],
    ]);
    const deletes = await listen('?actions=delete&after=0');
    await deletes.next();
    const gone = [await deletes.next(), await deletes.next(), await deletes.next()];
    expect(gone.map(({ data }) => data.type).sort()).toEqual([
      'asset-repair',
      'asset-repair-consumed-item',
      'asset-repair-consumed-item',
    ]);
  });

  test('a position that the journal no longer holds, and one that it never had, is reported', async () => {
    const { id } = await (await listen()).next();
    expect(await (await listen('?after=999999999999')).next()).toMatchObject({ id, event: 'too_old' });
    await gateway.database.client.$executeRawUnsafe(`UPDATE "JournalState" SET "swept" = ${id}`);
    expect(await (await listen('?after=0')).next()).toMatchObject({
      id,
      event: 'too_old',
      data: { position: Number(id) },
    });
    await gateway.database.client.$executeRawUnsafe('UPDATE "JournalState" SET "swept" = 0');
  });

  test.each([
    ['?types=asset-repairs', 'types'],
    ['?types=', 'types'],
    ['?actions=destroy', 'actions'],
    ['?after=x', 'after'],
    ['?after=-1', 'after'],
    ['?after=9007199254740993', 'after'],
    ['?after=1&after=2', 'after'],
    ['?tpyes=asset-repair', 'tpyes'],
  ])('%s is refused', async (search, param) => {
    const { status, body } = await gateway.rest('GET', `/api/events${search}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  test('a forged Last-Event-ID, another method or type of answer, and a missing scope are refused', async () => {
    expect((await gateway.rest('GET', '/api/events', undefined, { 'last-event-id': '1 OR 1' })).status).toBe(400);
    const posted = await gateway.rest('POST', '/api/events', {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
    const asked = await gateway.rest('OPTIONS', '/api/events');
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, 'GET, OPTIONS']);
    expect((await gateway.rest('GET', '/api/events', undefined, { accept: 'application/json' })).status).toBe(406);
    const { secret } = await createKey(gateway.database, { name: 'k', scopes: ['crm:read'] });
    const authorization = `Bearer ${secret}`;
    const refused = await gateway.rest('GET', '/api/events?types=asset-repair', undefined, { authorization });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    expect((await gateway.rest('GET', '/api/events', undefined, { authorization: 'Bearer x' })).status).toBe(401);
    const crm = await listen('', { authorization });
    await crm.next();
    await createRepair(gateway);
    await gateway.rest('POST', '/api/crm/industry-type', { industry: 'Ships' });
    expect((await crm.next()).data).toMatchObject({ type: 'industry-type' });
  });

  test('a drain and a revoked key end streams, and say how to go on', async () => {
    const { apiKey, secret } = await createKey(gateway.database, { name: 'k', scopes: ['crm:read'] });
    const ofKey = await listen('', { authorization: `Bearer ${secret}` });
    const other = await listen();
    await ofKey.next();
    const { id } = await other.next();
    await revokeKey(gateway.database, apiKey.id);
    expect(await ofKey.next()).toMatchObject({ event: 'refused', data: { error: { code: 'api_key_invalid' } } });
    gateway.drain();
    expect(await other.next()).toMatchObject({ id, event: 'closing', data: { position: Number(id) } });
  });

  test('each event that the description names was sent by what stands above', async () => {
    const { paths } = (await gateway.rest('GET', '/openapi.json')).body;
    const described = paths['/api/events'].get.responses[200].content['text/event-stream'].schema['x-events'];
    expect([...sent].sort()).toEqual(Object.keys(described).sort());
  });
});
