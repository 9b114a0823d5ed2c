/** Every example of docs/live.md but for the recipe, which a browser runs (test/clients/follow.test.ts). */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepair } from '../../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
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
    text.replace(/(?<=^id: |"position":"?)\d+/gm, (given) => `${Number(given) - position + shownFrom}`);
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
  const asShown = text.replace(/(?<=^id: |"position":"?)\d+/gm, (given) => `${Number(given) - position + shownFrom}`);
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
