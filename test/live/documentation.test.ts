/** Every example of docs/live.md. */
import { readFileSync } from 'node:fs';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { linesOf, snippetsOf } from '../readme/examples.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { follow } from './follow.js';
import { watch } from './watch.js';

const page = readFileSync('docs/live.md', 'utf8');
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('the first stream has the bytes that are shown', async () => {
  const [command = ''] = blocks('sh');
  const [, body = ''] = /-d '([\s\S]*)'/.exec(command) ?? [];
  const input = { asset: 'LATHE-7', failureDate: '2026-11-20', repairCost: 120.5 };
  const { createAssetRepair } = (
    await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      {
        input,
      },
    )
  ).body.data;
  const answer = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => String((await reader?.read())?.value);
  const [opened = '', changed = ''] = blocks('text');
  const shownFrom = Number(/^id: (\d+)/m.exec(opened)?.[1]);
  const first = await next();
  const position = Number(/^id: (\d+)/m.exec(first)?.[1]);
  const asShown = (text: string) =>
    text.replace(/(?<=^id: |"position":)\d+/gm, (given) => `${Number(given) - position + shownFrom}`);
  expect(asShown(first)).toBe(opened);
  await gateway.rest('PATCH', `/api/assets/asset-repair/${createAssetRepair.record.id}`, { repair_cost: 130.5 });
  expect(asShown(await next())).toBe(changed);
  await reader?.cancel();
});

test('the stream of REST has the bytes that are shown', async () => {
  const [command = ''] = blocks('sh events');
  const [, path = ''] = /4000(\/[^']*)'/.exec(command) ?? [];
  const { id } = await createRepair(gateway);
  const answer = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${gateway.key}` } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const opened = String((await reader?.read())?.value);
  await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { repair_cost: 7 });
  const text = opened + String((await reader?.read())?.value);
  await reader?.cancel();
  const position = Number(/^id: (\d+)/m.exec(opened)?.[1]);
  const shownFrom = Number(/^id: (\d+)/m.exec(blocks('text events')[0] ?? '')?.[1]);
  const asShown = text.replace(/(?<=^id: |"position":)\d+/gm, (given) => `${Number(given) - position + shownFrom}`);
  const shown = blocks('text events').map((each) => each.replace(/asset-repair_\w+/, id));
  expect([asShown]).toEqual(shown);
});

test.each(blocks('graphql stream'))('begins: %s', async (query) => {
  const stream = watch(gateway, query);
  expect(await stream.next()).toMatchObject({ position: expect.any(Number) });
  stream.stop();
});

test('what it says of `changes` is so', async () => {
  const [, call = ''] = /`(changes\(types: .*?\))`/.exec(page) ?? [];
  const stream = watch(gateway, `subscription { ${call} { position notice } }`);
  expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
  stream.stop();
});

test('the client goes on after a break', async () => {
  const [shown = []] = snippetsOf(page);
  expect(linesOf(readFileSync('test/live/follow.ts', 'utf8')).join('\n')).toContain(shown.join('\n'));
  const broken = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl } });
  const client = createClient({
    url: () => `${current.url}/graphql`,
    headers: { authorization: `Bearer ${gateway.key}` },
    retryAttempts: 0,
  });
  let current: TestGateway = broken;
  const events = follow(
    client,
    'subscription ($after: Float) { changes(after: $after) { position notice recordId } }',
    {},
  );
  const next = async () => (await events.next()).value;
  expect(await next()).toMatchObject({ notice: 'OPENED' });
  const { id } = await createRepair(gateway);
  expect(await next()).toMatchObject({ recordId: id });
  current = gateway;
  const missed = createRepair(gateway);
  await broken.close();
  const told = [await next(), await next()].filter((event) => event && !event.notice);
  expect(told).toMatchObject([{ recordId: (await missed).id }]);
  client.dispose();
});

test('the client ends if its key is refused, and does not ask again', async () => {
  let requests = 0;
  const client = createClient({
    url: `${gateway.url}/graphql`,
    headers: { authorization: 'Bearer brg_wrong' },
    retryAttempts: 0,
    fetchFn: (...request: Parameters<typeof fetch>) => {
      requests++;
      return fetch(...request);
    },
  });
  const events = follow(client, 'subscription ($after: Float) { changes(after: $after) { position notice } }', {});
  await expect(events.next()).rejects.toThrow('401');
  const ofKey = createClient({ url: `${gateway.url}/graphql`, headers: { authorization: `Bearer ${gateway.key}` } });
  await expect(follow(ofKey, 'subscription { nope }', {}).next()).rejects.toThrow('nope');
  expect(requests).toBe(1);
});

test('the client hands on an event whose record could not be read, once, and continues behind it', async () => {
  const small = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl, ANSWER_LIMIT: '1' } });
  onTestFinished(() => small.close());
  const client = createClient({
    url: `${small.url}/graphql`,
    headers: { authorization: `Bearer ${small.key}` },
    retryAttempts: 0,
  });
  const query = `subscription ($after: Float) {
    assetRepairChanged(after: $after) { position notice recordId record { ... on AssetRepair { one: asset two: asset } } }
  }`;
  const events = follow(client, query, {});
  expect((await events.next()).value).toMatchObject({ notice: 'OPENED' });
  const large = await createRepair(small, repairInput({ asset: 'x'.repeat(900_000) }));
  const unread = (await events.next()).value;
  expect(unread).toMatchObject({
    recordId: large.id,
    record: null,
    errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }],
  });
  const { id } = await createRepair(small);
  expect((await events.next()).value).toMatchObject({ recordId: id, record: { one: expect.anything() } });
  const again = follow(client, query, {}, unread.position);
  expect([(await again.next()).value.notice, (await again.next()).value.recordId]).toEqual(['OPENED', id]);
  client.dispose();
});
