import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { type GatewayProcess, startProcess } from '../support/process.js';

const API_KEY = 'a-key-that-is-long-enough';
let gateway: GatewayProcess;
let url: string;
const start = async (environment: Record<string, string> = {}) => {
  gateway = startProcess({ API_KEY, DATABASE_URL: await freshDatabaseUrl('sqlite'), ...environment });
  url = await gateway.ready();
};
afterEach(async () => {
  gateway.child.kill('SIGKILL');
  await gateway.ended;
});

const authorization = `Bearer ${API_KEY}`;

/** A create whose body is half sent, so that the test decides how long the request takes. */
async function beginCreate(): Promise<{ outgoing: ClientRequest; answer: Promise<IncomingMessage>; rest: string }> {
  const body = JSON.stringify({ industry: 'Steel' });
  const outgoing = request(`${url}/api/crm/industry-type`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'content-length': body.length },
  });
  const answer = once(outgoing, 'response').then(([response]) => response as IncomingMessage);
  outgoing.write(body.slice(0, 5));
  await once(outgoing, 'socket');
  await sleep(100);
  return { outgoing, answer, rest: body.slice(5) };
}

test('SIGTERM lets what is under way finish and closes what is idle, then ends with 0', async () => {
  await start();
  const response = await fetch(`${url}/healthz`); // stays open in fetch's pool
  await response.text();
  const { outgoing, answer, rest } = await beginCreate();
  gateway.child.kill('SIGTERM');
  await expect.poll(() => gateway.log()).toContain('Stopping');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();

  outgoing.end(rest);
  const created = await answer;
  expect(created.statusCode).toBe(201);
  expect(created.headers.connection).toBe('close');
  expect(JSON.parse(await text(created))).toMatchObject({ industry: 'Steel' });
  const finishedAt = performance.now();
  expect(await gateway.ended).toBe(0);
  // The stop would wait ten seconds for a connection that is not idle.
  expect(performance.now() - finishedAt).toBeLessThan(8000);
  expect(gateway.log()).toContain('Stopped');
});

test('a second signal ends it at once, without waiting', async () => {
  await start();
  const { outgoing, answer } = await beginCreate();
  outgoing.on('error', () => {});
  answer.catch(() => {});
  gateway.child.kill('SIGTERM');
  await expect.poll(() => gateway.log()).toContain('Stopping');
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(1);
});

test.each([
  ['thrown', 'throw'],
  ['rejected', 'Promise.reject'],
])('an error that is %s where nobody catches it is logged, and ends the process with 1', async (_how, raise) => {
  const trap = `process.on('SIGWINCH', () => { ${raise}(new Error('a bug of ours')) })`;
  await start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trap)}` });
  gateway.child.kill('SIGWINCH');
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toMatch(/"level":"fatal".*a bug of ours/);
});

test('many requests at the moment of SIGINT are answered in full or not taken at all, and no key is found in what it printed, logged or stored', async () => {
  const folder = freshFolder();
  await start({ LOG_LEVEL: 'trace', DATABASE_URL: `file:${folder}/records.db` });
  const send = (key: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });
  for (const key of [API_KEY, 'a-key-that-is-wrong']) {
    await send(key, '/api/crm/industry-type');
    await send(key, '/api/crm/industry-type', { method: 'POST', body: '{broken' });
    await send(key, '/graphql', { method: 'POST', body: '{"query":"{ nope }"}' });
    await send(key, '/nowhere');
  }
  const create = () =>
    send(API_KEY, '/api/crm/industry-type', { method: 'POST', body: '{"industry":"Steel"}' }).then(
      async (response) => ({ status: response.status, body: await response.text() }),
      () => 'not taken' as const,
    );
  const answers = Array.from({ length: 20 }, create);
  await Promise.race(answers);
  gateway.child.kill('SIGINT');
  for (let more = 0; more < 50; more++) {
    answers.push(create());
    await sleep(2);
  }
  const settled = await Promise.all(answers);
  expect(await gateway.ended).toBe(0);
  expect(gateway.log()).toContain('Stopped');
  const taken = settled.filter((answer) => answer !== 'not taken');
  expect(taken.length).toBeGreaterThan(0);
  for (const answer of taken) {
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ industry: 'Steel' });
  }

  const stored = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`));
  expect(stored.length).toBeGreaterThan(0);
  const everything = Buffer.concat([...stored, Buffer.from(gateway.output() + gateway.log())]);
  expect(gateway.log()).toContain('"status":401');
  expect(everything.includes(API_KEY)).toBe(false);
  expect(everything.includes('a-key-that-is-wrong')).toBe(false);
});
