import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { holdRequests } from '../../src/gateway/http/server.js';

const answering: RequestListener = (_request, response) => void response.end('let in');

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a request that comes too early is answered once the gateway is open', async () => {
  const steps: string[] = [];
  const { listener, admit } = holdRequests(answering);
  const url = await serve(listener);

  const early = fetch(url).then(() => steps.push('answered'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  steps.push('opened');
  admit();
  await early;

  expect(steps).toEqual(['opened', 'answered']);
  expect(await (await fetch(url)).text()).toBe('let in');
});
