/**
 * Two gateways on one database, this process and another, get the same request at the same moment: one executes it, the
 * other returns its answer or refuses.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn, freshDatabaseUrl } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type GatewayProcess, startProcess } from '../../support/process.js';
import { runs } from '../../support/thorough.js';

const API_KEY = 'the-key-of-both-gateways';
const pairs = runs(30, 300);
const atOnce = 10;

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let here: TestGateway;
  let there: GatewayProcess;
  let urls: string[];

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabaseUrl(provider);
    here = await startGateway({ env: { DATABASE_URL, API_KEY } });
    there = startProcess({ DATABASE_URL, API_KEY, LOG_LEVEL: 'warn' });
    urls = [here.url, await there.ready()];
  });
  afterAll(async () => {
    there.child.kill('SIGKILL');
    await Promise.all([there.ended, here.close()]);
  });

  async function send(url: string | undefined, method: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/api/crm/industry-type?limit=1`, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{"industry": "mining"}' } : {}),
    });
    return { status: response.status, body: await response.json() };
  }

  test(`${pairs} requests sent to both at once happen once each, and none fails`, { timeout: 120_000 }, async () => {
    const answers: string[] = [];
    const wrong: string[] = [];
    const pair = async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const both = await Promise.all(urls.map((url) => send(url, 'POST', headers)));
      const ids = new Set<string>();
      for (const { status, body } of both) {
        if (status === 201) ids.add(body.id);
        answers.push(status === 201 ? '201' : `${status} ${body.error.code}`);
      }
      const last = await send(urls[0], 'POST', headers);
      ids.add(last.body.id);
      if (last.status !== 201 || ids.size !== 1) wrong.push(JSON.stringify([...both, last]));
    };
    for (let done = 0; done < pairs; done += atOnce) await Promise.all(Array.from({ length: atOnce }, pair));
    expect(wrong).toEqual([]);
    expect(
      [...new Set(answers)].filter((answer) => answer !== '201' && answer !== '409 idempotency_key_in_use'),
    ).toEqual([]);
    expect((await send(urls[1], 'GET')).body.total).toBe(pairs);
  });
});
