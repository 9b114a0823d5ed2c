import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

const megabyte = 1024 * 1024;
const path = '/api/assets/asset-repair';

describe.each([true, false])('a page of 3 MB, compiled: %s', (compiled) => {
  let gateway: TestGateway;
  let small: string;
  beforeAll(async () => {
    gateway = await startGateway({ compiled });
    // Characters of one to four bytes, so that pieces end within them.
    const description = 'aé€😀'.repeat(70_000);
    for (let i = 0; i < 5; i++)
      await gateway.rest('POST', path, { asset: 'A', failure_date: '2026-01-01', description });
    small = (await gateway.rest('POST', path, { asset: 'B', failure_date: '2026-01-01' })).body.id;
  });
  afterAll(() => gateway.close());

  /** The body as it came. */
  const bodyOf = (headers: Record<string, string>) =>
    new Promise<{ body: Buffer; encoding: string | undefined }>((resolve, reject) => {
      const asked = request(`${gateway.url}${path}?limit=6`, {
        headers: { authorization: `Bearer ${gateway.key}`, ...headers },
      });
      asked.on('error', reject).on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ body: Buffer.concat(chunks), encoding: answer.headers['content-encoding'] }));
      });
      asked.end();
    });

  it('arrives whole, compressed or not', async () => {
    const { body } = await bodyOf({});
    expect(body.length).toBeGreaterThan(3 * megabyte);
    const records = JSON.parse(body.toString()).data;
    expect(new Set(records.slice(1).map(({ description }: { description: string }) => description))).toEqual(
      new Set(['aé€😀'.repeat(70_000)]),
    );
    const compressed = await bodyOf({ 'accept-encoding': 'gzip' });
    expect(compressed.encoding).toBe('gzip');
    expect(gunzipSync(compressed.body).equals(body)).toBe(true);
  });

  it('is not held in memory for any number of clients that do not take it, and others are answered', async () => {
    // The system takes some megabytes of each answer that nobody reads.
    const description = 'x'.repeat(900_000);
    for (let i = 0; i < 24; i++)
      await gateway.rest('POST', path, { asset: 'A', failure_date: '2026-01-01', description });
    const clients = Array.from({ length: 10 }, () => {
      const asked = request(`${gateway.url}${path}?limit=24`, {
        headers: { authorization: `Bearer ${gateway.key}` },
        agent: false,
      });
      const status = new Promise<number | undefined>((resolve, reject) => {
        asked.on('error', reject).on('response', (answer) => resolve(answer.pause().statusCode));
      });
      asked.end();
      return { asked, status };
    });
    const statuses = await Promise.all(clients.map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect((await gateway.rest('GET', `${path}/${small}`)).status).toBe(200);
    const change = await gateway.rest('PATCH', `${path}/${small}`, { asset: 'C' });
    expect(change.status).toBe(200);
    const refused = await gateway.rest('GET', `${path}?limit=24`);
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '1']);
    for (const { asked } of clients) asked.on('error', () => {}).destroy();
    for (let waited = 0; waited < 5_000; waited += 50) {
      if ((await gateway.rest('GET', `${path}?limit=24`)).status === 200) break;
      await sleep(50);
    }
    expect((await gateway.rest('GET', `${path}?limit=24`)).status).toBe(200);
  });
});
