/** An idle connection keeps nothing of its last answer: a thousand of them may have had large ones. */
import { once } from 'node:events';
import { Agent, get, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../src/gateway/http/server.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('nothing of an answer stays while its connection is idle', async () => {
  const answers: WeakRef<ServerResponse>[] = [];
  const server: Server = createServer((_request, response) => {
    answers.push(new WeakRef(response));
    response.end('x'.repeat(1_000_000));
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  for (let n = 0; n < 10; n++) {
    const [answer] = await once(get({ port, agent, host: '127.0.0.1' }), 'response');
    answer.resume();
    await once(answer, 'end');
  }
  await sleep(50);
  expect(await connections(server)).toBe(1);
  for (let n = 0; n < 5; n++) {
    collectGarbage();
    await sleep(10);
  }
  expect(answers.filter((each) => each.deref())).toEqual([]);
});

const connections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
