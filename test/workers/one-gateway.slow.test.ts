/** Several workers act as one gateway: webhooks, idempotent requests, keys, and simultaneous requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { webhookSettings } from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { databaseInTurn, providers } from '../support/database.js';
import { startWorkers, type Workers } from './workers.js';

const ask = async ({ send }: Workers, query: string, variables: object = {}) => {
  const { body } = await send({ method: 'POST', path: '/graphql', body: { query, variables } });
  expect(body.errors).toBeUndefined();
  return body.data;
};

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  test('one of them delivers webhooks, each change once; when it is killed the next one goes on', async () => {
    const workers = await startWorkers(provider, webhookSettings);
    const receiver = await startReceiver();
    const made = 'mutation ($url: String!) { createWebhook(input: { name: "w", url: $url }) { webhook { id } } }';
    await ask(workers, made, { url: receiver.url });
    const create = async (count: number): Promise<string[]> => {
      const body = { industry: 'told' };
      const answers = await Promise.all(Array.from({ length: count }, () => workers.send({ method: 'POST', body })));
      return answers.map((answer) => answer.body.id);
    };
    const told = (): string[] => receiver.received.map(({ text }) => JSON.parse(text).data.id);
    const first = await create(30);
    await expect.poll(told, { timeout: 30_000 }).toHaveLength(30);
    expect(told().sort()).toEqual(first.sort());
    for (const [index, { pid }] of (await workers.served(2)).entries()) {
      process.kill(Number(pid), 'SIGKILL');
      await workers.served(3 + index);
      const more = await create(5);
      await expect.poll(() => more.filter((id) => !told().includes(id)), { timeout: 30_000 }).toEqual([]);
    }
  });

  test('a request with an Idempotency-Key happens once, whichever of them get it', async () => {
    const workers = await startWorkers(provider);
    const headers = { 'idempotency-key': 'once' };
    const sent = () => workers.send({ method: 'POST', body: { industry: 'once' }, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, sent));
    const isInUse = ({ status, body }: (typeof answers)[number]) =>
      status === 409 && body.error.code === 'idempotency_key_in_use';
    const done = answers.filter((answer) => !isInUse(answer));
    done.push(await sent());
    expect(new Set(done.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect((await workers.send()).body.total).toBe(1);
  });

  test('a key that was revoked by one opens none of them a second later', async () => {
    const workers = await startWorkers(provider);
    const create =
      'mutation { made: createApiKey(input: { name: "k", scopes: ["crm:read"] }) { secret apiKey { id } } }';
    const { made } = await ask(workers, create);
    const headers = { authorization: `Bearer ${made.secret}` };
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 12 }, () => workers.send({ headers })))).map(({ status }) => status);
    expect(await statuses()).toEqual(Array(12).fill(200));
    await ask(workers, 'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { id } } }', { id: made.apiKey.id });
    await sleep(1_000);
    expect(await statuses()).toEqual(Array(12).fill(401));
  });
});

describe.runIf(providers.includes('postgresql'))('on postgresql', () => {
  test('of REQUESTS_AT_ONCE each has its part, and answers one more with 503', async () => {
    const workers = await startWorkers('postgresql', { REQUESTS_AT_ONCE: '4' });
    const holder = new pg.Client(workers.databaseUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    // The key is known to both.
    for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) await workers.send({ path: '/api/nowhere' });
    await holder.query('BEGIN; LOCK TABLE "IndustryType"');
    const held: Promise<number>[] = [];
    const refused: number[] = [];
    const sendOne = async () => {
      const answer = workers.send().then(({ status }) => status);
      const first = await Promise.race([answer, sleep(300)]);
      if (first === undefined) held.push(answer);
      else refused.push(first);
    };
    while (held.length < 4 && refused.length < 100) await sendOne();
    for (const _ of [1, 2, 3, 4, 5, 6]) await sendOne();
    await holder.query('COMMIT');
    expect(await Promise.all(held)).toEqual([200, 200, 200, 200]);
    expect(new Set(refused)).toEqual(new Set([503]));
    expect((await workers.send()).status).toBe(200);
  });
});
