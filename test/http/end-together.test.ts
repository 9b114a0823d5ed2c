/** The first answer of a turn of the event loop is sent at once, the others together at its end or after a millisecond. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { endTogether } from '../../src/gateway/http/answer/send.js';
import { createServer } from '../../src/gateway/http/server.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** The responses of several requests that have all arrived, and what their clients receive. */
async function arrived(count: number): Promise<{ responses: ServerResponse[]; texts: Promise<string>[] }> {
  const responses: ServerResponse[] = [];
  let all = () => {};
  const areThere = new Promise<void>((resolve) => {
    all = resolve;
  });
  const server = createServer((_, response) => {
    if (responses.push(response) === count) all();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const texts = Array.from({ length: count }, () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.text(),
      () => 'nothing',
    ),
  );
  await areThere;
  return { responses, texts };
}

const end = (response: ServerResponse | undefined, text: string) =>
  response && endTogether(response.writeHead(200, ['Content-Length', String(text.length)]), text, 'latin1');
const sent = (responses: readonly ServerResponse[]) => responses.map(({ writableEnded }) => writableEnded);

test('the first answer of a turn is sent at once, and those behind it together at its end', async () => {
  const { responses, texts } = await arrived(3);
  for (const response of responses) end(response, 'told');
  expect(sent(responses)).toEqual([true, false, false]);
  expect(await Promise.all(texts)).toEqual(['told', 'told', 'told']);
});

test('each turn begins anew', async () => {
  const { responses, texts } = await arrived(2);
  for (const response of responses) {
    end(response, 'told');
    expect(response.writableEnded).toBe(true);
    await setImmediate();
  }
  expect(await Promise.all(texts)).toEqual(['told', 'told']);
});

test('an answer does not wait for work that takes long', async () => {
  const { responses, texts } = await arrived(4);
  for (const response of responses.slice(0, 2)) end(response, 'told');
  const until = performance.now() + 5;
  while (performance.now() < until) await Promise.resolve();
  end(responses[2], 'told');
  expect(sent(responses)).toEqual([true, true, true, false]);
  end(responses[3], 'told');
  expect(sent(responses)).toEqual([true, true, true, false]);
  expect(await Promise.all(texts)).toEqual(['told', 'told', 'told', 'told']);
});

test('an answer whose client has gone keeps back no other', async () => {
  const { responses, texts } = await arrived(3);
  for (const response of responses) end(response, 'told');
  responses[1]?.destroy();
  expect((await Promise.all(texts)).sort()).toEqual(['nothing', 'told', 'told']);
});
